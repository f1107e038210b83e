// Routing, and what all pages share: rules, keys, theme.

import { get } from "./api.js";
import { el, firstTheme, say, showDialog, theme, typing, useTheme } from "./dom.js";
import { showGame } from "./game.js";
import { showLobby } from "./lobby.js";

const page = document.getElementById("page");
let leave = () => {};
let game = "";

const KEYS = [
  ["Tab, arrows", "move between spots and buttons"],
  ["Enter, space", "choose"],
  ["Esc", "cancel a choice"],
  ["e", "pass or end the turn"],
  ["h", "hint"],
  ["u", "undo"],
  ["/", "type an action"],
  ["← →", "step through a finished game"],
  ["r", "rules"],
  ["?", "these keys"],
];

async function rules() {
  const names = game ? [game] : (await get("/api/setup")).games.map((one) => one.name);
  const parts = await Promise.all(names.map(async (name) => {
    const answer = await fetch(`/rules/${name}`, { credentials: "same-origin" });
    return answer.text();
  }));
  const box = el("div", { className: "rules" });
  box.innerHTML = parts.join("<hr>"); // trusted: from the packages of the games
  showDialog(box);
}

function keys() {
  const rows = KEYS.map(([key, words]) => el("tr", {}, el("th", {}, key), el("td", {}, words)));
  showDialog(el("div", {}, el("h2", {}, "Keys"), el("table", { className: "keys" }, ...rows)));
}

async function route() {
  leave();
  leave = () => {};
  say("");
  const [, kind, id] = location.hash.split("/");
  const setGame = (name, title) => {
    game = name;
    document.getElementById("heading").textContent = title;
    document.title = title ? `${title} · Towers` : "Towers";
  };
  setGame("", "");
  page.replaceChildren();
  try {
    leave = kind === "game" ? await showGame(page, id, setGame) : await showLobby(page);
  } catch (error) {
    page.replaceChildren(el("p", { className: "box" }, `${error.message}. `, el("a", { href: "#/" }, "All games")));
  }
}

useTheme(firstTheme());
document.getElementById("theme").onclick = () => {
  useTheme(theme() === "dark" ? "light" : "dark");
  window.dispatchEvent(new Event("themechange"));
};
document.getElementById("rules").onclick = rules;
document.getElementById("keys").onclick = keys;
document.addEventListener("keydown", (event) => {
  if (typing(event)) return;
  if (event.key === "r") rules();
  if (event.key === "?") keys();
});
window.addEventListener("hashchange", route);
route();
