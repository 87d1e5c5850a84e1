// Everything beside the game itself: languages, the view, broken hardware, links.
import { html } from "./elements.js";
import { GRADES, SIGNS } from "./lights.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

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

// Let people choose room, signs and letters. The browser remembers them, because they only concern
// how the page looks. `rotate()` rotates the board.
export function watchView(rotate) {
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

// Show what each colour of light means, and which keys there are.
export function showLegend(board) {
  const signals = [
    ["WHITE", "WHITE", t("from here; put it back here")], ["WHITE", "along", t("goes along")],
    ["BLUE", "BLUE", t("you may put it here")], ["RED", "RED", t("take off the piece here")],
    ["YELLOW", "YELLOW", t("attention; choose")], ["YELLOW", "attacks", t("a danger comes from here")],
    ["YELLOW", "pip", t("the number thrown")], ["TEAL", "TEAL", t("advice; accepted")],
    ["WHITE", "turn", t("whose turn it is")],
  ];
  const legend = $("legend");
  legend.replaceChildren();
  for (const [signal, sign, text] of signals) {
    html(legend, "dt", { className: `sign-${signal}` }, SIGNS[sign]);
    html(legend, "dd", {}, text);
  }
  const grades = [["best", t("best")], ["doubtful", t("doubtful")], ["losing", t("losing")]];
  for (const [grade, text] of grades) {
    html(legend, "dt", { className: "sign-BLUE" }, SIGNS.BLUE + GRADES[grade]);
    html(legend, "dd", {}, text);
  }
  const keys = $("keys");
  keys.replaceChildren();
  const byHands = [
    [t("Enter, Space"), t("lift or put")], ["Esc", t("put back")], ["F", t("turn over")],
    ["R", t("turn round")], ["B", t("into the box")],
  ];
  const rows = [
    [board.shape === "hex" ? "← → ↑ ↓ Q W A D Z X" : "← → ↑ ↓", t("go from place to place")],
    ...(board.simulated ? byHands : []), ["U", t("take back")], ["H", t("hint")],
    ["/", board.simulated ? t("make a move in notation") : t("report a move in notation")],
  ];
  for (const [name, text] of rows) {
    html(keys, "dt", {}, name);
    html(keys, "dd", {}, text);
  }
}

// Show the ways to break the simulated hardware.
export function showFaults(world, act) {
  const form = $("fault-form");
  form.replaceChildren();
  const kinds = {
    stuck_on: t("a sensor stuck on"), stuck_off: t("a sensor stuck off"),
    bounce: t("a contact that bounces"), wire: t("a sensor's wire cut"),
    missing: t("a chip pulled off the bus"), back: t("a chip put back"),
    reset: t("a chip that lost its settings"), silent: t("a chip that does not answer"),
    chain: t("the chain of lights cut ahead of a pixel"), interrupt: t("interrupts that are missed"),
  };
  const kind = field(form, "select", t("Fault"));
  for (const [value, name] of Object.entries(kinds)) html(kind, "option", { value }, name);
  const place = field(form, "select", t("Place"));
  for (const each of world.board.places) {
    if (each.kind !== "edge") html(place, "option", { value: each.id }, each.label);
  }
  place.value = world.focus;
  const chip = field(form, "select", t("Chip"));
  for (const each of world.board.chips) html(chip, "option", { value: each }, `0x${each.toString(16)}`);
  const count = field(form, "input", t("How many"));
  Object.assign(count, { type: "number", min: 0, max: 1000, value: 5 });
  const show = () => {
    const needed = (input, ...names) => { // a hidden field must not keep the form from being sent
      input.disabled = input.parentElement.hidden = !names.includes(kind.value);
    };
    needed(place, "stuck_on", "stuck_off", "bounce", "wire");
    needed(chip, "missing", "back", "reset", "silent");
    needed(count, "bounce", "silent", "chain", "interrupt");
    count.min = Number(["bounce", "interrupt"].includes(kind.value));
  };
  kind.onchange = show;
  show();
  const row = html(form, "div", { className: "row" });
  const send = (fault) => act("fault", {
    fault, place: place.value, chip: Number(chip.value), count: Number(count.value),
  });
  html(row, "button", {}, t("Let it happen"));
  form.onsubmit = (event) => { event.preventDefault(); send(kind.value); };
  html(row, "button", { type: "button" }, t("Repair everything")).onclick = () => send("none");
}

// Show what the board reports as broken.
export function showFaultList(state) {
  const holder = $("fault-list");
  const lines = [...new Set([...state.faults, ...state.injected_faults])];
  const key = JSON.stringify([lines, state.past_faults]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  for (const line of lines) html(holder, "li", {}, line);
  if (!lines.length) html(holder, "li", { className: "nothing" }, t("Everything works."));
  $("fault-past").replaceChildren();
  for (const line of state.past_faults) html($("fault-past"), "li", { className: "nothing" }, line);
  if (state.faults.length) $("faults").open = true;
}

// Show the links by which other devices join, one for each role; only the host gets them. The result
// shows them in the present language; call it when the board or its language has changed.
export function showLinks(world) {
  const details = document.getElementById("links-panel");

  async function show() {
    details.hidden = !world.board.shared;
    if (!details.open || details.hidden) return;
    try {
      const answer = await fetch(`/api/links?lang=${world.board.language}${world.token("&")}`);
      const links = answer.ok ? await answer.json() : [];
      const list = document.getElementById("links");
      list.replaceChildren();
      for (const { recipient, url } of links) {
        const item = html(list, "li");
        html(item, "span", {}, `${recipient}: `);
        html(item, "code", {}, url);
      }
    } catch { /* the lost connection is shown elsewhere */ }
  }

  details.addEventListener("toggle", show);
  return show;
}
