// A past match to look at: step through it, see who was ahead, and play on from any move.
import { drawBoard } from "./board.js";
import { drawCurve } from "./curve.js";
import { html, icon, svg } from "./elements.js";
import { closeUp } from "./geometry.js";
import { pointsOf, readJudgements, turningOf, unjudged } from "./judgements.js";
import { drawSign, writeWithSigns } from "./lights.js";
import { drawPieces, loadDrawings, pictureOf, seatSign, signRadius } from "./pieces.js";
import { onlyPerson } from "./player_kinds.js";
import { capturedBy, fillCaptured, showPoints, sideOf } from "./strips.js";
import { replaceText } from "./turn.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);
const BESIDE = matchMedia("(min-width: 43.75rem) and (orientation: landscape), (min-width: 68.75rem)"); // the panel stands beside the board
const LOW = matchMedia("(max-height: 30rem) and (orientation: landscape)");
const SETTLE_MS = 60; // a window that changes its size is waited for

/**
 * Return the view of a past match.
 * @param {object} world the last messages of the board
 * @param {(type: string, fields: object) => Promise<boolean>} act sends a command
 * @param {(then: (rev: number) => void) => void} leave asks before a match in play is left
 * @param {(view: string, parameter?: string) => void} go shows another view
 */
export function reviewAt(world, act, leave, go) {
  const view = document.querySelector('[data-view="review"]');
  const holder = $("review-board-holder");
  let match = null; // what /api/matches/ID says
  let shown = 0; // the number of plies that are played on the board
  let drawing = null;
  let elements = new Map(); // the drawn pieces
  let reading = null; // ends the request for the judgements
  let judged = unjudged();

  const address = (path) => `/api/matches/${encodeURIComponent(path)}`;
  const query = () => `?lang=${world.board.language}${world.token("&")}`;

  // ---- from the board

  async function load(id, at) {
    const ended = new AbortController();
    reading = ended;
    try {
      const answer = await fetch(`${address(id)}${query()}`, { signal: ended.signal });
      const told = await answer.json();
      if (!answer.ok || !told.board) {
        fail(told.reason ?? told.problem);
        return;
      }
      match = told;
      shown = Math.min(match.plies.length, at ?? onBoard(world.state) ?? match.plies.length);
      await loadDrawings(match.board);
      if (ended.signal.aborted) return;
      redraw();
      follow(world.state);
      await readJudgements(address(id), query(), judged, ended.signal, drawJudgements);
    } catch (error) {
      if (error.name !== "AbortError") fail(t("Not sent: there was no connection to the board."));
    }
  }

  function fail(reason) {
    view.dataset.unread = "";
    replaceText($("review-turn"), t("Cannot be read"));
    replaceText($("review-sentence"), reason ?? "");
    const list = html($("review-sentence"), "a", { href: "#/games" }, t("Games"));
    list.before(" ");
  }

  // ---- the board

  // Return the room of the board in pixels.
  function room() {
    const { clientWidth: width } = document.documentElement;
    const seats = match.board.seats.length;
    const strips = 2 * (56 + 10);
    const aside = seats > 2 ? 2 * 120 : 0;
    const plain = { strip: 0, strips: false, end: 0 };
    if (LOW.matches) return { ...plain, width: width * 0.5 - 24, height: innerHeight - 16 };
    if (BESIDE.matches) {
      const panel = $("review-panel").offsetWidth;
      return { ...plain, width: width - panel - 96 - aside, height: Math.max(240, innerHeight - 90 - strips) };
    }
    return { ...plain, width: width - 16, height: Math.max(200, innerHeight * 0.5) };
  }

  function redraw() {
    const seat = match.board.seats[onlyPerson(match.seats.map(({ kind }) => kind))];
    const plan = closeUp(match.board, seat ? -seat.facing : match.board.rotation, room());
    drawing = drawBoard(holder, plan, "review-board");
    drawing.root.setAttribute("aria-hidden", "true"); // the move list says it in words
    elements = new Map();
    view.style.setProperty("--board", `${(plan.reach.right - plan.reach.left) * plan.scale}px`);
    drawStrips();
    drawMoves();
    draw();
    drawJudgements();
  }

  function piecesNow() {
    return shown ? match.plies[shown - 1].pieces : match.first;
  }

  function draw() {
    const pieces = piecesNow().map((piece) => ({ ...piece, from: piece.place, held_by: "" }));
    drawPieces(drawing, elements, { pieces });
    drawArrows();
    fillStrips(pieces);
    for (const button of $("review-plies").querySelectorAll("button")) {
      const here = Number(button.dataset.shown) === shown;
      button.toggleAttribute("aria-current", here);
      if (here) button.setAttribute("aria-current", "step");
    }
    for (const button of view.querySelectorAll("[data-step]")) {
      const back = Number(button.dataset.step) < 0;
      button.disabled = back ? shown === 0 : shown === match.plies.length;
    }
    drawWords();
    scrollToMove();
  }

  // Show the line of the current move; only the list scrolls, never the page.
  function scrollToMove() {
    const list = $("review-moves");
    const button = list.querySelector("[aria-current=step]");
    if (!button) return;
    const [box, line] = [list.getBoundingClientRect(), button.getBoundingClientRect()];
    if (line.top < box.top) list.scrollTop -= box.top - line.top + 8;
    else if (line.bottom > box.bottom) list.scrollTop += line.bottom - box.bottom + 8;
  }

  // Whether a ply is no move: it has the number of the move before it.
  const isClaim = (index) => match.plies[index].number === (match.plies[index - 1]?.number ?? 0);

  // ---- the move that is shown, in arrows and words

  const called = (seat) => match.seats[seat]?.name ?? match.board.seats[seat].label;
  const here = () => (shown ? match.plies[shown - 1] : null);
  const judgement = () => (shown ? judged.moves.get(here().index) : undefined);
  const betterNow = () => {
    const known = judgement();
    return known && !known.good && known.best.text !== here().text ? known.best : null;
  };

  function drawArrows() {
    const layer = drawing.layers.signs;
    layer.replaceChildren();
    const ply = here();
    const better = betterNow();
    if (ply) arrow(layer, ply.from, ply.to, "played");
    if (!better) return;
    arrow(layer, better.from, better.to, "better");
    const place = drawing.places.get(better.to);
    if (!place) return;
    const r = signRadius(drawing);
    const corner = 0.5 * drawing.board.pitch - 1.4 * r;
    const group = svg(layer, "g", {
      transform: `translate(${place.x} ${place.y}) rotate(${-drawing.rotation}) translate(${corner} ${-corner})`, class: "sign sign-TEAL",
    });
    drawSign(group, "★", r);
  }

  function arrow(layer, from, to, kind) {
    const [start, end] = [drawing.places.get(from), drawing.places.get(to)];
    if (!start || !end || start === end) return;
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const length = Math.hypot(dx, dy);
    const [ux, uy] = [dx / length, dy / length];
    const { pitch } = drawing.board;
    const [tipX, tipY] = [end.x - ux * pitch * 0.12, end.y - uy * pitch * 0.12];
    const [neckX, neckY] = [tipX - ux * pitch * 0.26, tipY - uy * pitch * 0.26];
    const wide = pitch * 0.14;
    const shaft = `M${start.x + ux * pitch * 0.1} ${start.y + uy * pitch * 0.1}L${neckX} ${neckY}`;
    const head = `M${tipX} ${tipY}L${neckX - uy * wide} ${neckY + ux * wide}L${neckX + uy * wide} ${neckY - ux * wide}Z`;
    const group = svg(layer, "g", { class: `review-arrow ${kind}`, "stroke-width": pitch * 0.07 });
    svg(group, "path", { d: shaft, class: "under" });
    svg(group, "path", { d: head, class: "under" });
    svg(group, "path", { d: shaft, class: "over" });
    svg(group, "path", { d: head, class: "tip" });
  }

  function drawWords() {
    const ply = here();
    const name = ply ? called(ply.seat) : "";
    const title = ply ? (isClaim(shown - 1) ? capital(name) : t("Move {n}, {name}", { n: ply.number, name })) : t("The start");
    replaceText($("review-turn"), title);
    $("review-turn").classList.toggle("long", title.length > 17);
    const known = judgement();
    const better = betterNow();
    const said = ply ? [sentence(ply.sentence)] : [];
    if (known?.why && better) said.push(known.why);
    if (better) said.push(t("Better: {move} ★.", { move: better.sentence }), better.why);
    if (ply && shown === match.plies.length && !better) said.push(match.result + ".", match.outcome?.reason ?? "");
    writeWithSigns($("review-sentence"), said.filter(Boolean).join(" "));
    const over = match.outcome && shown === match.plies.length && !isClaim(shown - 1) && !turnsHere();
    $("review-on").hidden = world.board.role.name !== "host" || Boolean(over);
    replaceText($("review-on").querySelector("span"), turnsHere() ? t("Play it again from here") : t("Play on from here"));
    const change = known && (!known.good || known.share !== null);
    const percent = (share) => Math.round(100 * share);
    replaceText($("review-change"), change
      ? t("{name}: from {before} to {after}", { name, before: percent(known.chance + known.loss), after: percent(known.chance) }) : "");
    drawCurveNow();
  }

  const capital = (text) => `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}`;
  const sentence = (text) => (text ? `${capital(text)}.` : "");

  // ---- who was ahead

  function drawJudgements() {
    const list = $("review-turning");
    list.replaceChildren();
    for (const [number, index] of judged.turning.entries()) {
      const { step: at, best, why } = judged.moves.get(index);
      const ply = match.plies[at - 1];
      const button = html(html(list, "li"), "button", { type: "button" });
      html(button, "span", { className: "number", "aria-hidden": "true" }, String(number + 1));
      const words = html(button, "span");
      html(words, "strong", {}, t("Move {n}, {name}: {move}", { n: ply.number, name: called(ply.seat), move: ply.sentence }));
      html(words, "span", { className: "better" }, [why, t("Better: {move}.", { move: best.sentence }), best.why].filter(Boolean).join(" "));
      button.onclick = () => step(at);
    }
    writeWithSigns($("review-good"), judged.goodMoves.join(" "));
    const [{ size }, count] = [judged.moves, judged.expected];
    replaceText($("review-progress"), count > size ? t("Looking at move {n} of {count} …", { n: size + 1, count }) : "");
    drawArrows();
    drawWords();
    scrollToMove(); // what was found may have left less room for the list
  }

  function drawCurveNow() {
    const two = match.board.seats.length === 2;
    const nothing = !judged.turning.length && !judged.goodMoves.length && judged.moves.size >= judged.expected;
    $("review-ahead").hidden = !two && nothing;
    $("review-curve").hidden = !two;
    replaceText($("review-ahead-title"), two ? t("Who was ahead") : t("Turning points"));
    if (!two) return;
    drawCurve($("review-curve"), {
      names: [called(1), called(0)], count: match.plies.length, points: pointsOf(judged), turning: turningOf(judged), here: shown,
    });
  }

  // ---- strips and moves

  function drawStrips() {
    const list = $("review-seats");
    list.replaceChildren();
    list.dataset.seats = match.board.seats.length;
    for (const seat of match.board.seats) {
      const strip = html(list, "li", { className: `seat colour-${seat.colour}`, "data-side": sideOf(seat, drawing.rotation), "data-seat": seat.index });
      strip.classList.toggle("has-won", Boolean(match.outcome?.winners.includes(seat.index)));
      seatSign(strip, match.board, seat, drawing.rotation);
      const who = html(strip, "span", { className: "who" });
      html(who, "strong", {}, called(seat.index));
      const about = match.seats[seat.index]?.level;
      if (about) html(who, "span", { className: "side" }, about);
      html(strip, "span", { className: "captured" });
      html(strip, "span", { className: "points-now" });
      if (strip.classList.contains("has-won")) {
        const won = html(strip, "span", { className: "won" });
        icon(won, "check");
        html(won, "span", {}, t("wins"));
      }
    }
  }

  function fillStrips(pieces) {
    const taken = capturedBy(match.board, pieces);
    const ended = shown === match.plies.length ? match.outcome?.points : [];
    const points = ended?.length ? ended : here()?.points ?? match.points;
    for (const { index } of match.board.seats) {
      const strip = $("review-seats").querySelector(`[data-seat="${index}"]`);
      fillCaptured(strip.querySelector(".captured"), match.board, taken[index] ?? []);
      const now = strip.querySelector(".points-now");
      now.replaceChildren();
      showPoints(now, match.board, points[index]);
    }
  }

  function drawMoves() {
    const list = $("review-plies");
    list.replaceChildren();
    for (const [index, ply] of match.plies.entries()) {
      const button = html(html(list, "li"), "button", { type: "button", className: "ply", "data-shown": index + 1 });
      html(button, "span", { className: "number", "aria-hidden": "true" }, isClaim(index) ? "" : String(ply.number));
      const moved = ply.to && ply.pieces.findLast((piece) => piece.place === ply.to);
      if (moved) pictureOf(button, match.board, moved);
      else html(button, "span", { className: "mini", "aria-hidden": "true" });
      const dice = ply.dice.length ? ` (${ply.dice.join(" + ")})` : "";
      html(button, "span", { className: "words" }, t("{label}: {value}", { label: called(ply.seat), value: `${ply.sentence}${dice}` }));
      button.onclick = () => step(index + 1);
    }
    replaceText($("review-title"), t("{label}: {value}", { label: match.title, value: match.names.join(", ") }));
  }

  // ---- what can be done

  function step(to) {
    const next = Math.max(0, Math.min(match.plies.length, to));
    if (next === shown) return;
    if (onBoard(world.state) !== null && world.board.role.name === "host") {
      act("review", { match: match.id, at: next }); // the page follows the board
      return;
    }
    shown = next;
    draw();
  }

  for (const button of view.querySelectorAll("[data-step]")) {
    button.onclick = () => match && step({ "-2": 0, "-1": shown - 1, 1: shown + 1, 2: match.plies.length }[button.dataset.step]);
  }

  // A turning point is played again from the position before it, with its throw.
  const turnsHere = () => shown > 0 && judged.turning.includes(here().index);
  const from = () => (turnsHere() ? { ply: here().number - 1, thrown: true } : { ply: here()?.number ?? 0 });

  $("review-on").onclick = () => leave(async (rev) => {
    if (await act("continue", { match: match.id, ...from(), rev })) go("play");
    else replaceText($("review-sentence"), $("refused").textContent);
  });

  document.addEventListener("keydown", (event) => {
    if (view.hidden || !match || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.activeElement?.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
    const to = { ArrowLeft: shown - 1, "[": shown - 1, ArrowRight: shown + 1, "]": shown + 1, Home: 0, End: match.plies.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    step(to);
  });

  let settling = 0;
  addEventListener("resize", () => {
    clearTimeout(settling);
    settling = setTimeout(() => { if (!view.hidden && match) redraw(); }, SETTLE_MS);
  });

  function forget() {
    reading?.abort();
    match = followed = null;
    delete view.dataset.unread;
    judged = unjudged();
    for (const id of ["review-board-holder", "review-seats", "review-plies", "review-turning", "review-curve"]) $(id).replaceChildren();
    for (const id of ["review-turn", "review-sentence", "review-change", "review-progress", "review-good"]) replaceText($(id), "");
  }

  // ---- the board beside the page

  // Return the step that the board shows of this match; null if it shows another one, or none.
  const onBoard = (state) => (match && state?.review?.match === match.id ? state.review.at : null);

  let followed = null; // the step of the board that was shown last

  function follow(state) {
    const at = onBoard(state);
    $("review-show").setAttribute("aria-pressed", String(at !== null));
    $("review-show").title = t("Show it on the board");
    if (at === followed || !match) return;
    followed = at;
    if (at === null) return;
    shown = Math.min(at, match.plies.length);
    draw();
  }

  $("review-show").onclick = () => {
    const fields = onBoard(world.state) === null ? { match: match.id, at: shown } : { match: "" };
    act("review", fields).then((done) => { if (!done) replaceText($("review-sentence"), $("refused").textContent); });
  };

  let opened = "";
  let language = ""; // in which the match was fetched
  return {
    /** Look at a match after its last move, or after move `AT` if that stands behind its name: `ID/AT`. */
    opened(where) {
      [opened, language] = [where, world.board.language];
      forget();
      const [id, at] = where.split("/");
      load(id, at === undefined ? null : Number(at));
    },
    /** Show the step that the board shows. */
    show: follow,
    closed() {
      opened = "";
      forget();
    },
    /** Call it when the board or its language may have changed. */
    drawAgain() {
      if (opened && language !== world.board.language) this.opened(opened);
    },
    /** Look at the match in play, after its last move or after move `at`. */
    async lookAtMatch(at = null) {
      const answer = await fetch(`/api/matches${query()}&limit=1`);
      const { matches: [latest] } = await answer.json();
      if (latest?.in_play) go("review", at === null ? latest.id : `${latest.id}/${at}`);
    },
  };
}
