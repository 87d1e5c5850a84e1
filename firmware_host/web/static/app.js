// The page: keeps the last messages of the board, and lets each part draw its share of them.
import { drawBoard } from "./board.js";
import { showChooser } from "./chooser.js";
import { handsAt } from "./hands.js";
import { lessonsAt } from "./lessons.js";
import { buildersAt } from "./builders.js";
import { drawLights, drawSigns } from "./lights.js";
import {
  labelPlaces, pieceName, replaceText, showBox, showButtons, showClock, showDice, showHands, showMessages,
  showPlies, showQuestion, showSavedMatches, showSeats,
} from "./panel.js";
import { drawPieces, drawUnknown, loadDrawings } from "./pieces.js";
import { showRules } from "./rules.js";
import { showKeys, showLanguages, showLinks, watchMotion, watchView } from "./setup.js";
import { routerOf } from "./router.js";
import { tourOf } from "./tour.js";
import { connect, token } from "./wire.js";
import { speak, t } from "./words.js";

const $ = (id) => document.getElementById(id);

const world = {
  board: null, // the last `board` message
  state: null, // the last `state` message
  drawing: null, // the SVG
  lights: null, // its painter
  pieces: new Map(), // the elements of the pieces
  focus: "", // the place that the keyboard is at
  rotation: null, // degrees by which the player rotated the board; null: as the game wants it
  token(mark) {
    return token ? `${mark}token=${encodeURIComponent(token)}` : "";
  },
};
const PARTS = ["says", "question", "seats", "plies", "dice", "box"];

let refused = null; // why the last command was refused; "" if it was not even sent

// Send a command; a refusal is shown with its reason. The promise says whether it was done. A command
// is based on what the page shows now, unless `fields` has another `rev`.
async function act(type, fields) {
  try {
    await wire.send(type, { rev: world.state?.rev ?? 0, ...fields });
    refused = null;
    $("refused").textContent = "";
    if (type !== "motion") tour.acted(); // the page sends that one by itself
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
const lessons = lessonsAt(world, act, () => router.go("play"));
const rules = showRules(world);
const tour = tourOf(world, () => hands.focus(world.focus));
const links = showLinks(world);
const chooser = showChooser(world, act, leave, () => router.go("play"));
const builders = buildersAt(world, act);
const router = routerOf({
  home: chooser,
  play: { show, opened: () => world.drawing && redraw() },
  games: {},
  review: {},
  learn: lessons,
  builders,
}, firstView);

// Return the view of an address that names none: the match in progress, else the choice of a game.
function firstView(state) {
  const { role, simulated } = world.board;
  const begun = state.plies.length || state.dice.length || state.saved_matches.length || state.lesson;
  return role.name !== "host" || !simulated || (begun && !state.outcome) ? "play" : "home";
}

function redraw() {
  const { board } = world;
  const hadFocus = $("board")?.contains(document.activeElement);
  world.drawing = drawBoard($("board-holder"), board, world.rotation ?? board.rotation, wantsWhole());
  world.pieces = new Map();
  world.lights = drawLights(world.drawing);
  hands.attach();
  if (hadFocus) hands.focus(world.focus);
  if (world.bytes) world.lights.paint(world.bytes);
  if (world.state) show();
}

// Whether the whole board is drawn: as chosen, or because a piece stands where the game has no place.
function wantsWhole() {
  const used = (id) => world.board.places.find((place) => place.id === id)?.in_game ?? true;
  const { pieces = [], unknown_pieces: unknown = [] } = world.state ?? {};
  return $("whole").checked || [...pieces.map((piece) => piece.place || piece.from), ...unknown].some((id) => !used(id));
}

async function loadPieces() {
  const fresh = await loadDrawings(world.board);
  const letters = document.querySelector(`#drawings [id^="${world.board.game}-"] .letter`);
  $("letters").closest("label").hidden = !letters;
  if (fresh && world.state) drawPieces(world.drawing, world.pieces, world.state);
}

function show() {
  const { drawing, state } = world;
  drawPieces(drawing, world.pieces, state);
  drawUnknown(drawing, state.unknown_pieces);
  drawSigns(drawing, state.lights, state.repair_plan);
  labelPlaces(world);
  hands.drawGhost();
  showMessages(state);
  showQuestion(state, act);
  showButtons(state);
  showSavedMatches(state, act);
  lessons.now(state);
  showSeats(world, act, confirm);
  showClock(world.state);
  showHands(state, act);
  showPlies(world);
  showDice(state, act);
  showBox(world, hands.lift);
  const mine = hands.held();
  $("hand").classList.toggle("empty", !mine); // it keeps its room, so that nothing jumps in a drag
  $("hand-turn").hidden = !mine?.owner; // a piece without an owner looks the same from all sides
  $("rematch").disabled = !hasStarted() && !state.outcome;
  offerRules(mine);
  tour.follow(state);
  if (mine) $("hand-piece").textContent = t("In your hand: {piece}", { piece: pieceName(world, mine) });
}

// Offer to show how the piece in the hand moves, if the rules have a picture of that.
async function offerRules(mine) {
  const button = $("hand-rules");
  if (mine?.face === button.dataset.kind) return;
  button.dataset.kind = mine?.face ?? "";
  const known = Boolean(mine) && await rules.knows(mine.face);
  if (button.dataset.kind === (mine?.face ?? "")) button.hidden = !known;
}

let asked = () => ""; // what the dialog asks, in the present language

// Ask before something is done. `question` returns the sentence in the present language; `then` gets
// the revision that was shown at the time of the question.
function confirm(question, then) {
  const dialog = $("confirm");
  const { rev } = world.state;
  asked = question;
  $("confirm-text").textContent = asked();
  dialog.onclose = () => { if (dialog.returnValue === "yes") then(rev); };
  dialog.returnValue = "";
  dialog.showModal();
}

// Ask before a match in play is left.
function leave(then) {
  const { outcome, rev } = world.state;
  if (outcome || !hasStarted()) then(rev);
  else confirm(() => t("A match is in progress. Start another one? This match is kept."), then);
}

function hasStarted() {
  return Boolean(world.state.plies.length || world.state.dice.length);
}

const wire = connect({
  up() {
    if ($("still").checked) act("motion", { reduced: true, rev: 0 });
  },
  async board(board) {
    if (world.board?.game !== board.game) world.rotation = null;
    world.board = board;
    speak(board.language, board.strings);
    // The parts remember what they have drawn, but not in which language.
    for (const id of PARTS) delete $(id).dataset.key;
    if (refused === "") refuse("");
    else if (refused && board.refused) refuse(board.refused);
    $("confirm-text").textContent = asked();
    $("title").textContent = $("here").textContent = board.title;
    document.title = `${board.title} – Lampion`;
    document.body.dataset.game = board.game;
    document.body.dataset.role = board.role.name;
    replaceText($("role"), board.role.text);
    $("save").href = `/api/recording${world.token("?")}`;
    $("save-game").href = `/api/game${world.token("?")}`;
    showLanguages(board, (language) => {
      localStorage.setItem("language", language);
      // Not with `act`: a refusal stays, in the other language.
      wire.send("language", { language, rev: world.state?.rev ?? 0 }).catch(({ message }) => refuse(message));
    });
    for (const each of document.querySelectorAll("[data-by]")) each.hidden = (each.dataset.by === "hands") !== board.simulated;
    showKeys(board);
    redraw();
    loadPieces();
    linked(true); // only now: redrawing the board ends a drag
    builders.drawAgain();
    chooser.drawAgain();
    links();
    lessons.fetchAgain();
    rules.redraw();
    tour.welcome();
  },
  state(state) {
    world.state = state;
    if (world.drawing && world.drawing.whole !== wantsWhole()) redraw();
    router.show(state);
    document.body.dataset.moving = state.hands_moving;
    document.body.dataset.rev = state.rev;
    document.body.dataset.table = state.table_rev;
  },
  light(bytes) {
    world.bytes = bytes;
    world.lights?.paint(bytes);
    builders.light(bytes);
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

// ---- what is set up once

$("whole").checked = localStorage.getItem("whole") === "on";
$("whole").onchange = () => {
  localStorage.setItem("whole", $("whole").checked ? "on" : "off");
  redraw();
};
watchMotion((reduced) => act("motion", { reduced, rev: 0 }));
watchView(() => {
  world.rotation = ((world.rotation ?? world.board.rotation) - 90) % 360;
  redraw();
});
for (const name of ["settings", "menu"]) $(`${name}-open`).onclick = () => $(name).showModal();
$("full").hidden = !document.fullscreenEnabled;
$("full").onclick = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
$("skip").onclick = (event) => {
  event.preventDefault();
  hands.focus(world.focus);
};
$("reconnect").onclick = () => wire.retry();
$("hand-flip").onclick = hands.flip;
$("hand-turn").onclick = hands.turn;
$("hand-back").onclick = hands.back;
$("hand-box").onclick = hands.box;
$("hand-rules").onclick = () => rules.open(hands.held()?.face);
for (const button of document.querySelectorAll("[data-press]")) {
  button.onclick = () => act("press", { button: button.dataset.press });
}
$("command").onsubmit = async (event) => {
  event.preventDefault();
  const input = $("command-text");
  const type = world.board.simulated ? "play" : "report"; // people move the pieces of a real board
  if (await act(type, { move: input.value.trim() })) input.value = "";
};
$("played").onclick = async () => {
  const input = $("command-text");
  if (await act("report", { move: input.value.trim() })) input.value = "";
};
$("rematch").onclick = () => leave((rev) => act("match", { rev }));
$("tidy").onclick = $("repair-by-hands").onclick = () => act("setup", { rev: world.state.table_rev });

// Without this a browser leaves the page for a file that is dropped on it.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) refuse(t("This page takes no files. Play a recording with the command “lampion replay” and its name."));
});

// Single letters work only at the board or if nothing has the focus, never while typing.
document.addEventListener("keydown", (event) => {
  const free = document.activeElement === document.body
    || $("board")?.contains(document.activeElement);
  if (!free || event.ctrlKey || event.metaKey || event.altKey || !world.state) return;
  const press = { u: "back", h: "hint" }[event.key.toLowerCase()];
  if (press && world.state.allowed.includes(press)) act("press", { button: press });
  else if (event.key === "/") $("command-text").focus();
  else return;
  event.preventDefault();
});
