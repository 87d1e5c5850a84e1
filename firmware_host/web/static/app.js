// The page: holds what the board last said, and lets each part draw its share of it.
import { drawBoard } from "./board.js";
import { current, drawLights, drawSigns } from "./lights.js";
import { drawDots, drawMen } from "./men.js";
import { handsAt } from "./hands.js";
import { showKept } from "./kept.js";
import { lessonsAt } from "./lessons.js";
import {
  labelPlaces, manName, replaceText, showBox, showButtons, showDice, showPlies, showQuestion, showSays,
  showClock, showSeats,
} from "./panel.js";
import { showChooser } from "./chooser.js";
import { showRules } from "./rules.js";
import { showHands } from "./company.js";
import {
  showFaultList, showFaults, showLanguages, showLegend, watchStillness, watchView,
} from "./setup.js";
import { tourOf } from "./tour.js";
import { showOthers } from "./others.js";
import { connect, token } from "./wire.js";
import { speak, t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);

const world = {
  board: null, // the last `board` message
  state: null, // the last `state` message
  drawing: null, // the SVG
  lights: null, // its painter
  men: new Map(), // the elements of the men
  focus: "", // the place that the keyboard is at
  turn: null, // degrees by which the player turned the board; null: as the game wants it
  token(mark) {
    return token ? `${mark}token=${encodeURIComponent(token)}` : "";
  },
};
const PARTS = ["says", "question", "seats", "plies", "dice", "box", "fault-list"];
const drawings = new Map(); // by games whose men are in the page already: whether they have letters

let refused = null; // why the last command was; "" if it was not even sent

// Send a command; a refusal is shown with its reason. The promise says whether it was done. What it
// speaks of is what the page shows now, unless `fields` has another `rev`.
async function act(type, fields) {
  try {
    await wire.send(type, { rev: world.state?.rev ?? 0, ...fields });
    refused = null;
    $("refused").textContent = "";
    if (type !== "calm") tour.acted(); // which the page says by itself
    return true;
  } catch (error) {
    refuse(error.message);
    return false;
  }
}

function refuse(reason) {
  refused = reason;
  $("refused").textContent = reason || t("Not sent: there was no connection to the board.");
}

const hands = handsAt(world, act);
const lessons = lessonsAt(world, act);
const rules = showRules(world);
const tour = tourOf(world, () => hands.focus(world.focus));
const others = showOthers(world);
const openChooser = showChooser(world, act, leave);

function redraw() {
  const { board } = world;
  const hadFocus = $("board")?.contains(document.activeElement);
  world.drawing = drawBoard($("board-holder"), board, world.turn ?? board.turn, wantsWhole());
  world.men = new Map();
  world.lights = drawLights(world.drawing);
  hands.attach();
  if (hadFocus) hands.focus(world.focus);
  if (world.bytes) world.lights.paint(world.bytes);
  if (world.state) show();
}

// The whole board, also where a man stands on a place that a close-up has not.
function wantsWhole() {
  const used = (id) => world.board.places.find((place) => place.id === id)?.game ?? true;
  const { men = [], dots = [] } = world.state ?? {};
  return $("whole").checked || [...men.map((man) => man.place || man.from), ...dots].some((id) => !used(id));
}

async function loadMen(game) {
  if (!drawings.has(game)) {
    drawings.set(game, false);
    const answer = await fetch(`/static/pieces/${game}.svg`);
    const drawn = await answer.text();
    drawings.set(game, drawn.includes('class="letter"'));
    $("art").insertAdjacentHTML("beforeend", drawn);
  }
  $("letters").closest("label").hidden = !drawings.get(world.board.game);
}

function show() {
  const { drawing, state } = world;
  drawMen(drawing, world.men, state);
  drawDots(drawing, state.dots);
  drawSigns(drawing, state.lights, state.mend);
  labelPlaces(world);
  hands.drawGhost();
  showSays(state);
  showQuestion(state, act);
  showButtons(state);
  showKept(state, act);
  lessons.show(state);
  showSeats(world, act, confirm);
  showClock(world.state);
  showHands(state, act);
  showPlies(world);
  showDice(state, act);
  showBox(world, hands.liftMan);
  showFaultList(state);
  const mine = hands.held();
  $("hand").classList.toggle("empty", !mine); // it keeps its room: nothing may jump in a drag
  $("hand-turn").hidden = !mine?.owner; // what is nobody's own looks the same from all sides
  $("rematch").disabled = !begun() && !state.outcome;
  offerRules(mine);
  tour.follow(state);
  if (mine) $("hand-man").textContent = t("In your hand: {piece}", { piece: manName(world, mine) });
  document.body.dataset.moving = state.moving;
  document.body.dataset.rev = state.rev;
  document.body.dataset.table = state.table;
}

// Offer to show how the man in the hand moves, where the rules have a picture of that.
async function offerRules(mine) {
  const button = $("hand-rules");
  if (mine?.shows === button.dataset.kind) return;
  button.dataset.kind = mine?.shows ?? "";
  const known = Boolean(mine) && await rules.knows(mine.shows);
  if (button.dataset.kind === (mine?.shows ?? "")) button.hidden = !known;
}

let asked = () => ""; // what the dialog asks, in the language of now

// Ask before something is done: `question` gives the sentence in the language of now, `then` gets
// the revision that was shown when this was asked.
function confirm(question, then) {
  const dialog = $("confirm");
  const { rev } = world.state;
  asked = question;
  $("confirm-text").textContent = asked();
  dialog.onclose = () => { if (dialog.returnValue === "yes") then(rev); };
  dialog.returnValue = "";
  dialog.showModal();
}

// Ask before a match is left that goes on.
function leave(then) {
  const { outcome, rev } = world.state;
  if (outcome || !begun()) then(rev);
  else confirm(() => t("A match is in progress. Start another one? This match is kept."), then);
}

function begun() {
  return Boolean(world.state.plies.length || world.state.dice.length);
}

const wire = connect({
  up() {
    if ($("still").checked) act("calm", { on: true, rev: 0 });
  },
  async board(board) {
    if (world.board?.game !== board.game) world.turn = null;
    world.board = board;
    speak(board.language, board.strings);
    // What each part has drawn is remembered by what it shows, not by the language.
    for (const id of PARTS) delete $(id).dataset.key;
    if (refused === "") refuse("");
    else if (refused && board.refused) refuse(board.refused);
    $("confirm-text").textContent = asked();
    $("title").textContent = board.title;
    document.title = `${board.title} – Lampion`;
    document.body.dataset.game = board.game;
    document.body.dataset.role = board.role.name;
    replaceText($("role"), board.role.says);
    $("save").href = `/api/recording${world.token("?")}`;
    $("save-game").href = `/api/game${world.token("?")}`;
    showLanguages(board, (language) => {
      localStorage.setItem("language", language);
      // Not by `act`: what was refused before stays, in the other language.
      wire.send("language", { language, rev: world.state?.rev ?? 0 }).catch(({ message }) => refuse(message));
    });
    for (const each of document.querySelectorAll("[data-by]")) each.hidden = (each.dataset.by === "hands") !== board.hands;
    $("broken").hidden = board.hands && board.role.name === "host";
    showLegend(board);
    loadMen(board.game);
    redraw();
    linked(true); // not before: what is drawn anew under the hands slips out of them
    if (board.hands) showFaults(world, act);
    openChooser();
    others();
    lessons.fetchAgain();
    rules.redraw();
    tour.welcome();
  },
  state(state) {
    world.state = state;
    if (world.drawing && world.drawing.whole !== wantsWhole()) redraw();
    else if (world.drawing) show();
  },
  light(bytes) {
    world.bytes = bytes;
    world.lights?.paint(bytes);
    $("power").textContent = tn("About {n} mA for the lights", "About {n} mA for the lights", current(bytes));
  },
  down(reason) {
    linked(false);
    replaceText($("lost-text"), reason || t("The page comes back by itself when the board answers."));
  },
  refused: refuse,
});

function linked(up) {
  document.body.dataset.link = up ? "up" : "down";
  $("lost").hidden = up;
  replaceText($("link-text"), up ? t("connected") : t("not connected"));
}

// ---- what is there once and for all

const wide = localStorage.getItem("whole");
$("whole").checked = wide ? wide === "on" : !matchMedia("(max-width: 62rem)").matches;
$("whole").onchange = () => {
  localStorage.setItem("whole", $("whole").checked ? "on" : "off");
  redraw();
};
watchStillness((on) => act("calm", { on, rev: 0 }));
watchView(() => {
  world.turn = (((world.turn ?? world.board.turn) - 90) % 360);
  redraw();
});
$("reconnect").onclick = () => wire.retry();
$("hand-flip").onclick = hands.flip;
$("hand-turn").onclick = hands.turn;
$("hand-back").onclick = hands.back;
$("hand-box").onclick = hands.box;
$("hand-rules").onclick = () => rules.open(hands.held()?.shows);
for (const button of document.querySelectorAll("[data-press]")) {
  button.onclick = () => act("press", { button: button.dataset.press });
}
$("command").onsubmit = async (event) => {
  event.preventDefault();
  const input = $("command-text");
  const type = world.board.hands ? "play" : "name"; // the men of a real board are moved by people
  if (await act(type, { move: input.value.trim() })) input.value = "";
};
$("played").onclick = async () => {
  const input = $("command-text");
  if (await act("name", { move: input.value.trim() })) input.value = "";
};
$("rematch").onclick = () => leave((rev) => act("match", { rev }));
$("tidy").onclick = $("mend").onclick = () => act("setup", { rev: world.state.table });

// A browser would leave the board for a file that is dropped on its page.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) refuse(t("This page takes no files. Play a recording with the command “lampion replay” and its name."));
});

// Single letters work only at the board or where nothing has the focus, never while typing.
document.addEventListener("keydown", (event) => {
  const free = document.activeElement === document.body
    || $("board")?.contains(document.activeElement);
  if (!free || event.ctrlKey || event.metaKey || event.altKey || !world.state) return;
  const press = { u: "back", h: "hint" }[event.key.toLowerCase()];
  if (press && world.state.may.includes(press)) act("press", { button: press });
  else if (event.key === "/") $("command-text").focus();
  else return;
  event.preventDefault();
});
