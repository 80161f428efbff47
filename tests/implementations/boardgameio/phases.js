// An invented game with phases, for boardgame.io.
const deal = ({ G }) => { G.dealt = true; };

const Draft = {
  moves: { deal },
  next: 'trade',
  endIf: ({ G }) => G.dealt,
};

export default {
  phases: {
    draft: { ...Draft, start: true, moves: { deal }, next: 'trade', endIf: ({ G }) => G.dealt },
    trade: {
      moves: {
        offer: { move: ({ events }) => events.setPhase('draft'), undoable: false },
        close({ events }) { events.endPhase(); },
      },
      next: ({ G }) => (G.left ? 'draft' : 'count'),
    },
    count: {
      onBegin: ({ events }) => { events.endGame(); },
      turn: { onBegin: ({ events }) => events.endGame() },
    },
  },
};
