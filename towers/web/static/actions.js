// What an action's text says about where it is on the board. The notation is that of the rules.

const CELL = /^[a-h][1-8]$/;
const CIRCLE = /^[1-9][a-f]$/;
const OTHERS = { MARKET: "market", TRADE: "trade", LIST: "list" };

// Places of an action: {from, to}, each as "kind name" (kinds: the drawing's data- attributes) or null.
export function places(text) {
  const [verb, ...names] = text.split(" ");
  if (verb in OTHERS) return { from: null, to: `${OTHERS[verb]} ${names[0]}` };
  const found = names.filter((name) => CELL.test(name) || CIRCLE.test(name)).map((name) => `${CELL.test(name) ? "cell" : "circle"} ${name}`);
  return { from: found.length > 1 ? found[0] : null, to: found.at(-1) ?? null };
}
