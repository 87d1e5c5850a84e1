// The page: keeps the last messages of the board, and lets the open view draw its share of them.
import { buildersAt } from "./builders.js";
import { address } from "./elements.js";
import { gamesAt } from "./games.js";
import { homeAt } from "./home.js";
import { invitationsAt } from "./invitations.js";
import { watchKeys } from "./keys.js";
import { lessonsAt } from "./lessons.js";
import { puzzlesAt } from "./puzzles.js";
import { playAt } from "./play.js";
import { reviewAt } from "./review.js";
import { routerOf } from "./router.js";
import { showRules } from "./rules.js";
import { showKeys, showLanguages, watchMotion, watchScreen, watchView } from "./setup.js";
import { beginShown, shown } from "./shown.js";
import { play as sound, watchSound } from "./sound.js";
import { speechAt } from "./speech.js";
import { tourOf } from "./tour.js";
import { replaceText } from "./turn.js";
import { connect, token } from "./wire.js";
import { speak, t } from "./words.js";

const $ = (id) => document.getElementById(id);

/**
 * What all views share.
 * @property {object} board the last `board` message
 * @property {object} state the last `state` message
 * @property {object} drawing the drawn board of the match
 */
const world = {
  board: null,
  state: null,
  drawing: null,
  lights: null, // the painter of its lights
  bytes: null, // the last frame of light
  pieces: new Map(), // the elements of the pieces
  focus: "", // the place that the keyboard is at
  rotation: null, // degrees by which the player rotated the board; null: as the game wants it
  token(mark) {
    return token ? `${mark}token=${encodeURIComponent(token)}` : "";
  },
};

let refused = null; // why the last command was refused; "" if it was not even sent

// Send a command; a refusal is shown with its reason. The promise says whether it was done. A command
// is based on what the page shows now, unless `fields` has another `rev`.
async function act(type, fields) {
  try {
    await wire.send(type, { rev: world.state?.rev ?? 0, ...fields });
    refused = null;
    showRefusal("");
    if (type !== "motion") tour.acted(); // the page sends that one by itself
    return true;
  } catch (error) {
    refuse(error.message);
    return false;
  }
}

function refuse(reason) {
  refused = reason;
  showRefusal(reason || t("Not sent: there was no connection to the board."));
  sound("refused");
}

function showRefusal(text) {
  $("refused").textContent = text;
  $("command-refused").textContent = $("say").open ? text : "";
}

beginShown();
const rules = showRules(world);
const invitations = invitationsAt(world);
const speech = speechAt(world, $("speech"));
const lessons = lessonsAt(world, act, () => router.go("play"));
const puzzles = puzzlesAt(world, lessons.begin);
const home = homeAt(world, act, leave, (name) => router.go(name), lessons.begin);
const builders = buildersAt(world, act);
const play = playAt(world, act, {
  confirm, leave, rules, lessons, go: (...where) => router.go(...where), look: lookAt, tour: () => tour,
});
const { hands } = play;

// Look at the match in play after a move, or after its last one.
function lookAt(at = null) {
  review.lookAtMatch(at).catch(() => {}); // the lost connection is shown elsewhere
}
const tour = tourOf(world, () => hands.focus(world.focus), () => router.go("play"));
const review = reviewAt(world, act, leave, (...where) => router.go(...where));
const games = gamesAt(world, act, leave, (...where) => router.go(...where));
const router = routerOf({ home, play, games, review, learn: { opened: drawLearn }, builders }, firstView);

function drawLearn() {
  lessons.fetchAgain();
  puzzles.fetchAgain();
}

// Return the view of an address that names none: the match in progress, else the choice of a game.
function firstView(state) {
  const { role } = world.board;
  const begun = state.plies.length || state.dice.length || state.saved_matches.length || state.lesson || state.review;
  return role.name !== "host" || (begun && !state.outcome) ? "play" : "home";
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
  const { outcome, review: past, rev } = world.state;
  if (outcome || past || !play.begun()) then(rev);
  else confirm(() => t("A match is in progress. Start another one? This match is kept."), then);
}

// ---- what the board sends

const wire = connect({
  up() {
    if ($("still").checked) act("motion", { reduced: true, rev: 0 });
  },
  async board(board) {
    if (world.board?.game !== board.game) world.rotation = null;
    world.board = board;
    speak(board.language, board.strings);
    if (refused === "") refuse("");
    else if (refused && board.refused) refuse(board.refused);
    $("confirm-text").textContent = asked();
    $("title").textContent = $("here").textContent = board.title;
    document.body.dataset.game = board.game;
    document.body.dataset.role = board.role.name;
    $("switch-off").hidden = !board.may_switch_off;
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
    play.board();
    linked(true); // only now: redrawing the board ends a drag
    builders.drawAgain();
    home.drawAgain();
    games.drawAgain();
    review.drawAgain();
    invitations();
    speech.show();
    drawLearn();
    rules.redraw();
    if (router.at === "play" && !shown) tour.welcome();
  },
  state(state) {
    world.state = state;
    const first = router.at === "";
    play.hear(state);
    router.show(state);
    if (first && router.at === "play" && !shown) tour.welcome();
    if (shown) awake();
    else speech.hear(state);
    showHands(state);
    showTitle(state);
    document.body.dataset.moving = state.hands_moving;
    document.body.dataset.rev = state.rev;
    document.body.dataset.table = state.table_rev;
  },
  light(bytes) {
    world.bytes = bytes;
    play.light(bytes);
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
  const { title, simulated } = world.board ?? {};
  const where = simulated ? t("{game}, on this screen", { game: title }) : t("{game}, wooden board", { game: title });
  replaceText($("link-text"), up ? where : t("not connected"));
}

// The title and the icon of the page tell whose turn it is, also behind other windows.
function showTitle(state) {
  document.title = `${state.turn_line} – ${world.board.title}`;
  const icon = state.outcome ? "won" : hands.mayAct() ? "turn" : "lantern";
  const href = address(`${icon}.svg`);
  if ($("favicon").getAttribute("href") !== href) $("favicon").setAttribute("href", href);
}

// Show whether simulated hands make the machine's moves, where a machine plays.
function showHands(state) {
  const box = $("machine-hands");
  const does = state.opponents?.hands_move ?? null;
  const machine = does !== null && state.opponents.player_kinds.some((kind) => kind !== "person");
  box.closest("label").hidden = !machine;
  box.checked = Boolean(does);
  box.onchange = () => act("hands", { on: box.checked, rev: world.state.rev });
}

// ---- what is set up once

$("whole").checked = localStorage.getItem("whole") === "on";
$("whole").onchange = () => {
  localStorage.setItem("whole", $("whole").checked ? "on" : "off");
  play.redraw();
};
function rotate() {
  world.rotation = (world.drawing.rotation - 90) % 360;
  play.redraw();
}
watchMotion((reduced) => act("motion", { reduced, rev: 0 }));
watchView(rotate);
const awake = watchScreen(() => router.at === "play" && Boolean(world.state) && !world.state.outcome);
for (const name of ["settings", "menu"]) $(`${name}-open`).onclick = () => $(name).showModal();
for (const dialog of document.querySelectorAll("dialog")) { // a touch beside a dialog closes it
  dialog.addEventListener("pointerdown", (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const inside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    if (event.target === dialog && !inside) dialog.close();
  });
}
$("skip").onclick = (event) => {
  event.preventDefault();
  hands.focus(world.focus);
};
$("switch-off").onclick = () => {
  $("settings").close();
  confirm(() => t("Switch the board off? The match is kept. Wait ten seconds before you unplug it."), (rev) => act("off", { rev }));
};
$("reconnect").onclick = () => wire.retry();
$("hand-flip").onclick = hands.flip;
$("hand-turn").onclick = hands.turn;
$("hand-back").onclick = () => play.requests.back() || hands.back();
$("hand-box").onclick = $("hand-away").onclick = hands.box;
$("hand-rules").onclick = () => rules.open(hands.held()?.face);

// Press a button of the board. Where hands make the machine's moves, *Take back* goes back to a person's turn.
function press(button) {
  act("press", button === "back" ? { button, to_own_turn: true } : { button });
}

for (const button of document.querySelectorAll("[data-press]")) {
  button.onclick = () => press(button.dataset.press);
}
$("say-open").onclick = sayMove;
function sayMove() {
  $("command-refused").textContent = "";
  $("say").showModal();
  $("command-text").focus();
}
async function say(type) {
  const input = $("command-text");
  if (!await act(type, { move: input.value.trim() })) return;
  input.value = "";
  $("say").close();
}
$("command").onsubmit = (event) => {
  event.preventDefault();
  const { simulated, role } = world.board; // people move the pieces of a real board
  say(simulated ? "play" : role.name === "player" ? "request" : "report");
};
$("ask").onclick = () => say("request");
$("played").onclick = () => say("report");
$("rematch").onclick = () => leave((rev) => act("match", { rev }));
$("tidy").onclick = $("repair-by-hands").onclick = () => act("setup", { rev: world.state.table_rev });

// A game that is dropped on any view goes to those that were played. Without this a browser leaves the
// page for a file.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const files = [...event.dataTransfer.files];
  if (!files.length || world.board?.role.name !== "host") return;
  router.go("games");
  games.take(files);
});

watchKeys(world, {
  hand: (name) => (name === "Escape" && play.requests.back()) || hands.handKey(name),
  answer: play.bubble.answer,
  press,
  throwDie: (number) => world.state.allowed.includes("throw") && world.state.throws.length > 0
    && act("throw", { dice: number ? world.state.throws.find((dice) => dice.length === 1 && dice[0] === number) ?? [number] : [] }),
  say: sayMove,
  step: (name) => {
    const { review: past, plies } = world.state;
    if (past) return play.step(name);
    if (!plies.length || !["[", "Home"].includes(name)) return false;
    lookAt(name === "[" ? plies.length - 1 : 0);
    return true;
  },
  rotate,
  sound: watchSound($("sound")),
  help: () => {
    $("settings").showModal();
    $("help").open = true;
    $("help").querySelector("summary").focus();
  },
}, () => router.at === "play" && !shown);
