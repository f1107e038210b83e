// The drawing with its legal actions: highlights, clicks, arrow keys.

import { isSpot, spotsOf } from "./actions.js";
import { el } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

export class Board {
  // play(text) is called with the action chosen on the board.
  constructor(play) {
    this.play = play;
    this.frame = el("div", { className: "board" });
    this.frame.onkeydown = (event) => this.key(event);
    this.legal = [];
    this.spots = []; // {data, place, rect}: elements with data- attributes, and the rectangle over each
    this.mover = null; // the spot of the piece chosen to move
  }

  // Show a drawing and its legal actions. Each action gets its spots, `from` and `to`.
  show(svg, legal) {
    const focused = this.frame.contains(document.activeElement) ? document.activeElement.dataset.place : null;
    this.frame.innerHTML = svg; // drawn by this server
    this.mover = null;
    this.spots = [...this.frame.querySelectorAll("svg *")].filter((element) => isSpot(element.dataset)).map((element) => this.spot(element));
    this.legal = legal;
    for (const action of legal) Object.assign(action, spotsOf(action, this.spots));
    this.light();
    if (focused) this.spots.find((spot) => spot.place === focused)?.rect.focus();
  }

  // A rectangle over an element of the drawing, for clicks and highlights.
  spot(element) {
    const data = { ...element.dataset };
    const place = Object.entries(data).map(([name, value]) => `${name} ${value}`).sort().join(", ");
    const box = element.getBBox();
    const rect = document.createElementNS(SVG, "rect");
    const inset = { x: box.x + 2, y: box.y + 2, width: Math.max(0, box.width - 4), height: Math.max(0, box.height - 4) };
    for (const [side, value] of Object.entries(inset)) rect.setAttribute(side, value);
    rect.setAttribute("rx", element.localName === "circle" ? inset.width / 2 : 5);
    rect.classList.add("spot");
    rect.dataset.place = place;
    if (element.localName === "g") element.append(rect);
    else {
      if (element.hasAttribute("transform")) rect.setAttribute("transform", element.getAttribute("transform"));
      element.after(rect);
    }
    const spot = { data, place, rect };
    rect.addEventListener("click", () => this.choose(spot));
    return spot;
  }

  // Frame the spots of an action, on top of the drawing.
  hint(action) {
    const svg = this.frame.querySelector("svg");
    for (const old of this.frame.querySelectorAll(".hinted")) old.remove();
    for (const { rect } of [...action.from, ...action.to]) {
      const { a, b, c, d, e, f } = svg.getCTM().inverse().multiply(rect.getCTM());
      const frame = rect.cloneNode();
      frame.setAttribute("class", "hinted");
      frame.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
      for (const name of ["tabindex", "role", "aria-label", "data-place"]) frame.removeAttribute(name);
      svg.append(frame);
    }
  }

  // Highlight the spots of the legal actions: of all, or of those of the piece chosen to move.
  light() {
    for (const spot of this.spots) {
      const here = this.legal.filter((action) => (this.mover === null ? action.to.includes(spot) || action.from.includes(spot) : action.from.includes(this.mover) && action.to.includes(spot)));
      const { rect } = spot;
      rect.classList.toggle("target", here.length > 0);
      rect.classList.toggle("mover", spot === this.mover);
      if (here.length) {
        rect.setAttribute("tabindex", "0");
        rect.setAttribute("role", "button");
        rect.setAttribute("aria-label", here.slice(0, 4).map((action) => `${action.text}: ${action.help}`).join("; "));
      } else {
        for (const name of ["tabindex", "role", "aria-label"]) rect.removeAttribute(name);
      }
    }
  }

  choose(spot) {
    this.closeMenu();
    if (this.mover !== null) {
      const moves = this.legal.filter((action) => action.from.includes(this.mover) && action.to.includes(spot));
      const back = this.mover === spot;
      this.mover = null;
      this.light();
      if (moves.length) return this.offer(moves, [], spot);
      if (back) return undefined;
    }
    const here = this.legal.filter((action) => action.to.includes(spot));
    const leaving = this.legal.filter((action) => action.from.includes(spot) && !action.to.includes(spot));
    if (leaving.length && !here.length) return this.lift(spot);
    return this.offer(here, leaving, spot);
  }

  // Play the only action, or show a menu.
  offer(here, leaving, spot) {
    if (here.length === 1 && !leaving.length) return this.play(here[0].text);
    const items = here.map((action) => this.item(action.text, action.help, () => this.play(action.text)));
    if (leaving.length) {
      const verbs = [...new Set(leaving.map((action) => action.text.split(" ")[0]))].join(", ");
      items.push(this.item(`${verbs} …`, "from here: choose where to", () => this.lift(spot)));
    }
    if (items.length) this.openMenu(items, spot.rect);
    return undefined;
  }

  lift(spot) {
    this.mover = spot;
    this.light();
  }

  item(text, help, act) {
    return el("button", { type: "button", onclick: () => { this.closeMenu(); act(); } }, el("b", {}, text), ` ${help}`);
  }

  openMenu(items, rect) {
    const box = rect.getBoundingClientRect();
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
    const spot = this.spots.find((one) => one.rect === event.target);
    if (!spot) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(spot);
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) {
      event.preventDefault();
      event.stopPropagation();
      this.nearest(spot.rect, way)?.focus();
    }
  }

  // The nearest highlighted spot in a direction.
  nearest(rect, [dx, dy]) {
    const middle = (one) => {
      const box = one.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(rect);
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
