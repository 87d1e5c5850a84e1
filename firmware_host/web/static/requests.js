// Moves that a page requests on a real board: touch a piece, then where it goes. The board lights the
// move until hands have made it.
import { html } from "./elements.js";
import { t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Let people request moves with `act`. */
export function requestsAt(world, act) {
  let chosen = null; // the piece that was touched: its `place` and its `moves`
  let match = ""; // what was played when it was touched
  const told = html($("stage"), "p", { className: "hidden", role: "status" });

  const may = () => !world.board.simulated && world.state.allowed.includes("request") && !world.state.outcome;
  const played = ({ plies, turn, dice }) => JSON.stringify([plies.length, turn, dice]);
  const targets = () => new Set(chosen?.moves.flatMap((move) => move.to));

  function mark() {
    const to = targets();
    for (const [id, element] of world.drawing?.targets ?? []) {
      element.classList.toggle("chosen", id === chosen?.place);
      element.classList.toggle("may-go", to.has(id));
    }
  }

  function forget() {
    chosen = null;
    told.textContent = "";
    mark();
  }

  async function choose(place) {
    match = played(world.state);
    const query = new URLSearchParams({ from: place, lang: world.board.language });
    const answer = await fetch(`/api/moves?${query}${world.token("&")}`);
    const moves = answer.ok ? await answer.json() : [];
    if (match !== played(world.state)) return;
    chosen = moves.length ? { place, moves } : null;
    told.textContent = moves.length ? tn("{n} place to go", "{n} places to go", targets().size) : "";
    mark();
  }

  function request(moves) {
    forget();
    if (moves.length === 1) act("request", { move: moves[0].move });
    else ask(moves);
  }

  // Ask which of several moves between two places is meant.
  function ask(moves) {
    const dialog = $("which");
    const list = $("which-moves");
    list.replaceChildren();
    for (const { move, sentence } of moves) {
      const button = html(html(list, "li"), "button", { type: "button", title: move }, sentence);
      button.onclick = () => {
        dialog.close();
        act("request", { move });
      };
    }
    dialog.showModal();
  }

  return {
    mark,
    /** Take a place that was touched: a piece, or where the chosen piece goes. */
    point(place) {
      if (!may()) return;
      const moves = chosen?.moves.filter((move) => move.to.includes(place)) ?? [];
      if (moves.length) request(moves);
      else if (place === chosen?.place) forget();
      else choose(place).catch(() => {}); // the lost connection is shown elsewhere
    },
    /** Put back what was chosen, or withdraw the request; whether there was either. */
    back() {
      if (chosen) forget();
      else if (world.state.request && may()) act("request", { move: "" });
      else return false;
      return true;
    },
    show(state) {
      if (chosen && (match !== played(state) || !may())) forget();
    },
  };
}
