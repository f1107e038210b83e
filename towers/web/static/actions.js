// Which elements of a drawing an action belongs to, by the elements' data- attributes and the words of the action.
//
// data-action="DROP d"  the action of that text
// data-pile="2"         actions of the verb PILE with the word 2
// data-cell="d3"        actions with the word d3; the attribute may have any name, if the value is not a bare number
//
// Elements with data-seat show whose a piece is, and belong to no action by words.

const NUMBER = /^\d+$/;

export function isSpot(data) {
  return "action" in data || (Object.keys(data).length > 0 && !("seat" in data));
}

function belongs(action, data, word) {
  return !("action" in data) && Object.entries(data).some(([name, value]) => value === word && (name === action.verb || name === "cell" || !NUMBER.test(value)));
}

// The spots of an action: {from, to}, lists of those of its first and of its last word that has any.
export function spotsOf(action, spots) {
  const exact = spots.filter((spot) => spot.data.action === action.text);
  if (exact.length) return { from: [], to: exact };
  const places = action.words.map((word) => spots.filter((spot) => belongs(action, spot.data, word))).filter((found) => found.length);
  return { from: places.length > 1 ? places[0] : [], to: places.at(-1) ?? [] };
}
