<?php

const ST_LIGHT = 2;

if (!defined('ST_GUESS')) {
    define('ST_GUESS', 3);
    define("ST_NEXT_PLAYER", ST_GUESS + 1);
}

class Lamp
{
    public const SETTLE = 5;
}
