<?php

namespace Bga\Games\Lanterns\States;

use Bga\GameFramework\StateType;
use Bga\GameFramework\States\GameState;

const GAME_END = 99;

class Settle extends GameState
{
    public function __construct(protected $game)
    {
        parent::__construct($game, id: 5, type: StateType::GAME);
    }

    public function onEnteringState()
    {
        $settled = $this->game->settle();
        return $settled == 2 ? GAME_END : NextPlayer::class;
    }
}
