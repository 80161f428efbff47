// An invented game of lanterns, for boardgame.io.
import { INVALID_MOVE } from 'boardgame.io/core';
import { light, rest, guessTheWind } from './moves';

export const Lanterns = {
  name: 'lanterns',
  setup: () => ({ settled: 0, rested: false }),
  turn: {
    activePlayers: { currentPlayer: 'light' },
    stages: {
      light: { moves: { light, rest } },
      guess: { moves: { guessTheWind } },
    },
  },
  endIf: ({ G }) => (G.settled === 2 ? { winner: '0' } : undefined),
};
