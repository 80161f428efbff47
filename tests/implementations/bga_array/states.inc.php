<?php

// An invented game of lanterns, in the array form of BGA Studio.

require_once("constants.inc.php");

$before = [
    1 => array(
        "name" => "gameSetup",
        "description" => "",
        "type" => "manager",
        "action" => "stGameSetup",
        "transitions" => array("" => ST_LIGHT)
    ),
];

$machinestates = $before + [
    ST_LIGHT => array(
        "name" => "light",
        "description" => clienttranslate('${actplayer} may light a lantern'),
        "type" => "activeplayer",
        "possibleactions" => array("actLight", "actRest"),
        "transitions" => array("light" => ST_GUESS, "rest" => ST_NEXT_PLAYER, "zombiePass" => 99)
    ),
    ST_GUESS => array(
        "name" => "guess",
        "type" => "activeplayer",
        "possibleactions" => ["actGuessTheWind"],
        "transitions" => ["guessed" => Lamp::SETTLE]
    ),
    ST_NEXT_PLAYER => GameStateBuilder::create()
        ->name('nextPlayer')
        ->type(StateType::GAME)
        ->action('stNextPlayer')
        ->transitions(['' => ST_LIGHT])
        ->build(),
    Lamp::SETTLE => [
        "name" => "settle",
        "type" => "game",
        "action" => "stSettle",
        "transitions" => ["go" . "On" => ST_NEXT_PLAYER, "end" => 99],
    ],
    99 => [
        "name" => "gameEnd",
        "type" => "manager",
        "action" => "stGameEnd",
        "args" => "argGameEnd",
    ],
];
