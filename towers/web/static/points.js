// A chart of the points of every seat over a game; a click goes to that move.
// towers/pictures/page.py inlines this file into the page of `towers replay --html`.

// Draw into an <svg>: *points* per position and seat, a colour per seat; *go* is called with the number of the clicked move.
// Returns a function that marks a move.
export function pointsChart(chart, points, colours, go) {
  const last = Math.max(1, points.length - 1);
  const most = points.flat().reduce((one, other) => Math.max(one, other), 1);
  const least = points.flat().reduce((one, other) => Math.min(one, other), 0);
  const x = (move) => 30 + (262 * move) / last;
  const y = (value) => 150 - (138 * (value - least)) / (most - least);
  const made = (name, attributes, words = "") => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = words;
    return chart.appendChild(element);
  };
  chart.replaceChildren();
  chart.setAttribute("viewBox", "0 0 300 170");
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label", "points over the game");
  const small = { fill: "var(--dim)", "font-size": 11, "text-anchor": "end" };
  for (const value of new Set([least, 0, most])) {
    made("line", { x1: 30, x2: 292, y1: y(value), y2: y(value), stroke: "var(--line)" });
    made("text", { x: 26, y: y(value) + 4, ...small }, value);
  }
  made("text", { x: 292, y: 165, ...small }, "moves");
  const cursor = made("line", { y1: 8, y2: 152, stroke: "var(--ink)", "stroke-dasharray": "3 3" });
  colours.forEach((colour, seat) => {
    const line = points.map((values, move) => `${x(move)},${y(values[seat])}`).join(" ");
    made("polyline", { points: line, fill: "none", stroke: colour, "stroke-width": 2 });
  });
  chart.onclick = (event) => {
    const box = chart.getBoundingClientRect();
    const move = Math.round((((300 * (event.clientX - box.left)) / box.width - 30) / 262) * last);
    go(Math.max(0, Math.min(points.length - 1, move)));
  };
  return (move) => {
    for (const side of ["x1", "x2"]) cursor.setAttribute(side, x(move));
  };
}
