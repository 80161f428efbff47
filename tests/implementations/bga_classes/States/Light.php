<?php

declare(strict_types=1);

namespace Bga\Games\Lanterns\States;

use Bga\GameFramework\StateType;
use Bga\GameFramework\States\GameState;
use Bga\GameFramework\States\PossibleAction;
use Bga\Games\Lanterns\Game;

class Light extends GameState
{
    public function __construct(protected Game $game)
    {
        parent::__construct($game,
            id: 2,
            type: StateType::ACTIVE_PLAYER,
            description: clienttranslate('${actplayer} may light a lantern'),
        );
    }

    public function getArgs(): array
    {
        return ['lamps' => array_map(fn($lamp) => $lamp['id'], $this->game->lamps())];
    }

    #[PossibleAction]
    public function actLight(int $lamp, int $activePlayerId): string
    {
        if ($lamp < 0) {
            throw new \Bga\GameFramework\UserException('no such lamp');
        }
        return Guess::class;
    }

    #[PossibleAction]
    public function actRest(int $activePlayerId): string
    {
        return $this->passOn();
    }

    private function passOn(): string
    {
        return NextPlayer::class;
    }

    public function zombie(int $playerId): string
    {
        return Settle::class;
    }
}
