// The card after the end: the winner, why, and what next.
import { html, icon, svg } from "./elements.js";
import { pictureOf } from "./pieces.js";
import { isMachine, otherBoard } from "./player_kinds.js";
import { playerName } from "./strips.js";
import { t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);

/**
 * Show the card in the place of the panel once a match is over.
 * @param {{again: () => void, look: (() => void) | null, another: () => void}} ways what its buttons do
 */
export function cardAt(world, ways) {
  let evening = []; // who has won how often since yesterday

  // Ask for the evening's score, which this match has changed.
  async function fetchEvening() {
    try {
      const answer = await fetch(`/api/matches?limit=1&lang=${world.board.language}${world.token("&")}`);
      evening = (await answer.json()).evening ?? [];
    } catch { /* the lost connection is shown elsewhere */ }
    const line = document.querySelector("#card .evening");
    if (line) line.textContent = small();
  }

  function pointsBySeat() {
    return world.state.outcome.points.map((points, seat) => `${playerName(world, seat)} ${points}`).join(", ");
  }

  function small() {
    const { state } = world;
    const parts = [tn("{n} move.", "{n} moves.", state.plies.filter((ply) => ply.brief).length)];
    if (state.outcome?.points?.length) parts.push(t("Points: {points}.", { points: pointsBySeat() }));
    if (evening.length > 1) parts.push(t("Today: {score}.", { score: evening.map(({ name, wins }) => `${name} ${wins}`).join(", ") }));
    return parts.join(" ");
  }

  // The player of the last seat has the first move when all have moved to the next seat. Nobody changes seats with a
  // handicap, nor where several boards play.
  function againText({ board, state }) {
    const elsewhere = state.opponents?.player_kinds.some(otherBoard);
    if (state.plies[0]?.seat !== 0 || board.is_handicap || elsewhere) return t("Again");
    const name = state.player_names?.at(-1);
    if (name) return t("Again, {name} begins", { name });
    const kind = state.opponents?.player_kinds.at(-1) ?? "person";
    return isMachine(kind) ? t("Again, the machine begins") : t("Again");
  }

  return {
    show() {
      const { state, board } = world;
      const card = $("card");
      const over = Boolean(state.outcome) && !state.question.length && !state.lesson;
      const shown = !card.hidden;
      card.hidden = !over;
      document.body.toggleAttribute("data-over", over);
      const key = JSON.stringify([state.outcome, state.player_names, state.opponents?.player_kinds, state.plies.length, board.language, board.role]);
      if (!over || card.dataset.key === key) return;
      card.dataset.key = key;
      draw(card, state, board);
      fetchEvening();
      if (!shown) card.querySelector(".main")?.focus({ preventScroll: true });
    },
  };

  function draw(card, state, board) {
    card.replaceChildren();
    const [winner] = state.outcome.winners;
    const crown = html(card, "div", { className: "crown", "aria-hidden": "true" });
    const last = state.plies.findLast((ply) => ply.piece && ply.seat === winner)?.piece;
    if (winner !== undefined) {
      laurel(crown, "left");
      if (last) pictureOf(crown, board, last, "winner");
      laurel(crown, "right");
    }
    html(card, "h2", { id: "card-title", className: "title" }, state.turn_line);
    html(card, "p", { className: "why" }, state.outcome.reason);
    html(card, "p", { className: "evening" }, small());
    const row = html(card, "div", { className: "ways" });
    if (board.role.name === "host") button(row, "again", againText(world), ways.again, "main again");
    if (ways.look) button(row, "eye", t("Look at it"), ways.look, "look");
    if (board.role.name === "host") button(row, "plus", t("Another game"), ways.another, "another");
    const save = html(row, "a", { className: "button save", href: `/api/game${world.token("?")}`, download: "" });
    icon(save, "down");
    html(save, "span", {}, t("Save"));
    if (navigator.share) button(row, "share", t("Share"), () => share(state, board), "share");
  }

  function share(state, board) {
    const text = `${t("{label}: {value}", { label: board.title, value: state.turn_line })}. ${state.outcome.reason}`;
    navigator.share({ title: board.title, text }).catch(() => {}); // somebody changed their mind
  }
}

function button(row, picture, text, then, className) {
  const one = html(row, "button", { type: "button", className });
  icon(one, picture);
  html(one, "span", {}, text);
  one.onclick = then;
}

// A twig of leaves, bent around the winner's piece.
function laurel(parent, side) {
  const twig = svg(parent, "svg", { class: `laurel ${side}`, viewBox: "0 0 40 100" });
  svg(twig, "path", { d: "M30 96C8 78 8 40 24 6", class: "stem" });
  for (const [x, y, angle] of [[24, 10, 20], [13, 28, -20], [29, 30, 50], [8, 50, -35], [26, 52, 60], [9, 72, -55], [27, 72, 70], [18, 90, -75]]) {
    svg(twig, "path", { d: "M0 0C7-4 7-12 0-18C-7-12-7-4 0 0Z", transform: `translate(${x} ${y}) rotate(${angle})`, class: "leaf" });
  }
}
