// The panel beside the board: status, legal actions with their help, cards, moves, stepping, records.

import { el, say } from "./dom.js";
import { pointsChart } from "./points.js";

const FEW = 12; // most actions on the board that are listed as buttons without folding

export class Panel {
  // *does*: the functions that buttons call.
  constructor(does) {
    this.does = does;
    this.status = el("div", { className: "status", ariaLive: "polite" });
    this.curtain = el("div", { className: "curtain box", hidden: true });
    this.steps = this.stepper();
    this.chart = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.chart.classList.add("points");
    this.actions = el("section", { className: "actions" });
    this.rest = el("section", { className: "rest" });
    this.allOpen = false;
  }

  show(view, step) {
    this.view = view;
    this.showStatus(view);
    this.showCurtain(view);
    this.showSteps(view, step);
    this.showActions(view);
    this.showRest(view, step);
  }

  showStatus(view) {
    const players = view.players.map((player) => el("span", { className: player.seat === view.toMove ? "player turn" : "player" },
      el("i", { style: `background:${player.colour}` }), `${nameOf(view, player.seat)} `, el("b", {}, String(player.score))));
    this.status.replaceChildren(el("div", { className: "players" }, ...players), el("div", { className: "line" }, headline(view)));
    if (view.trouble) this.status.append(el("div", { className: "trouble" }, view.trouble));
  }

  showCurtain(view) {
    this.curtain.hidden = view.curtain === null;
    if (view.curtain === null) return;
    const seat = view.curtain;
    this.curtain.replaceChildren(
      el("p", {}, `Pass the screen to player_${seat}. The position stays hidden until then.`),
      el("button", { className: "main", onclick: () => this.does.sit(seat) }, `I am player_${seat}`));
  }

  // Buttons and a slider over the moves. The elements are kept, so that a drag or the focus survives a step.
  stepper() {
    const go = (label, title, moves) => el("button", { className: "quiet", title, ariaLabel: title, onclick: () => this.does.step(moves()) }, label);
    this.earlier = [go("|◀", "Start", () => 0), go("◀", "Back", () => this.at - 1)];
    this.later = [go("▶", "Forward", () => this.at + 1), go("▶|", "End", () => this.view.moves)];
    this.slider = el("input", { type: "range", min: 0, ariaLabel: "Move" });
    this.slider.oninput = () => this.does.step(Number(this.slider.value));
    this.count = el("span", { className: "dim" });
    return el("div", { className: "steps", hidden: true }, ...this.earlier, this.slider, ...this.later, this.count);
  }

  showSteps(view, step) {
    this.steps.hidden = !view.canRecord || view.moves === 0;
    this.at = step ?? view.moves;
    this.slider.max = view.moves;
    this.slider.value = this.at;
    for (const button of this.earlier) button.disabled = this.at === 0;
    for (const button of this.later) button.disabled = this.at === view.moves;
    this.count.textContent = `${this.at} of ${view.moves}`;
  }

  showActions(view) {
    const parts = [];
    if (view.yourTurn) {
      const onBoard = view.legal.filter((action) => action.to.length > 0);
      const plain = view.legal.filter((action) => action.to.length === 0);
      const few = onBoard.length <= FEW ? onBoard : [];
      if (onBoard.length) parts.push(el("p", { className: "dim" }, "Click a highlighted spot on the board, or choose an action here."));
      parts.push(el("div", { className: "choices" }, ...[...few, ...plain].map((action) => this.button(action))));
      if (onBoard.length > FEW) {
        const all = el("details", { open: this.allOpen }, el("summary", {}, `All ${onBoard.length} actions on the board`), el("div", { className: "choices small" }, ...onBoard.map((action) => this.button(action))));
        all.ontoggle = () => { this.allOpen = all.open; };
        parts.push(all);
      }
      parts.push(this.typed(view));
    }
    const tools = this.tools(view);
    if (tools.childElementCount) parts.push(tools);
    this.hintBox = el("div", { className: "hint", ariaLive: "polite" });
    parts.push(this.hintBox);
    this.actions.replaceChildren(...parts);
  }

  button(action) {
    return el("button", { type: "button", className: action.passes ? "choice end" : "choice", dataset: { action: action.text }, onclick: () => this.does.play(action.text) }, el("b", {}, action.text), el("span", {}, action.help));
  }

  typed(view) {
    const known = el("datalist", { id: "legal" }, ...view.legal.map((action) => el("option", { value: action.text })));
    const input = el("input", { id: "typed", placeholder: "or type: " + (view.legal[0]?.text ?? ""), autocomplete: "off", ariaLabel: "Type an action", list: "legal" });
    const form = el("form", { className: "typed" }, input, known, el("button", {}, "Play"));
    form.onsubmit = (event) => {
      event.preventDefault();
      if (input.value.trim()) this.does.play(input.value.trim());
    };
    return form;
  }

  focusInput() {
    document.getElementById("typed")?.focus();
  }

  tools(view) {
    const box = el("div", { className: "buttons" });
    const add = (label, title, act) => box.append(el("button", { type: "button", title, onclick: act }, label));
    if (view.yourTurn) {
      add("Hint", `What ${view.hintFrom} would do (h)`, () => this.does.hint(view.hintFrom));
      for (const name of view.advisers) add(`Hint: ${name}`, `What ${name} would do, and its evaluation`, () => this.does.hint(name));
    }
    if (view.canUndo) add("Undo", "Back to your last decision (u)", () => this.does.undo());
    if (view.machines && !view.over) {
      if (view.trouble) add("Retry", "Let the player try again", () => this.does.pace(0.6));
      else if (view.pace === null) add("Continue", "Let the players continue", () => this.does.pace(0.6));
      else {
        add("Pause", "Pause the players", () => this.does.pace(null));
        if (!view.players.some((player) => player.human)) {
          if (view.pace > 0) add("Faster", "No pause between moves", () => this.does.pace(0));
          else add("Slower", "A pause between moves", () => this.does.pace(0.6));
        }
      }
    }
    if (view.canRecord && view.moves) {
      box.append(el("a", { className: "button", href: this.does.recordPath, download: "" }, "Save record"));
      add("Copy record", "Copy the game as text", async () => {
        try {
          await navigator.clipboard.writeText(await this.does.record());
          say("record copied to the clipboard", false);
        } catch (error) {
          say(`the record can't be copied: ${error.message}`);
        }
      });
    }
    return box;
  }

  hinting(name) {
    this.hintBox.replaceChildren(`${name} is thinking …`);
  }

  hint(advice, help) {
    if (!advice) return this.hintBox.replaceChildren();
    for (const button of this.actions.querySelectorAll("[data-action]")) button.classList.toggle("hinted", button.dataset.action === advice.action);
    return this.hintBox.replaceChildren(`${advice.player} would play `, el("b", {}, advice.action), help ? ` – ${help} ` : " ", advice.opinion ? el("span", { className: "dim" }, `(${advice.opinion}) `) : "", el("button", { type: "button", onclick: () => this.does.play(advice.action) }, "Play it"));
  }

  showRest(view, step) {
    const parts = [];
    if (view.cards.length) {
      parts.push(el("h2", {}, "Your cards"), el("dl", { className: "cards" }, ...view.cards.flatMap((card) => [el("dt", {}, card.name), el("dd", {}, card.help)])));
    }
    if (view.points.length > 1) {
      pointsChart(this.chart, view.points, view.players.map((player) => player.colour), this.does.step)(this.at);
      parts.push(el("h2", {}, "Score over the game"), this.chart);
    }
    const list = el("ol", { className: "log" });
    view.log.forEach(([seat, text], i) => {
      const line = el("li", { value: i + 1 }, el("i", { style: `background:${view.players[seat].colour}` }), text);
      if (view.canRecord) {
        line.classList.add("link");
        line.onclick = () => this.does.step(i + 1);
      }
      if (step === i + 1) line.classList.add("now");
      list.prepend(line);
    });
    if (view.log.length) parts.push(el("h2", {}, "Moves"), list);
    parts.push(el("p", { className: "dim" }, `${view.title}, rules ${view.rules}`));
    this.rest.replaceChildren(...parts);
    const now = list.querySelector(".now");
    if (now) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}

function nameOf(view, seat) {
  const player = view.players[seat];
  const people = view.players.filter((one) => one.human).length;
  if (!player.human) return `player_${seat} ${player.name}`;
  return people === 1 ? "you" : `player_${seat}`;
}

function headline(view) {
  if (view.over) return ending(view);
  if (view.isReplay) return "A record of an unfinished game.";
  if (view.curtain !== null) return "";
  if (view.yourTurn) return view.players.filter((player) => player.human).length === 1 ? "Your turn." : `player_${view.toMove}, it is your turn.`;
  return view.pace === null ? `The game is paused; ${nameOf(view, view.toMove)} is to move.` : `${nameOf(view, view.toMove)} is thinking …`;
}

function ending(view) {
  if (view.players.length === 1) return view.returns[0] > 0 ? "Won." : view.returns[0] < 0 ? "Lost." : "The game ended by its turn limit.";
  const first = view.ranking[0].map((seat) => nameOf(view, seat).replace(/^you$/, "You"));
  const end = view.truncated ? "The game ended by its turn limit. " : "The game is over. ";
  const verb = first.length > 1 ? "share the win" : first[0] === "You" ? "win" : "wins";
  return `${end}${first.join(" and ")} ${verb}.`;
}
