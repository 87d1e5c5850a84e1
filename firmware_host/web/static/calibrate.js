// The page of `lampion calibrate`: the question, its answers, and the place on the board.
import { drawBoard } from "./board.js";
import { html, svg } from "./elements.js";
import { directionOf, nearest, wholeBoard } from "./geometry.js";
import { drawLights, drawSigns } from "./lights.js";
import { showLanguages } from "./setup.js";
import { connect } from "./wire.js";
import { speak, t } from "./words.js";

const $ = (id) => document.getElementById(id);
const SETTLED_MS = 300; // before a new question takes an answer: a second tap was for the last one

let board = null; // the last `board` message
let state = null; // the last `state` message
let drawing = null; // the SVG
let lights = null; // its painter
let bytes = new Uint8Array(); // the last frame of light
let focus = ""; // the place that the keyboard is at
let settling = 0;

async function act(type, fields) {
  try {
    await wire.send(type, { rev: state.rev, ...fields });
    $("refused").textContent = "";
  } catch (error) {
    $("refused").textContent = error.message || t("Not sent: there was no connection to the board.");
    enable(true);
  }
}

function enable(yes) {
  for (const button of document.querySelectorAll("#answers button, #naming button")) {
    button.setAttribute("aria-disabled", String(!yes));
  }
}

function answer(number) {
  if ($("answers").querySelector("[aria-disabled=true]")) return;
  enable(false);
  act("answer", { answer: number });
}

// A place was touched: it is the answer, or a hand reaches there on a simulated board.
function touch(place) {
  const named = state.places.indexOf(place);
  if (named >= 0) answer(state.answers.length + named);
  else if (board.simulated && drawing.places.get(place).kind !== "edge") act("hand", { place });
}

// ---- what is shown

function redraw() {
  drawing = drawBoard($("board-holder"), wholeBoard(board, 0));
  lights = drawLights(drawing);
  if (bytes.length) lights.paint(bytes);
  if (!drawing.targets.has(focus)) focus = board.places.find((place) => place.kind === "cell").id;
  for (const [id, element] of drawing.targets) {
    element.tabIndex = id === focus ? 0 : -1;
    element.onclick = () => touch(id);
    element.onfocus = () => go(id);
  }
  drawing.root.addEventListener("keydown", key);
}

function go(id) {
  drawing.targets.get(focus).tabIndex = -1;
  focus = id;
  drawing.targets.get(id).tabIndex = 0;
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const direction = directionOf(event.key, board.shape);
  if (direction !== undefined) drawing.targets.get(nearest(drawing, focus, direction) ?? focus).focus();
  else if (event.key === "Enter" || event.key === " ") touch(focus);
  else return;
  event.preventDefault();
}

function show() {
  const lines = state.question ? [state.question, ...state.messages] : state.messages;
  const said = lines.join("\n");
  if ($("says").dataset.key !== said) { // it is read out when it changes, and only then
    $("says").dataset.key = said;
    $("says").replaceChildren();
    for (const line of lines) html($("says"), "p", {}, line);
  }
  showAnswers();
  document.body.dataset.touch = board.simulated || state.places.length ? "on" : "off";
  document.body.dataset.rev = state.rev;
  $("hands").hidden = !board.simulated || state.over;
  drawSigns(drawing, state.asked ? { [state.asked]: { signal: "WHITE", level: 1 } } : {}, []);
  drawing.layers.pieces.replaceChildren();
  for (const [id, n] of Object.entries(state.lying)) {
    const { x, y } = drawing.places.get(id);
    svg(drawing.layers.pieces, "circle", { cx: x, cy: y, r: 6, class: "magnet" });
    if (n > 1) {
      const count = svg(drawing.layers.pieces, "g", { class: "count", transform: `translate(${x} ${y})` });
      svg(count, "text", { y: 2 }, String(n));
    }
  }
  label();
}

function showAnswers() {
  const texts = state.answers.join("\n");
  if ($("answers").dataset.key !== texts) {
    const had = $("answers").contains(document.activeElement);
    $("answers").dataset.key = texts;
    $("answers").replaceChildren();
    state.answers.forEach((text, number) => {
      html($("answers"), "button", { type: "button", onclick: () => answer(number) }, text);
    });
    if (had) $("answers").firstChild?.focus();
  }
  $("naming").hidden = !state.places.length;
  $("named").replaceChildren();
  for (const place of state.places) html($("named"), "option", {}, place);
  enable(false);
  clearTimeout(settling);
  settling = setTimeout(() => enable(true), SETTLED_MS);
}

// Label each place with what is there, for screen readers.
function label() {
  const lit = new Set(board.leds.filter((_, n) => bytes[3 * n] || bytes[3 * n + 1] || bytes[3 * n + 2])
    .map(([, , id]) => id));
  for (const [id, element] of drawing.targets) {
    const parts = [id];
    if (id === state.asked) parts.push(t("this place is asked for"));
    if (lit.has(id)) parts.push(t("lit"));
    if (state.lying[id]) parts.push(t("a magnet lies there"));
    const text = parts.join(", ");
    if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
    element.classList.toggle("asked", id === state.asked);
  }
}

function linked(up) {
  document.body.dataset.link = up ? "up" : "down";
  $("lost").hidden = up || Boolean(state?.over);
  $("link-text").textContent = up ? t("connected") : t("not connected");
}

const wire = connect({
  up() {},
  board(message) {
    board = message;
    speak(board.language, board.strings);
    board.lights_are_targets = true;
    for (const place of board.places) Object.assign(place, { name: place.id, in_game: true });
    document.title = `${t("How the board is wired")} – Lampion`;
    $("refused").textContent = "";
    showLanguages(board, (language) => {
      localStorage.setItem("language", language);
      act("language", { language });
    });
    redraw();
    linked(true);
  },
  state(message) {
    state = message;
    show();
  },
  light(message) {
    bytes = message;
    lights?.paint(bytes);
    if (state) label();
  },
  down(reason) {
    linked(false);
    $("lost-text").textContent = reason || t("The page comes back by itself when the board answers.");
  },
  refused() {},
});

$("reconnect").onclick = () => wire.retry();
$("naming").onsubmit = (event) => {
  event.preventDefault();
  touch($("named").value);
};
