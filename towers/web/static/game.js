// The page of one game: polls the server and shows its answers.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { el, say, theme, typing } from "./dom.js";
import { Panel } from "./panel.js";

const SOON = 350;
const LATER = 2500;
const NARROW = window.matchMedia("(max-width: 760px)");

// Drawing options: the page's theme, and the seats below the board on narrow screens.
const look = () => `theme=${theme()}&narrow=${NARROW.matches ? 1 : 0}`;

export async function showGame(page, id, setTitle) {
  const path = `/api/games/${encodeURIComponent(id)}`;
  let view = null;
  let hint = null;
  let step = null; // the number of moves shown of a finished game; null: the present position
  let timer = null;
  let gone = false;
  let busy = false;

  const board = new Board((text) => play(text));
  const panel = new Panel({
    play: (text) => play(text),
    undo: () => act("undo", { version: view.version }),
    pace: (pace) => act("pace", { pace }),
    sit: (seat) => act("seat", { seat }),
    hint: (name) => askHint(name ?? view.hintFrom),
    step: (moves) => goTo(moves),
    record: () => get(`${path}/record`),
    recordPath: `${path}/record`,
  });
  page.replaceChildren(el("div", { className: "table" }, el("div", { className: "left" }, panel.status, panel.curtain, board.frame, panel.steps), el("div", { className: "right" }, panel.actions, panel.rest)));

  function show(next) {
    if (view && next.version < view.version) return; // a late answer
    if (!view || next.version !== view.version) hint = null;
    view = next;
    setTitle(view.game, view.title);
    board.frame.hidden = view.curtain !== null;
    if (step === null) board.show(view.svg, view.legal);
    panel.show(view, step);
  }

  async function refresh(whole = false) {
    clearTimeout(timer);
    try {
      const since = whole || !view ? "" : `&since=${view.version}`;
      const next = await get(`${path}?${look()}${since}`);
      if (gone) return;
      if (next) show(next);
    } catch (error) {
      if (!view) throw error;
      say(error.message);
    }
    const machines = view && !view.over && !view.yourTurn && view.curtain === null && view.pace !== null && !view.trouble && !view.isReplay;
    if (!gone) timer = setTimeout(() => refresh(), machines ? SOON : LATER);
  }

  async function act(what, content) {
    if (busy) return;
    busy = true;
    try {
      show(await post(`${path}/${what}?${look()}`, content));
      say("");
    } catch (error) {
      say(error.message);
      if (error.status === 409) await refresh(true);
    } finally {
      busy = false;
    }
    refresh();
  }

  function play(text) {
    return act("move", { action: text, version: view.version });
  }

  async function askHint(name) {
    const version = view.version;
    panel.hinting(name);
    try {
      const answer = await post(`${path}/hint`, { player: name });
      if (gone || view.version !== version) return;
      hint = answer;
      showHint();
    } catch (error) {
      panel.hint(null, "");
      say(error.message);
    }
  }

  function showHint() {
    const action = view.legal.find((one) => one.text === hint.action);
    if (action) board.hint(action);
    panel.hint(hint, action?.help ?? "");
  }

  async function goTo(moves) {
    if (!view.canRecord) return;
    const wanted = Math.max(0, Math.min(view.moves, moves));
    step = wanted;
    panel.show(view, step);
    try {
      const past = await get(`${path}/at/${wanted}?${look()}`);
      if (step !== wanted) return; // a later request is under way
      board.show(past.svg, []);
      if (wanted === view.moves && !view.over && !view.isReplay) step = null;
    } catch (error) {
      say(error.message);
    }
  }

  function key(event) {
    if (event.key === "Escape") board.cancel();
    if (typing(event) || !view) return;
    if (view.canRecord && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      goTo((step ?? view.moves) + (event.key === "ArrowLeft" ? -1 : 1));
    } else if (event.key === "h" && view.yourTurn) askHint();
    else if (event.key === "u" && view.canUndo) act("undo", { version: view.version });
    else if (event.key === "e" && view.legal.some((action) => action.passes)) play(view.legal.find((action) => action.passes).text);
    else if (event.key === "/") {
      event.preventDefault();
      panel.focusInput();
    }
  }

  const repaint = async () => {
    await refresh(true);
    if (step !== null) goTo(step);
    else if (hint) showHint();
  };
  document.addEventListener("keydown", key);
  window.addEventListener("themechange", repaint);
  NARROW.addEventListener("change", repaint);
  const leave = () => {
    gone = true;
    clearTimeout(timer);
    document.removeEventListener("keydown", key);
    window.removeEventListener("themechange", repaint);
    NARROW.removeEventListener("change", repaint);
  };
  try {
    await refresh();
  } catch (error) {
    leave();
    throw error;
  }
  return leave;
}
