// The players' strips around the board, and what the cog of a strip opens.
import { html, icon } from "./elements.js";
import { rotated } from "./geometry.js";
import { pictureOf, seatSign } from "./pieces.js";
import { t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);
const COLOURS = new Set(["black", "white", "red", "green", "yellow", "light", "dark"]);
const SIDES = ["south", "west", "north", "east"]; // clockwise, from the near one

/** Whether a seat is named after the colour of its pieces. */
export function isColour(seat) {
  return COLOURS.has(seat.colour);
}

// Return the name of the player of a seat, or else the seat's.
export function playerName({ board, state }, index) {
  return state.player_names?.[index] || board.seats[index]?.label || "";
}

// Whether a page's user acts for a seat; the host does for all.
export function actsFor(role, seat) {
  return role.name === "host" || role.seat === seat;
}

/** Return the side of the screen at which a seat sits when the board is rotated. */
export function sideOf(seat, rotation) {
  const [u, v] = rotated([0, 1], seat.facing + rotation);
  return Math.abs(u) > Math.abs(v) ? SIDES[u < 0 ? 1 : 3] : SIDES[v > 0 ? 0 : 2];
}

/**
 * Show a strip for each seat, with its clock.
 * @param {{place: Function, shows: () => string}} clock adds the time of a seat
 */
export function stripsAt(world, act, confirm, clock) {
  const holder = $("seats");
  const dialog = $("seat");
  let open = null; // the seat whose dialog is open

  function show() {
    const { board, state, drawing } = world;
    const { rotation, plan } = drawing;
    const key = JSON.stringify([board.seats, rotation, plan.trays, plan.around, plan.step, turnOf(state), state.outcome, state.player_names, state.points, state.seats_out,
      board.seats.map((seat) => aboutSeat(seat, playerName(world, seat.index))), clock.shows(), board.language, captured(), board.has_drawings && drawn(board)]);
    if (holder.dataset.key !== key) {
      holder.dataset.key = key;
      draw();
    }
    fill();
    if (dialog.open) stand(); // the window was turned, or the dialog has grown
  }

  function draw() {
    const { board, state, drawing } = world;
    const inside = holder.contains(document.activeElement) && document.activeElement.dataset.key;
    holder.replaceChildren();
    const taken = captured();
    const { around } = drawing.plan;
    holder.dataset.seats = board.seats.length;
    for (const seat of board.seats) {
      const turn = turnOf(state) === seat.index && !state.outcome;
      const side = sideOf(seat, drawing.rotation);
      const strip = html(holder, "li", { className: `seat colour-${seat.colour} ${turn ? "turn" : ""}`, "data-side": side, "data-seat": seat.index });
      strip.classList.toggle("upright", around === "sides" && (side === "west" || side === "east"));
      strip.classList.toggle("half", around === "corners");
      const out = state.seats_out.includes(seat.index) && !state.outcome;
      strip.classList.toggle("out", out);
      seatSign(strip, board, seat, drawing.rotation);
      if (turn) html(strip, "span", { className: "mark", role: "img", "aria-label": t("to move") }, "▸");
      const who = html(strip, "span", { className: "who" });
      const name = playerName(world, seat.index);
      html(who, "strong", { title: name, className: name === seat.label ? "colour" : "" }, name);
      const about = out ? t("is out") : aboutSeat(seat, name);
      if (about) html(who, "span", { className: "side" }, about);
      if (state.outcome?.winners.includes(seat.index)) {
        const won = html(strip, "span", { className: "wins" });
        icon(won, "check");
        html(won, "span", {}, t("wins"));
      }
      if (drawing.plan.trays !== "strips") fillCaptured(html(strip, "span", { className: "captured" }), board, taken[seat.index] ?? []);
      showPoints(strip, board, state.outcome?.points?.[seat.index] ?? state.points[seat.index]);
      const own = board.places.filter((place) => place.kind === "slot" && place.in_game && nearTo(place, seat)).length;
      if (drawing.plan.trays === "strips" && own) html(strip, "span", { className: "tray-room" }).style.width = `${own * drawing.plan.step}px`;
      clock.place(strip, seat.index);
      const cog = html(strip, "button", { type: "button", className: "plain cog", "aria-haspopup": "dialog", "aria-label": t("{name}: name, player, lights", { name }) });
      cog.dataset.key = `cog ${seat.index}`;
      icon(cog, "cog");
      cog.hidden = !actsFor(board.role, seat.index);
      cog.onclick = () => openSeat(seat.index);
    }
    if (inside) holder.querySelector(`[data-key="${CSS.escape(inside)}"]`)?.focus({ preventScroll: true });
  }

  // Whether a tray is drawn over the strip of a seat.
  function nearTo(place, seat) {
    const { drawing } = world;
    const down = (at) => rotated([at.x, at.y], drawing.rotation)[1];
    const tray = drawing.places.get(place.id);
    if (world.board.seats.every((each) => !place.name.split(".").includes(each.name))) return false;
    return down(tray) > 0 === down(drawing.places.get(seat.light)) > 0;
  }

  // The colour of a seat that has another name, and the level of a machine.
  function aboutSeat(seat, name) {
    const { opponents } = world.state;
    const kind = opponents?.player_kinds[seat.index] ?? "person";
    const mine = world.board.role.seat === seat.index ? [t("you")] : [];
    const parts = name !== seat.label && isColour(seat) ? [seat.label] : [];
    if (kind !== "person") parts.push(opponents.choices[kind] ?? kind);
    return [...mine, ...parts].join(", ");
  }

  const captured = () => capturedBy(world.board, world.state.pieces);

  // ---- what the cog opens

  function openSeat(index) {
    open = index;
    delete $("seat-fields").dataset.key;
    fill();
    dialog.showModal();
    stand();
  }

  // Put the dialog beside the strip of its seat.
  function stand() {
    const { left, top, bottom } = holder.querySelector(`[data-seat="${open}"]`).getBoundingClientRect();
    const above = top > innerHeight / 2;
    dialog.style.margin = "0";
    dialog.style.left = `${Math.max(8, Math.min(left, innerWidth - dialog.offsetWidth - 8))}px`;
    dialog.style.top = `${Math.max(8, Math.min(above ? top - dialog.offsetHeight - 8 : bottom + 8, innerHeight - dialog.offsetHeight - 8))}px`;
  }
  dialog.addEventListener("close", () => {
    open = null;
    $("seat-fields").replaceChildren();
  });

  // Fill the dialog of the open seat; what is being written there stays.
  function fill() {
    const { board, state } = world;
    if (open === null) return;
    const seat = board.seats[open];
    if (!seat) {
      dialog.close();
      return;
    }
    const fields = $("seat-fields");
    $("seat-title").textContent = playerName(world, open);
    const key = JSON.stringify([seat, state.assist, state.claims, state.opponents, state.player_names, board.language]);
    if (fields.dataset.key === key) return;
    fields.dataset.key = key;
    const focused = fields.contains(document.activeElement) ? document.activeElement.dataset.key : "";
    const typed = document.activeElement?.value;
    fields.replaceChildren();
    const own = labelled(fields, "input", t("Name of the player: {seat}", { seat: seat.label }), `name ${open}`);
    Object.assign(own, { className: "name", maxLength: 30, value: state.player_names?.[open] ?? "", autocomplete: "off" });
    own.onchange = () => act("player", { seat: seat.index, name: own.value, rev: world.state.rev });
    own.onkeydown = (event) => { if (event.key === "Enter") own.blur(); };
    showPlayerKind(fields, seat);
    const select = labelled(fields, "select", t("Lights for {seat}", { seat: seat.label }), `assist ${open}`);
    [t("Lights: turn"), t("Lights: last move"), t("Lights: targets"), t("Lights: threats"), t("Lights: small mistakes")]
      .forEach((name, level) => html(select, "option", { value: level }, name));
    select.value = state.assist[seat.index] ?? 2;
    select.onchange = () => act("assist", { seat: seat.index, level: Number(select.value) });
    showGraded(fields, seat);
    const claims = html(fields, "div", { className: "row" });
    showClaims(claims, state.claims.filter((each) => each.seat === seat.index), act, confirm);
    const again = focused && fields.querySelector(`[data-key="${CSS.escape(focused)}"]`);
    if (again?.className === "name") again.value = typed;
    if (again) again.focus();
  }

  function labelled(parent, tag, label, key) {
    const wrap = html(parent, "label", { className: "field" });
    html(wrap, "span", { className: "about" }, label);
    const input = html(wrap, tag);
    input.dataset.key = key;
    return input;
  }

  function showPlayerKind(parent, seat) {
    const { opponents, rev } = world.state;
    if (!opponents) return;
    const select = labelled(parent, "select", t("Who plays {seat}", { seat: seat.label }), `player kind ${seat.index}`);
    select.className = "kind";
    for (const [value, label] of Object.entries(opponents.choices)) html(select, "option", { value }, label);
    select.value = opponents.player_kinds[seat.index];
    select.onchange = () => act("seat", { seat: seat.index, player_kind: select.value, rev });
  }

  // For how many pieces a turn moves are graded.
  function showGraded(parent, seat) {
    const { opponents, rev, assist } = world.state;
    if (!opponents || opponents.player_kinds[seat.index] !== "person" || (assist[seat.index] ?? 2) < 3) return;
    const graded = labelled(parent, "select", t("Graded pieces for {seat}", { seat: seat.label }), `graded ${seat.index}`);
    html(graded, "option", { value: 0 }, t("Grades: all pieces"));
    for (let n = 1; n <= 6; n += 1) html(graded, "option", { value: n }, t("Grades: {n} a turn", { n }));
    graded.value = opponents.graded_pieces[seat.index];
    graded.onchange = () => act("grading", { seat: seat.index, pieces: Number(graded.value), rev });
  }

  return { show };
}

// Whether a game's drawings are in the page yet.
function drawn(board) {
  return document.querySelector(`#drawings [id^="${board.game}-"]`) !== null;
}

/** Show the points of a seat in its strip; nothing if points decide nothing. */
export function showPoints(strip, board, points) {
  if (points === undefined) return;
  const holder = html(strip, "span", { className: `points ${board.goal ? "of-goal" : ""}` });
  if (!board.goal) {
    html(holder, "b", {}, String(points));
    html(holder, "span", {}, tn("point", "points", points));
    return;
  }
  html(holder, "span", {}, t("{points} of {goal}", { points, goal: board.goal }));
  const pips = html(holder, "span", { className: "pips", "aria-hidden": "true" });
  for (let n = 0; n < board.goal; n += 1) html(pips, "i", { className: n < points ? "full" : "" });
}

/** Return the pieces in each seat's trays, by seat. */
export function capturedBy(board, pieces) {
  const slots = new Map(board.places.filter((each) => each.kind === "slot" && each.in_game).map((each) => [each.id, each]));
  const found = {};
  for (const piece of pieces) {
    const parts = slots.get(piece.place)?.name.split(".");
    const index = board.seats.findIndex((seat) => parts && parts[0] !== "out" && parts.includes(seat.name));
    if (index >= 0) (found[index] ??= []).push({ face: piece.face, owner: piece.owner });
  }
  return found;
}

/** Draw the captured pieces of a seat into a row of its strip, each kind once with its number. */
export function fillCaptured(row, board, pieces) {
  const groups = new Map();
  for (const piece of pieces) groups.set(piece.face, [...(groups.get(piece.face) ?? []), piece]);
  row.replaceChildren();
  row.hidden = !pieces.length;
  row.setAttribute("role", "img");
  row.setAttribute("aria-label", t("in hand: {pieces}", {
    pieces: [...groups].map(([face, alike]) => `${alike.length} ${board.kinds[face] ?? ""}`).join(", "),
  }));
  for (const alike of groups.values()) {
    const one = html(row, "span", { className: "group" });
    pictureOf(one, board, alike[0]);
    if (alike.length > 1) html(one, "b", {}, String(alike.length));
  }
}

/** Return the seat whose turn it is: the one that throws where dice are owed, that moved while it is asked how. */
export function turnOf({ turn, acting, question, plies }) {
  if (question.length && plies.length) return plies.at(-1).seat;
  return turn >= 0 ? turn : acting;
}

/** Show the claims of a seat: a button for each, or a list where there are many of a kind. */
export function showClaims(row, claims, act, confirm) {
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
