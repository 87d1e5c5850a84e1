// The settings of a page: its language, how it looks, its keys, and the links for others.
import { html } from "./elements.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Offer the full screen, and keep the screen awake while `wanted()`; the result looks whether it is. */
export function watchScreen(wanted) {
  const full = $("full");
  full.hidden = !document.fullscreenEnabled;
  full.onclick = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  let lock = null;
  const keep = async () => {
    if (!navigator.wakeLock || document.hidden || Boolean(lock) === wanted()) return;
    const old = lock;
    lock = null;
    try {
      if (old) await old.release();
      else {
        lock = await navigator.wakeLock.request("screen");
        lock.addEventListener("release", () => { lock = null; });
      }
    } catch { /* the device saves its battery */ }
  };
  document.addEventListener("visibilitychange", keep);
  document.addEventListener("pointerup", keep);
  addEventListener("hashchange", keep);
  return keep;
}

let fields = 0;
// Make a labelled field of a form. It has no name, so it cannot be confused with another.
export function field(parent, tag, label, about = "") {
  fields += 1;
  const wrap = html(parent, "div", { className: "field" });
  const id = `field-${fields}`;
  html(wrap, "label", { htmlFor: id }, label);
  const input = html(wrap, tag, { id });
  if (about) {
    html(wrap, "p", { id: `${id}-about`, className: "about" }, about);
    input.setAttribute("aria-describedby", `${id}-about`);
  }
  return input;
}

// Show the languages, in their own names.
export function showLanguages(board, change) {
  const select = $("language");
  select.replaceChildren();
  for (const [code, name] of Object.entries(board.languages)) {
    html(select, "option", { value: code, lang: code }, name);
  }
  select.value = board.language;
  select.onchange = () => change(select.value);
}

// Let people choose theme, room, signs and letters. The browser remembers them, because they only
// concern how the page looks. `rotate()` rotates the board.
export function watchView(rotate) {
  const light = document.getElementById("light");
  const theme = localStorage.getItem("theme") ?? "";
  const lightRoom = (wanted) => { light.media = { dark: "not all", light: "all" }[wanted] ?? "(prefers-color-scheme: light)"; };
  lightRoom(theme);
  for (const radio of document.querySelectorAll("[name=theme]")) {
    radio.checked = radio.value === theme;
    radio.onchange = () => {
      localStorage.setItem("theme", radio.value);
      lightRoom(radio.value);
    };
  }
  const { body } = document;
  const keep = (name, value) => { localStorage.setItem(name, value); body.dataset[name] = value; };
  for (const name of ["room", "signs", "letters"]) {
    const stored = localStorage.getItem(name);
    if (stored) body.dataset[name] = stored;
  }
  for (const radio of document.querySelectorAll("[name=room]")) {
    radio.checked = radio.value === body.dataset.room;
    radio.onchange = () => keep("room", radio.value);
  }
  for (const name of ["signs", "letters"]) {
    $(name).checked = body.dataset[name] === "on";
    $(name).onchange = () => keep(name, $(name).checked ? "on" : "off");
  }
  $("rotate").onclick = rotate;
}

// Let people choose reduced motion; the default is what the system asks for.
export function watchMotion(change) {
  const box = $("still");
  const system = matchMedia("(prefers-reduced-motion: reduce)");
  const stored = localStorage.getItem("still");
  box.checked = stored ? stored === "on" : system.matches;
  box.onchange = () => {
    localStorage.setItem("still", box.checked ? "on" : "off");
    change(box.checked);
  };
  system.addEventListener("change", () => {
    if (localStorage.getItem("still")) return;
    box.checked = system.matches;
    change(box.checked);
  });
}

// Show which keys there are.
export function showKeys(board) {
  const keys = $("keys");
  keys.replaceChildren();
  const byHands = [
    [t("Enter, Space"), t("lift or put")], ["Esc", t("put back")], ["F", t("turn over")],
    ["R", t("turn round")], ["B", t("beside the board")],
  ];
  const rows = [
    [board.shape === "hex" ? "← → ↑ ↓ Q W A D Z X" : "← → ↑ ↓", t("go from place to place")],
    ...(board.simulated ? byHands : []), ["U", t("take back")], ["H", t("hint")], ["Y N", t("answer yes or no")],
    ...(board.has_dice ? [["T, 1–6", t("throw the die; it shows that number")]] : []),
    ["/", board.simulated ? t("make a move in notation") : t("report a move in notation")],
    ["[ Home", t("look at an earlier move")], ["V", t("turn the board")], ["M", t("sound on or off")], ["?", t("these keys")],
  ];
  for (const [name, text] of rows) {
    html(keys, "dt", {}, name);
    html(keys, "dd", {}, text);
  }
}
