// Elements, messages and the theme. Text is inserted as text, never as markup.

export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "dataset") Object.assign(element.dataset, value);
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

let hiding;
export function say(text, isError = true) {
  const box = document.getElementById("message");
  box.textContent = text;
  box.classList.toggle("error", isError);
  box.hidden = !text;
  clearTimeout(hiding);
  if (text) hiding = setTimeout(() => { box.hidden = true; }, 6000);
}

export function theme() {
  return document.documentElement.dataset.theme;
}

export function useTheme(name) {
  document.documentElement.dataset.theme = name;
  try { localStorage.setItem("theme", name); } catch { /* the choice lasts as long as the page */ }
}

export function firstTheme() {
  let known = null;
  try { known = localStorage.getItem("theme"); } catch { /* no storage: as the system has it */ }
  if (known === "light" || known === "dark") return known;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function showDialog(content) {
  document.getElementById("dialog-text").replaceChildren(content);
  const dialog = document.getElementById("dialog");
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

export function typing(event) {
  return event.target.closest?.("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey;
}
