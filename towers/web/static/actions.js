// Matches actions with elements of a drawing, by the elements' data- attributes and the words of the action.
//
// data-action="DROP d"  the action of that text
// data-pile="2"         actions of the verb PILE with the word 2
// data-cell="d3"        actions with the word d3; the attribute may have any name, if the value is not a bare number
//
// data-seat marks the owner of a piece; such elements match no words.

const NUMBER = /^\d+$/;

export function isSpot(data) {
  return "action" in data || (Object.keys(data).length > 0 && !("seat" in data));
}

function belongs(action, data, word) {
  return !("action" in data) && Object.entries(data).some(([name, value]) => value === word && (name === action.verb || name === "cell" || !NUMBER.test(value)));
}

// The spots of an action as {from, to}: the spots of its first and of its last word with spots.
export function spotsOf(action, spots) {
  const exact = spots.filter((spot) => spot.data.action === action.text);
  if (exact.length) return { from: [], to: exact };
  const places = action.words.map((word) => spots.filter((spot) => belongs(action, spot.data, word))).filter((found) => found.length);
  return { from: places.length > 1 ? places[0] : [], to: places.at(-1) ?? [] };
}
