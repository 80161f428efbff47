<?php

namespace Bga\Games\Lanterns\States;

use Bga\GameFramework\StateType;
use Bga\GameFramework\States\GameState;

class NextPlayer extends GameState
{
    public function __construct(protected $game)
    {
        parent::__construct($game, id: 4, type: StateType::GAME, name: 'nextPlayer');
    }

    public function onEnteringState(int $activePlayerId)
    {
        $this->game->activeNextPlayer();
        $this->gamestate->jumpToState(2);
    }
}
