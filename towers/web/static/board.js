// The drawing with the legal actions on it: what lights up, what a click does, the arrow keys.

import { places } from "./actions.js";
import { el } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const PLACES = "[data-cell], [data-circle], [data-market], [data-trade], [data-list]";

export class Board {
  // play(text) is called when an action was chosen on the board.
  constructor(play) {
    this.play = play;
    this.frame = el("div", { className: "board" });
    this.frame.onkeydown = (event) => this.key(event);
    this.legal = [];
    this.mover = null; // the place of the piece that is about to move
  }

  // Show a drawing and what is legal on it. Each action is told its places there: `from`, `to`, or null.
  show(svg, legal) {
    const focused = this.frame.contains(document.activeElement) ? document.activeElement.dataset.place : null;
    this.frame.innerHTML = svg; // drawn by this server
    this.mover = null;
    this.spots = new Map();
    for (const element of this.frame.querySelectorAll(PLACES)) this.addSpot(element);
    this.legal = legal;
    for (const action of legal) {
      const { from, to } = places(action.text);
      action.from = this.spots.has(from) ? from : null;
      action.to = this.spots.has(to) ? to : null;
    }
    this.light();
    if (focused) this.spots.get(focused)?.focus();
  }

  // A square over a place of the drawing: it takes the clicks and lights up.
  addSpot(element) {
    const [[kind, name]] = Object.entries(element.dataset).filter(([key]) => PLACES.includes(`data-${key}]`));
    const place = `${kind} ${name}`;
    const box = element.getBBox();
    const spot = document.createElementNS(SVG, "rect");
    const inset = { x: box.x + 2, y: box.y + 2, width: box.width - 4, height: box.height - 4 };
    for (const [side, value] of Object.entries(inset)) spot.setAttribute(side, value);
    spot.setAttribute("rx", element.localName === "circle" ? inset.width / 2 : 5);
    spot.classList.add("spot");
    spot.dataset.place = place;
    spot.addEventListener("click", () => this.choose(place, spot));
    if (element.localName === "g") element.append(spot);
    else element.after(spot);
    this.spots.set(place, spot);
  }

  // Frame the places of an action, over everything else in the drawing.
  hint(text) {
    const svg = this.frame.querySelector("svg");
    for (const old of this.frame.querySelectorAll(".hinted")) old.remove();
    for (const place of Object.values(places(text))) {
      const spot = this.spots.get(place);
      if (!spot) continue;
      const { a, b, c, d, e, f } = svg.getCTM().inverse().multiply(spot.getCTM());
      const frame = spot.cloneNode();
      frame.setAttribute("class", "hinted");
      frame.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
      for (const name of ["tabindex", "role", "aria-label", "data-place"]) frame.removeAttribute(name);
      svg.append(frame);
    }
  }

  // Light up where something can be done now.
  light() {
    const ways = new Map();
    for (const action of this.legal) {
      const all = this.mover === null ? [action.to, action.from] : action.from === this.mover ? [action.to] : [];
      for (const one of all.filter(Boolean)) ways.set(one, [...(ways.get(one) ?? []), action]);
    }
    for (const [place, spot] of this.spots) {
      const here = ways.get(place) ?? [];
      spot.classList.toggle("target", here.length > 0);
      spot.classList.toggle("mover", place === this.mover);
      if (here.length) {
        spot.setAttribute("tabindex", "0");
        spot.setAttribute("role", "button");
        spot.setAttribute("aria-label", here.slice(0, 4).map((action) => `${action.text}: ${action.words}`).join("; "));
      } else {
        for (const name of ["tabindex", "role", "aria-label"]) spot.removeAttribute(name);
      }
    }
  }

  choose(place, spot) {
    this.closeMenu();
    if (this.mover !== null) {
      const move = this.legal.find((action) => action.from === this.mover && action.to === place);
      const back = this.mover === place;
      this.mover = null;
      this.light();
      if (move) return this.play(move.text);
      if (back) return undefined;
    }
    const here = this.legal.filter((action) => action.to === place);
    const leaves = this.legal.some((action) => action.from === place);
    if (leaves && !here.length) return this.lift(place);
    if (here.length === 1 && !leaves) return this.play(here[0].text);
    const items = here.map((action) => this.item(action.text, action.words, () => this.play(action.text)));
    if (leaves) items.push(this.item("M …", "move this knight: choose where to", () => this.lift(place)));
    if (items.length) this.openMenu(items, spot);
    return undefined;
  }

  lift(place) {
    this.mover = place;
    this.light();
  }

  item(text, words, act) {
    return el("button", { type: "button", onclick: () => { this.closeMenu(); act(); } }, el("b", {}, text), ` ${words}`);
  }

  openMenu(items, spot) {
    const box = spot.getBoundingClientRect();
    const frame = this.frame.getBoundingClientRect();
    const menu = el("div", { className: "menu", role: "menu" }, ...items);
    this.frame.append(menu);
    const left = Math.min(box.left - frame.left, frame.width - menu.offsetWidth - 4);
    menu.style.left = `${Math.max(4, left)}px`;
    menu.style.top = `${box.bottom - frame.top + 4}px`;
    items[0].focus();
  }

  closeMenu() {
    this.frame.querySelector(".menu")?.remove();
  }

  cancel() {
    this.closeMenu();
    if (this.mover !== null) {
      this.mover = null;
      this.light();
    }
  }

  key(event) {
    if (event.target.closest(".menu") && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const { nextElementSibling, previousElementSibling } = document.activeElement;
      (event.key === "ArrowDown" ? nextElementSibling : previousElementSibling)?.focus();
      event.preventDefault();
    }
    const spot = event.target.closest("[data-place]");
    if (!spot) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(spot.dataset.place, spot);
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) {
      event.preventDefault();
      event.stopPropagation();
      this.nearest(spot, way)?.focus();
    }
  }

  // The next place in a direction at which something can be done: near, and not far to the side.
  nearest(spot, [dx, dy]) {
    const middle = (one) => {
      const box = one.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(spot);
    let best = null;
    let least = Infinity;
    for (const other of this.frame.querySelectorAll(".target")) {
      const [a, b] = middle(other);
      const along = (a - x) * dx + (b - y) * dy;
      const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      if (along > 2 && along + 3 * aside < least) [best, least] = [other, along + 3 * aside];
    }
    return best;
  }
}
