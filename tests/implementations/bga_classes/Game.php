<?php

namespace Bga\Games\Lanterns;

use Bga\Games\Lanterns\States\Light;

class Game extends \Bga\GameFramework\Table
{
    protected function setupNewGame($players, $options = [])
    {
        $this->activeNextPlayer();
        return Light::class;
    }
}
