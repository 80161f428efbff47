export function light({ events }) {
  events.setStage('guess');
}

export const rest = ({ G, events }) => {
  G.rested = true;
  events.endTurn();
};

export function guessTheWind({ G, events }, wind) {
  G.guess = wind;
  settle(G, events);
}

function settle(G, events) {
  if (G.guess === 1) G.settled += 1;
  events.endTurn();
}
