<?php

declare(strict_types=1);

namespace Bga\Games\Lanterns\States;

use Bga\GameFramework\StateType;
use Bga\GameFramework\States\PossibleAction;

class Guess extends \Bga\GameFramework\States\GameState
{
    public function __construct(protected \Bga\Games\Lanterns\Game $game)
    {
        parent::__construct(
            $game,
            id: 3,
            type: StateType::ACTIVE_PLAYER,
            name: 'guess',
            transitions: ['guessed' => 5],
        );
    }

    #[PossibleAction]
    public function actGuessTheWind(int $wind): string
    {
        $this->game->remember($wind);
        return 'guessed';
    }
}
