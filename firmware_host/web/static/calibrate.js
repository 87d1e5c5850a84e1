// The page of `lampion calibrate`: what is asked, the answers, and where on the board it is.
import { drawBoard, make } from "./board.js";
import { html } from "./elements.js";
import { drawLights, drawSigns } from "./lights.js";
import { showLanguages } from "./setup.js";
import { nearest, wayOf } from "./walk.js";
import { connect } from "./wire.js";
import { speak, t } from "./words.js";

const $ = (id) => document.getElementById(id);
const SETTLED = 300; // ms before a new question takes an answer: a second tap was meant for the last

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
    free(true);
  }
}

function free(yes) {
  for (const button of document.querySelectorAll("#answers button, #naming button")) {
    button.setAttribute("aria-disabled", String(!yes));
  }
}

function answer(number) {
  if ($("answers").querySelector("[aria-disabled=true]")) return;
  free(false);
  act("answer", { answer: number });
}

// A place was touched: it is the answer, or a hand goes there on a simulated board.
function touch(place) {
  const named = state.places.indexOf(place);
  if (named >= 0) answer(state.answers.length + named);
  else if (board.hands && drawing.places.get(place).kind !== "edge") act("hand", { place });
}

// ---- what is seen

function redraw() {
  drawing = drawBoard($("board-holder"), board, 0, true);
  lights = drawLights(drawing);
  if (bytes.length) lights.paint(bytes);
  if (!drawing.targets.has(focus)) focus = board.places.find((place) => place.kind === "cell").id;
  for (const [id, element] of drawing.targets) {
    element.tabIndex = id === focus ? 0 : -1;
    element.onclick = () => touch(id);
    element.onfocus = () => go(id);
  }
  drawing.svg.addEventListener("keydown", key);
}

function go(id) {
  drawing.targets.get(focus).tabIndex = -1;
  focus = id;
  drawing.targets.get(id).tabIndex = 0;
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const way = wayOf(event.key, board.shape);
  if (way !== undefined) drawing.targets.get(nearest(drawing, focus, way) ?? focus).focus();
  else if (event.key === "Enter" || event.key === " ") touch(focus);
  else return;
  event.preventDefault();
}

function show() {
  const lines = state.question ? [state.question, ...state.says] : state.says;
  const said = lines.join("\n");
  if ($("says").dataset.key !== said) { // it is spoken when it changes, and only then
    $("says").dataset.key = said;
    $("says").replaceChildren();
    for (const line of lines) html($("says"), "p", {}, line);
  }
  showAnswers();
  document.body.dataset.touch = board.hands || state.places.length ? "on" : "off";
  document.body.dataset.rev = state.rev;
  $("hands").hidden = !board.hands || state.over;
  drawSigns(drawing, state.asked ? { [state.asked]: { word: "WHITE", level: 1 } } : {}, []);
  drawing.layers.men.replaceChildren();
  for (const [id, n] of Object.entries(state.lying)) {
    const { x, y } = drawing.places.get(id);
    make(drawing.layers.men, "circle", { cx: x, cy: y, r: 6, class: "magnet" });
    if (n > 1) {
      const count = make(drawing.layers.men, "g", { class: "count", transform: `translate(${x} ${y})` });
      make(count, "text", { y: 2 }, String(n));
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
  free(false);
  clearTimeout(settling);
  settling = setTimeout(() => free(true), SETTLED);
}

// Name each place, and say what is there, for those who do not see it.
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
    board.names = true;
    for (const place of board.places) Object.assign(place, { name: place.id, game: true });
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
