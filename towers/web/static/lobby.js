// The start page: new game, list of games, open a record.

import { get, post, remove } from "./api.js";
import { el, say } from "./dom.js";

export async function showLobby(page) {
  const setup = await get("/api/setup");
  const list = el("div", { className: "games" });
  page.replaceChildren(
    el("div", { className: "lobby" },
      el("section", { className: "box" }, el("h1", {}, "New game"), newGame(setup)),
      el("section", { className: "box" }, el("h1", {}, "Games"), list, el("h1", {}, "Open a record"), openRecord()),
    ),
  );
  await fill(list);
  return () => {};
}

// The last game started is the default.
function lastGame() {
  try { return localStorage.getItem("game"); } catch { return null; /* no storage: the first game */ }
}

function keepGame(name) {
  try { localStorage.setItem("game", name); } catch { /* the choice lasts as long as the page */ }
}

function choice(name, values, chosen) {
  const options = values.map((value) => el("option", { value: value.value ?? value, selected: (value.value ?? value) === chosen }, value.label ?? value));
  return el("select", { name, id: name }, ...options);
}

function newGame(setup) {
  const form = el("form", { className: "new" });
  const known = setup.games.find((one) => one.name === lastGame());
  const state = { game: (known ?? setup.games[0]).name, players: ["human"] };

  const draw = () => {
    const game = setup.games.find((one) => one.name === state.game);
    if (!(state.rules in game.presets)) state.rules = game.defaultRules;
    const numbers = game.presets[state.rules];
    const count = [state.number, 2, numbers[0]].find((one) => numbers.includes(one));
    const others = game.players.filter((name) => name !== "human");
    state.players = Array.from({ length: count }, (_, seat) => (game.players.includes(state.players[seat]) ? state.players[seat] : game.opponent));
    const gameChoice = choice("game", setup.games.map((one) => ({ value: one.name, label: one.title })), state.game);
    gameChoice.onchange = () => { Object.assign(state, { game: gameChoice.value, players: ["human"] }); draw(); };
    const rules = choice("preset", Object.keys(game.presets), state.rules);
    rules.onchange = () => { state.rules = rules.value; draw(); };
    const number = choice("number", numbers.map((value) => ({ value: String(value), label: String(value) })), String(count));
    number.onchange = () => { state.number = Number(number.value); draw(); };
    const seats = state.players.map((name, seat) => {
      const who = choice(`seat-${seat}`, [{ value: "human", label: "a person" }, ...others], name);
      who.onchange = () => { state.players[seat] = who.value; };
      return el("label", {}, `player_${seat}`, who);
    });
    form.replaceChildren(
      el("label", {}, "game", gameChoice),
      el("label", {}, "rules", rules),
      el("label", {}, "players", number),
      ...seats,
      el("label", {}, "seed", el("input", { name: "seed", id: "seed", inputMode: "numeric", placeholder: "random", value: state.seed ?? "", oninput: (event) => { state.seed = event.target.value; } })),
      el("p", { className: "dim" }, "Without a person you watch the players. Several people share this screen; each sees only their own hidden information."),
      el("button", { className: "main", type: "submit" }, "Start"),
    );
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    const content = { game: state.game, rules: state.rules, players: state.players };
    const seed = (state.seed ?? "").trim();
    if (seed && !(/^\d+$/.test(seed) && Number.isSafeInteger(Number(seed)))) return say("the seed must be an integer up to 9007199254740991, or empty");
    if (seed) content.seed = Number(seed);
    try {
      keepGame(state.game);
      location.hash = `#/game/${(await post("/api/games", content)).id}`;
    } catch (error) {
      say(error.message);
    }
  };
  draw();
  return form;
}

async function fill(list) {
  const { games } = await get("/api/games");
  if (!games.length) return list.replaceChildren(el("p", { className: "dim" }, "No games yet. Games are kept until you delete them."));
  list.replaceChildren(...games.map((game) => row(game, list)));
}

function row(game, list) {
  const drop = el("button", { className: "quiet", title: "Delete this game", ariaLabel: "Delete this game" }, "✕");
  drop.onclick = async () => {
    if (!confirm("Delete this game for good?")) return;
    try { await remove(`/api/games/${game.id}`); } catch (error) { say(error.message); }
    fill(list);
  };
  if (game.damaged) return el("div", { className: "row" }, el("span", {}, `damaged: ${game.damaged}`), drop);
  const who = game.players.map((player) => `${player.human ? "you" : player.name} ${player.score}`).join(" : ");
  const state = game.isReplay ? "record" : game.over ? "over" : `move ${game.moves + 1}`;
  return el("div", { className: "row" },
    el("a", { href: `#/game/${game.id}` }, el("b", {}, game.title), ` ${game.rules}`, el("br"), el("span", { className: "dim" }, `${who} · ${state}`)),
    drop);
}

function openRecord() {
  const area = el("textarea", { id: "record", rows: 4, placeholder: "towers record 1 …", ariaLabel: "Text of a record", spellcheck: false });
  const file = el("input", { type: "file", accept: ".txt,text/plain", ariaLabel: "File of a record" });
  const open = async (text) => {
    try {
      location.hash = `#/game/${(await post("/api/records", { text })).id}`;
    } catch (error) {
      say(error.message);
    }
  };
  file.onchange = async () => { if (file.files.length) open(await file.files[0].text()); };
  return el("div", { className: "record" }, area, el("div", { className: "buttons" }, el("button", { onclick: () => open(area.value) }, "Open text"), file));
}
