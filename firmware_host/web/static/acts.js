// The three slots of acts below the turn line, and the menu of everything else.
import { mayThrowNow } from "./dice.js";
import { html, icon } from "./elements.js";
import { actsFor, playerName, showClaims } from "./strips.js";
import { t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);

/**
 * Show in each slot the one act that can be done now, or nothing. Slots never move.
 * @param {{held: () => object | undefined, isKnown: () => boolean}} hands the piece that this page holds, and
 *   whether the rules have a picture of it
 */
export function actsAt(world, act, confirm, hands) {
  const menu = $("more-menu");

  // Return what stands in the first and in the second slot.
  function wanted() {
    const { state, board } = world;
    const may = (name) => state.allowed.includes(name) && state.buttons[name] !== undefined;
    const repair = state.repair_plan.length > 0 && state.allowed.includes("setup") && board.simulated;
    const mine = hands.held();
    const onlyMine = state.repair_plan.length === 1 && state.repair_plan[0].to === mine?.from;
    if (state.review && !mine) return [repair ? "repair-by-hands" : "", ""]; // it has its own steps
    if (mine) return [repair && !onlyMine ? "repair-by-hands" : "hand-back", hands.isKnown() ? "hand-rules" : ""];
    if (state.request && !board.simulated && state.allowed.includes("request")) return ["hand-back", ""];
    const asked = state.question.length > 0;
    const first = asked ? "" : repair ? "repair-by-hands" : may("yes") && (!state.outcome || state.lesson) ? "yes" : mayThrowNow(state) ? "throw" : may("hint") ? "hint" : "";
    return [first, may("back") ? "back" : ""];
  }

  function show() {
    const { state } = world;
    const slots = document.querySelectorAll("#acts .slot:not(.last)");
    wanted().forEach((name, n) => {
      for (const button of slots[n].children) {
        const here = (button.id || button.dataset.press) === name;
        if (!here && button === document.activeElement) slots[n].dataset.lost = "yes"; // its successor takes the focus
        button.hidden = !here;
        button.disabled = !here;
      }
      if (slots[n].dataset.lost) {
        delete slots[n].dataset.lost;
        (slots[n].querySelector("button:not([hidden])") ?? $("more")).focus({ preventScroll: true });
      }
    });
    $("throw").querySelector("span").textContent = tn("Throw the die", "Throw the dice", state.throws[0]?.length ?? 1);
    for (const [name, does] of Object.entries(state.buttons)) {
      for (const button of document.querySelectorAll(`[data-press="${name}"]`)) button.title = does;
    }
    showMenu();
  }

  function showMenu() {
    const { state, board } = world;
    for (const item of menu.querySelectorAll("[data-in=hand]")) item.hidden = !hands.held();
    const round = $("hand-turn").closest("li");
    round.hidden ||= !hands.held()?.owner; // a piece without an owner looks the same from all sides
    for (const name of ["no", "wrong"]) {
      const button = menu.querySelector(`[data-press="${name}"]`);
      const does = state.allowed.includes(name) ? state.buttons[name] : undefined;
      button.closest("li").hidden = does === undefined;
      button.disabled = does === undefined;
      button.querySelector(".does").textContent = does ? `(${does})` : "";
    }
    $("say-open").closest("li").hidden = !state.allowed.includes("play") && !state.allowed.includes("report");
    $("tidy").closest("li").hidden = !state.out_of_place;
    $("rematch").closest("li").hidden = !begun(state) && !state.outcome;
    const claims = $("claims");
    const key = JSON.stringify([state.claims, state.player_names, board.language, board.role]);
    if (claims.dataset.key === key) return;
    claims.dataset.key = key;
    claims.replaceChildren();
    for (const seat of board.seats) {
      const own = state.claims.filter((each) => each.seat === seat.index);
      if (!own.length || !actsFor(board.role, seat.index)) continue;
      const item = html(claims, "li", { className: "row" });
      const name = html(item, "span", { className: "of" });
      icon(name, "flag");
      html(name, "span", {}, playerName(world, seat.index));
      showClaims(item, own, act, confirm);
    }
  }

  $("throw").onclick = () => document.querySelector("#dice .to-throw")?.click();
  $("more").onclick = () => menu.showModal();
  $("more-menu").addEventListener("click", ({ target }) => { // an act closes the menu
    if (target.closest("ul button, ul a")) menu.close();
  });
  return { show };
}

// Whether anything was played.
export function begun(state) {
  return Boolean(state.plies.length || state.dice.length);
}

/** Show the moves that no sensor feels, to be reported. Simulated hands bring what is not there yet. */
export function showUnsensed({ board, state }, act) {
  const holder = $("unsensed");
  const mine = actsFor(board.role, state.turn);
  holder.hidden = !state.unsensed_moves.length || Boolean(state.outcome) || !mine;
  const key = JSON.stringify([state.unsensed_moves, board.language]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  html(holder, "p", {}, t("No sensor sees this, so say it here:"));
  const row = html(holder, "div", { className: "row" });
  for (const { move, sentence } of state.unsensed_moves) {
    const button = html(row, "button", { type: "button", title: move }, sentence);
    button.dataset.key = `unsensed ${move}`;
    button.onclick = () => act(board.simulated ? "play" : "report", { move });
  }
}

/** Show the saved matches, one of which may be resumed if the last match cannot be read. */
export function showSavedMatches(state, act) {
  const holder = $("saved-matches");
  const key = JSON.stringify([state.saved_matches, document.documentElement.lang]);
  holder.hidden = !state.saved_matches.length;
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  html(holder, "h3", {}, t("Continue the match"));
  const list = html(holder, "ul", { role: "list" });
  for (const match of state.saved_matches) {
    const moves = tn("{n} move", "{n} moves", match.plies);
    const button = html(html(list, "li"), "button", { type: "button", "data-match": match.name },
      `${match.title}, ${match.played}, ${moves}`);
    button.onclick = () => act("resume", { match: match.name, rev: state.rev });
  }
}
