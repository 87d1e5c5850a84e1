// The panel beside the board: what it says and asks, the players, the moves, the dice, the box.
import { html } from "./elements.js";
import { t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);
const REST_MS = 300; // a message that changes sooner is not read out

// Return the meaning of a light, for screen readers.
function meaning(name) {
  return {
    along: t("goes along"), attacks: t("a danger comes from here"), last: t("the last move"),
    pip: t("the number thrown"), turn: t("whose turn it is"),
    best: t("best"), fine: t("fine"), doubtful: t("doubtful"), losing: t("losing"),
    WHITE: t("from here"), BLUE: t("you may put it here"), RED: t("take off the piece here"),
    YELLOW: t("attention"), TEAL: t("advice"),
  }[name];
}

// Return the name of a piece: its kind and, where the kind does not imply it, its owner.
export function pieceName({ board }, piece) {
  const kind = board.kinds[piece.face] || t("a piece face down");
  const seat = board.seats.find((each) => each.name === piece.owner);
  return seat && !board.single_owner_kinds.includes(piece.face) ? t("{kind} of {seat}", { kind, seat: seat.label }) : kind;
}

// Return the name of the player of a seat, or else the seat's.
function playerName(world, index) {
  return world.state.player_names?.[index] || world.board.seats[index]?.label || "";
}

// Show a move in words, with its notation beside it.
function showMove(parent, move) {
  const holder = html(parent, "span", { className: "in-words" });
  if (move.sentence) {
    html(holder, "span", { className: "words" }, move.sentence);
    holder.append(" ");
  }
  html(holder, "span", { className: "move" }, move.text);
}

// Give every place its label for screen readers.
export function labelPlaces(world) {
  const { drawing, state } = world;
  for (const [id, element] of drawing.targets) {
    const place = drawing.places.get(id);
    const parts = [place.label];
    const stack = state.pieces.filter((piece) => piece.place === id);
    const top = stack.at(-1);
    const named = top && isExpected(place, top); // the label of the tray says already what it is
    if (top && !named) parts.push(pieceName(world, top));
    if (top?.missing) parts.push(t("not seen there"));
    if (state.unknown_pieces.includes(id)) parts.push(t("an unknown piece"));
    if (place.expected_kind && !top) parts.push(t("empty"));
    if (named || stack.length > 1) parts.push(tn("{n} piece", "{n} pieces", stack.length));
    const light = state.lights[id];
    if (light && (light.level >= 0.3 || light.grade)) {
      parts.push(meaning(light.role || light.signal));
      if (light.grade) parts.push(meaning(light.grade));
      if (light.second_signal && !(light.grade && light.second_signal === "TEAL")) parts.push(meaning(light.second_signal));
    }
    if (state.to_fill.includes(id)) parts.push(t("must be filled"));
    if (state.to_empty.includes(id)) parts.push(t("must be emptied"));
    const next = state.repair_plan[0];
    if (next && [next.from, next.to].includes(id)) parts.push(next.sentence);
    if (state.masked.includes(id)) parts.push(t("its sensor seems broken"));
    const label = parts.join(", ");
    if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
    element.classList.toggle("masked", state.masked.includes(id));
  }
}

// Whether a piece lies in the tray for its kind and its owner.
function isExpected(place, piece) {
  return piece.face === place.expected_kind
    && (!piece.owner || place.name.split(".").includes(piece.owner));
}

export function replaceText(element, text) { // a live region reads out only what changed
  if (element.textContent !== text) element.textContent = text;
}

// Mark a box whose text goes on below what is seen.
function markMore(holder) {
  const below = holder.scrollHeight - holder.clientHeight - holder.scrollTop;
  holder.toggleAttribute("data-more", below > 3);
}

let readOut = []; // the messages that were last given to screen readers
let resting = 0;

// Give screen readers the new messages, once they have come to rest, each only once. Urgent ones were
// read out at once.
function readNew({ messages, urgent }) {
  const fresh = messages.filter((line) => !readOut.includes(line) && !urgent.includes(line));
  readOut = messages;
  for (const line of fresh) html($("spoken"), "p", {}, line);
}

// Show what the board says, the most urgent first.
export function showMessages(state) {
  const holder = $("says");
  const lines = state.messages;
  const key = JSON.stringify(lines);
  if (holder.dataset.key !== key) {
    holder.dataset.key = key;
    clearTimeout(resting);
    $("spoken").replaceChildren();
    resting = setTimeout(readNew, REST_MS, state);
    holder.replaceChildren();
    for (const line of lines) html(holder, "p", {}, line);
    holder.onscroll = () => markMore(holder);
    requestAnimationFrame(holder.onscroll);
  }
  holder.classList.toggle("over", Boolean(state.outcome));
  replaceText($("alarm"), state.urgent.join(" "));
}

// Show the open question as buttons; each answer may also be given on the board.
export function showQuestion(state, act) {
  const holder = $("question");
  const key = JSON.stringify([state.question, state.allowed, document.documentElement.lang]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  holder.hidden = !state.question.length || !state.allowed.includes("choose");
  if (holder.hidden) return;
  html(holder, "p", {}, state.question.length > 1
    ? t("Which move was it? Answer here, with a button, or on a lit place.")
    : t("If it was played, say so here or on the lit place."));
  const row = html(holder, "div", { className: "row", role: "group" });
  for (const choice of state.question) {
    const button = html(row, "button", { type: "button", className: "choice", "data-move": choice.move });
    showMove(button, { sentence: choice.sentence, text: choice.move });
    if (choice.name) html(button, "span", { className: "where" }, `(${choice.name})`);
    if (choice.button) html(button, "kbd", {}, choice.button === "yes" ? t("Yes") : t("No"));
    button.onclick = () => act("choose", { move: choice.move });
  }
}

// Show what each button of the board would do now. Buttons that would do nothing, or are for another
// role or seat now, are disabled.
export function showButtons({ buttons, allowed, repair_plan: plan }) {
  $("repair").hidden = !plan.length || !allowed.includes("setup");
  $("move").disabled = !allowed.includes("play");
  $("played").disabled = !allowed.includes("report");
  for (const button of document.querySelectorAll("[data-press]")) {
    const { press } = button.dataset;
    const does = allowed.includes(press) ? buttons[press] : undefined;
    button.disabled = does === undefined;
    replaceText(button.querySelector(".does"), does ? `(${does})` : "");
  }
}

// Return the points of a seat, to stand behind its name; empty where points are not counted.
function score(board, state, seat) {
  const points = state.outcome?.points?.[seat] ?? state.points[seat];
  if (points === undefined) return "";
  return `: ${board.goal ? t("{points} of {goal}", { points, goal: board.goal }) : points}`;
}

// Whether a page's user acts for a seat; the host does for all.
function actsFor(role, seat) {
  return role.name === "host" || role.seat === seat;
}

// Show a card for each seat: whose turn it is, its help level, its claims.
export function showSeats(world, act, confirm) {
  const { board, state } = world;
  const holder = $("seats");
  const key = JSON.stringify([board.seats, state.turn, state.assist, state.claims, state.unsensed_moves, state.outcome,
    state.player_names, state.points, state.opponents, Boolean(state.clock), board.language]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  const inside = holder.contains(document.activeElement);
  const focused = document.activeElement?.dataset.key;
  const typed = document.activeElement?.value; // a name may be half written while others play
  holder.replaceChildren();
  for (const seat of board.seats) {
    const turn = state.turn === seat.index && !state.outcome;
    const card = html(holder, "li", { className: `seat colour-${seat.colour} ${turn ? "turn" : ""}` });
    const name = playerName(world, seat.index);
    html(card, "span", { className: "swatch", "aria-hidden": "true" });
    html(card, "strong", {}, name + score(board, state, seat.index));
    if (name !== seat.label) html(card, "span", { className: "side" }, seat.label);
    if (state.clock) html(card, "time", { className: "clock" });
    if (turn) html(card, "span", { className: "mark" }, t("to move"));
    if (state.outcome?.winners.includes(seat.index)) html(card, "span", { className: "mark" }, t("won"));
    if (!actsFor(board.role, seat.index)) continue;
    const own = html(card, "input", {
      className: "name", maxLength: 30, value: state.player_names?.[seat.index] ?? "", autocomplete: "off",
      placeholder: t("Name"), "aria-label": t("Name of the player: {seat}", { seat: seat.label }),
    });
    own.dataset.key = `name ${seat.index}`;
    own.onchange = () => act("player", { seat: seat.index, name: own.value, rev: state.rev });
    const row = html(card, "div", { className: "row" });
    const levels = [t("Lights: turn"), t("Lights: last move"), t("Lights: targets"), t("Lights: threats")];
    const select = html(row, "select", { "aria-label": t("Lights for {seat}", { seat: seat.label }) });
    select.dataset.key = `assist ${seat.index}`;
    levels.forEach((name, level) => html(select, "option", { value: level }, name));
    select.value = state.assist[seat.index] ?? 2;
    select.onchange = () => act("assist", { seat: seat.index, level: Number(select.value) });
    showPlayerKind(row, world, seat, act);
    showClaims(row, state.claims.filter((each) => each.seat === seat.index), act, confirm);
    if (turn && state.unsensed_moves.length) showUnsensed(card, world, act);
  }
  const again = focused && holder.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (again?.className === "name") again.value = typed;
  if (again) again.focus();
  else if (inside) $("says").focus({ preventScroll: true }); // its button is gone
}

// Show the times of the chess clock; they count down here between two states.
let clock = null;
export function showClock(state) {
  clock = state.clock && { ...state.clock, since: performance.now() };
  tickClock();
}
function tickClock() {
  document.querySelectorAll("#seats .clock").forEach((holder, seat) => {
    const gone = seat === clock?.running ? (performance.now() - clock.since) / 1000 : 0;
    const left = Math.ceil(Math.max(0, (clock?.seconds_left[seat] ?? 0) - gone));
    replaceText(holder, `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
  });
}
setInterval(() => { if (clock?.running != null) tickClock(); }, 250);

// Show the claims of a seat: a button for each, or a list where there are many of a kind.
function showClaims(row, claims, act, confirm) {
  const make = ({ seat, claim, effect }) => confirm(() => effect, (rev) => act("claim", { seat, claim, rev }));
  const kinds = new Map();
  for (const claim of claims) {
    const kind = claim.claim.split(" ")[0];
    kinds.set(kind, [...(kinds.get(kind) || []), claim]);
  }
  for (const [kind, alike] of kinds) {
    const key = `claim ${alike[0].seat} ${kind}`;
    if (alike.length > 4) {
      const select = html(row, "select", { className: "claim", "aria-label": t("What to say") });
      for (const claim of alike) html(select, "option", {}, claim.label);
      select.dataset.key = key;
      const button = html(row, "button", { type: "button", className: "claim" }, t("Say it"));
      button.dataset.key = `${key} said`;
      button.onclick = () => make(alike[select.selectedIndex]);
      continue;
    }
    for (const claim of alike) {
      const button = html(row, "button", { type: "button", className: "claim", title: claim.effect }, claim.label);
      button.dataset.key = alike.length > 1 ? `${key} ${claim.claim}` : key;
      button.onclick = () => make(claim);
    }
  }
}

// Show the moves that no sensor feels, to be reported. Simulated hands bring what is not there yet.
function showUnsensed(card, { board, state }, act) {
  const row = html(card, "div", { className: "row unsensed", role: "group", "aria-label": t("No sensor sees this, so say it here:") });
  html(row, "span", {}, t("No sensor sees this, so say it here:"));
  for (const { move, sentence } of state.unsensed_moves) {
    const button = html(row, "button", { type: "button" }, sentence);
    button.dataset.key = `unsensed ${move}`;
    button.onclick = () => act(board.simulated ? "play" : "report", { move });
  }
}

// Show the moves in order. The last one may still change; one that is asked about shows `?`.
export function showPlies(world) {
  const { board, state } = world;
  const holder = $("plies");
  const key = JSON.stringify([state.plies, state.player_names, board.game, board.language]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  for (const ply of state.plies) {
    const line = html(holder, "li", { value: ply.number, className: ply.provisional ? "open" : "" });
    const who = html(line, "span", { className: `who colour-${board.seats[ply.seat]?.colour}` });
    html(who, "span", { className: "swatch", "aria-hidden": "true" });
    who.append(playerName(world, ply.seat));
    if (ply.dice.length) html(line, "span", { className: "die" }, ply.dice.join("+"));
    showMove(line, ply);
    if (ply.candidates.length) html(line, "span", {}, ply.candidates.join(" / "));
    if (ply.unsaved) html(line, "span", { className: "mark" }, t("not saved yet"));
  }
  holder.scrollTop = holder.scrollHeight;
}

// Show the dice: throw them, report how real ones fell, or correct that.
export function showDice(state, act) {
  const holder = $("dice");
  const key = JSON.stringify([state.throws, state.dice, state.last_throw, state.corrections, state.allowed, state.rev]);
  holder.hidden = ![state.throws, state.dice, state.last_throw].some((each) => each.length);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  if (state.last_throw.length) html(holder, "p", { className: "thrown" }, t("Thrown: {dice}", { dice: state.last_throw.join(" + ") }));
  else if (state.dice.length) html(holder, "p", { className: "thrown" }, t("Still to play: {dice}", { dice: state.dice.join(" + ") }));
  const values = (row, throws, correction, name) => {
    for (const dice of throws) {
      const label = dice.join("+");
      const one = html(row, "button", { type: "button", className: "value", "aria-label": name(label) }, label);
      one.onclick = () => act("throw", { rev: state.rev, dice, correction });
    }
  };
  if (state.corrections.length && state.allowed.includes("correction")) {
    const row = html(holder, "div", { className: "row corrections", role: "group", "aria-label": t("The dice show something else:") });
    html(row, "span", {}, t("The dice show something else:"));
    values(row, state.corrections, true, (dice) => t("The dice show {dice} instead", { dice }));
  }
  if (!state.throws.length || !state.allowed.includes("throw")) return;
  const row = html(holder, "div", { className: "row" });
  const any = html(row, "button", { type: "button", className: "main" }, tn("Throw the die", "Throw the dice", state.throws[0].length));
  any.onclick = () => act("throw", { rev: state.rev, dice: [] });
  values(row, state.throws, false, (dice) => t("The dice show {dice}", { dice }));
}

// Show what lies beside the board, grouped by kind.
export function showBox(world, lift) {
  const holder = $("box");
  const pieces = world.state.pieces.filter((piece) => piece.place === "box");
  $("box-holder").hidden = !pieces.length && !world.board.simulated; // what lies beside a real board is unknown
  const key = JSON.stringify([pieces, world.board.language]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  const groups = new Map();
  for (const piece of pieces) {
    const kind = `${piece.owner} ${piece.face}`;
    groups.set(kind, [...(groups.get(kind) || []), piece]);
  }
  for (const group of groups.values()) {
    const item = html(holder, "li");
    const name = pieceName(world, group[0]);
    const text = group.length > 1 ? `${name} ×${group.length}` : name;
    if (world.board.simulated && world.board.role.name !== "watcher") html(item, "button", { type: "button" }, text).onclick = () => lift(group.at(-1));
    else item.textContent = text;
  }
  if (!pieces.length) html(holder, "li", { className: "nothing" }, t("Nothing lies beside the board."));
}

// Show in a seat's card who plays there, and for how many pieces a turn moves are graded.
function showPlayerKind(row, world, seat, act) {
  const { opponents, rev } = world.state;
  if (!opponents) return;
  const select = html(row, "select", { className: "who", "aria-label": t("Who plays {seat}", { seat: seat.label }) });
  select.dataset.key = `player kind ${seat.index}`;
  for (const [value, label] of Object.entries(opponents.choices)) html(select, "option", { value }, label);
  select.value = opponents.player_kinds[seat.index];
  select.onchange = () => act("seat", { seat: seat.index, player_kind: select.value, rev });
  if (opponents.player_kinds[seat.index] !== "person" || (world.state.assist[seat.index] ?? 2) < 3) return;
  const graded = html(row, "select", { "aria-label": t("Graded pieces for {seat}", { seat: seat.label }) });
  graded.dataset.key = `graded ${seat.index}`;
  html(graded, "option", { value: 0 }, t("Grades: all pieces"));
  for (let n = 1; n <= 6; n += 1) {
    html(graded, "option", { value: n }, t("Grades: {n} a turn", { n }));
  }
  graded.value = opponents.graded_pieces[seat.index];
  graded.onchange = () => act("grading", { seat: seat.index, pieces: Number(graded.value), rev });
}

// Show whether simulated hands make the machine's moves, where a machine plays.
export function showHands(state, act) {
  const box = document.getElementById("machine-hands");
  const hands = state.opponents?.hands_move ?? null;
  const machine = hands !== null && state.opponents.player_kinds.some((kind) => kind !== "person");
  box.closest("label").hidden = !machine;
  box.checked = Boolean(hands);
  box.onchange = () => act("hands", { on: box.checked, rev: state.rev });
}

// Show the saved matches, one of which may be resumed if the last match cannot be read.
export function showSavedMatches(state, act) {
  const holder = document.getElementById("saved-matches");
  const key = JSON.stringify([state.saved_matches, document.documentElement.lang]);
  holder.hidden = !state.saved_matches.length;
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  html(holder, "h3", {}, t("Continue the match"));
  const list = html(holder, "ul");
  for (const match of state.saved_matches) {
    const moves = tn("{n} move", "{n} moves", match.plies);
    const button = html(html(list, "li"), "button", { type: "button", "data-match": match.name },
      `${match.title}, ${match.played}, ${moves}`);
    button.onclick = () => act("resume", { match: match.name, rev: state.rev });
  }
}
