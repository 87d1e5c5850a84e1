// The list of moves, each with a picture of its piece.
import { html, icon } from "./elements.js";
import { pictureOf } from "./pieces.js";
import { inPlace } from "./set_up.js";
import { playerName, turnOf } from "./strips.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Show the moves in order: two in a row where two play, else a sentence each. */
export function showMoves(world) {
  const { board, state } = world;
  const holder = $("plies");
  const key = JSON.stringify([state.plies, state.set_up, state.question.length, state.player_names, state.turn, state.acting, Boolean(state.outcome), board.game, board.language,
    document.getElementById("drawings").childElementCount]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  const inPairs = board.seats.length === 2;
  holder.classList.toggle("pairs", inPairs);
  const waits = !state.outcome && !state.question.length && state.plies.length > 0;
  const turns = [...state.plies, ...(waits ? [awaited(state)] : [])];
  const seats = turns.map((turn) => turn.seat);
  const rounds = roundsOf(turns);
  const items = state.plies.map((ply) => drawMove(world, ply, inPairs));
  items.at(-1)?.setAttribute("aria-current", "step");
  if (waits) items.push(drawWaiting(world));
  items.forEach((item, n) => {
    item.dataset.round = rounds[n];
    item.classList.toggle("first", rounds[n] !== rounds[n - 1]); // it has the number of the round
    item.classList.toggle("left", seats[n] === 0);
    item.style.gridColumn = inPairs ? String(seats[n] + 1) : "";
  });
  if (!items.length) html(holder, "li", { className: "none", "aria-hidden": "true" }, t("No move yet."));
  $("round").textContent = !inPairs && rounds.length ? t("Round {n}", { n: rounds.at(-1) }) : "";
  holder.scrollTop = holder.scrollHeight;
  showNewest(world);
}

// Return the seat whose move is awaited, and the dice of the turn that this move belongs to.
function awaited(state) {
  const seat = turnOf(state);
  const last = state.plies.at(-1);
  return { seat, dice: state.dice.length && last.seat === seat ? last.dice : state.dice };
}

// Number the rounds: one begins whenever a seat comes that is not after the one before. The moves of a
// turn, one for each die, belong to one round.
function roundsOf(turns) {
  let round = 0;
  let moves = 0; // of the seat in this turn
  return turns.map(({ seat, dice }, n) => {
    moves = turns[n - 1]?.seat === seat && moves < dice.length ? moves + 1 : 1;
    if (n === 0 || seat < turns[n - 1].seat || (seat === turns[n - 1].seat && moves === 1)) round += 1;
    return round;
  });
}

// Make the line of the seat whose move is awaited.
function drawWaiting(world) {
  const item = html($("plies"), "li", { className: "waits", "aria-hidden": "true" });
  html(item, "span", {}, `${playerName(world, turnOf(world.state))} …`);
  return item;
}

// Make the line of a move. What it says to a screen reader is the whole sentence.
function drawMove(world, ply, inPairs) {
  const { board } = world;
  const name = playerName(world, ply.seat);
  const item = html($("plies"), "li", { value: ply.number, className: `ply colour-${board.seats[ply.seat]?.colour} ${ply.provisional ? "open" : ""}` });
  if (ply.piece) pictureOf(item, board, ply.piece);
  else html(item, "span", { className: "mini", "aria-hidden": "true" });
  const seen = html(item, "span", { className: "seen", "aria-hidden": "true" });
  const short = ply.brief || ply.sentence || ply.text;
  seen.textContent = ply.candidates.length ? `${short} …` : inPairs ? short : t("{label}: {value}", { label: name, value: ply.sentence || short });
  const said = html(item, "span", { className: "hidden" });
  html(said, "span", { className: "by" }, name);
  said.append(": ");
  if (ply.dice.length) {
    html(said, "span", { className: "die" }, ply.dice.join("+"));
    said.append(" ");
  }
  html(said, "span", { className: "words" }, ply.sentence);
  said.append(" ");
  html(said, "span", { className: "move" }, ply.text);
  if (ply.candidates.length) html(said, "span", {}, ply.candidates.join(" / "));
  if (ply.unsaved) html(item, "span", { className: "unsaved" }, t("not saved yet"));
  item.title = ply.text;
  return item;
}

// Show the newest move on the button of the drawer, which narrow screens have.
function showNewest(world) {
  const { plies } = world.state;
  const holder = $("drawer-move");
  holder.replaceChildren();
  const ply = plies.at(-1);
  if (!ply) {
    holder.textContent = inPlace(world.state) || t("No move yet.");
    return;
  }
  if (ply.piece) pictureOf(holder, world.board, ply.piece);
  const number = ply.brief ? `${ply.number}. ` : ""; // a claim has none
  html(holder, "span", {}, `${number}${t("{label}: {value}", { label: playerName(world, ply.seat), value: ply.sentence || ply.text })}`);
}

/**
 * Offer to step back through the moves. At the newest one there is no way on, and it says so.
 * @param {(at: number) => void} look shows the match after a move
 */
export function showSteps({ board, state }, look) {
  const holder = $("steps");
  const key = JSON.stringify([state.plies.length, board.language]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  const last = state.plies.length;
  if (!last) return;
  for (const [picture, label, at] of [["first", t("To the start"), 0], ["previous", t("One move back"), last - 1]]) {
    const button = html(holder, "button", { type: "button", "aria-label": label, title: label });
    icon(button, picture);
    button.onclick = () => look(at);
  }
  html(holder, "span", { className: "newest" }, t("the newest move"));
}

/** Let people open the list where it is a drawer. */
export function watchDrawer() {
  const button = $("drawer");
  button.onclick = () => {
    const open = $("record").toggleAttribute("data-open");
    button.setAttribute("aria-expanded", String(open));
    $("plies").scrollTop = $("plies").scrollHeight;
  };
}
