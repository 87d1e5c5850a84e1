// Who plays: a row for each seat, with its name and the kind of its player.
import { html } from "./elements.js";
import { seatSign } from "./pieces.js";
import { isMachine, otherBoard } from "./player_kinds.js";
import { drawings } from "./small_board.js";
import { capital, t } from "./words.js";

const $ = (id) => document.getElementById(id);
const USUAL = "level:fits-you"; // the first opponent of somebody who plays alone: a beginner can win

/**
 * Show the seats of the chosen game.
 * @param {{game: import("./home.js").Game, choice: import("./home.js").Choice,
 *   players: {name: string, kind: string}[], names: string[]}} now what is chosen
 * @param {() => void} changed is called when another player was chosen
 */
export function seatingAt(now, changed) {
  const list = $("home-seats");
  let first = null; // the seat that begins, if that is known

  function draw() {
    const { game, choice, players } = now;
    list.replaceChildren();
    list.dataset.seats = game.seats.length;
    game.seats.forEach((seat, index) => drawSeat(game, seat, index));
    const carried = !choice.players && players.some(({ name, kind }) => name || kind !== "person");
    $("home-carried").textContent = carried ? t("Everybody keeps their seat from the game before.") : "";
    drawQuick();
  }

  function drawSeat(game, seat, index) {
    const { name, kind } = now.players[index];
    const row = html(list, "li", { className: `home-row colour-${game.picture.seats[index].colour}` });
    const sign = html(row, "span", { className: "home-sign" });
    drawings(game.picture).then(() => {
      if (sign.isConnected) seatSign(sign, game.picture, game.picture.seats[index], game.picture.rotation);
    }, () => {}); // without a connection there is no sign
    if (kind === "person") {
      const input = html(row, "input", {
        type: "text", value: name, maxLength: 30, placeholder: called(index, ""), autocomplete: "off", spellcheck: false,
        "aria-label": t("Name, {seat}", { seat: seat.label }),
      });
      input.setAttribute("list", "home-names");
      input.oninput = () => { set(index, { name: input.value }); changed(); };
      input.onkeydown = (event) => { if (event.key === "Enter") event.preventDefault(); }; // else the game begins
    } else html(row, "span", { className: "home-machine" }, called(index));
    const select = html(row, "select", { "aria-label": t("Who plays {seat}", { seat: seat.label }) });
    for (const each of game.player_kinds) html(select, "option", { value: each.kind }, each.about);
    select.value = kind;
    select.onchange = () => {
      set(index, { kind: select.value });
      draw();
      changed();
      list.querySelectorAll("select")[index].focus();
    };
    select.dataset.about = select.selectedOptions[0]?.textContent ?? "";
    sayWhoBegins(select, index);
  }

  // All people, or one against machines: the two usual ways by one touch.
  function drawQuick() {
    const kinds = now.players.map((player) => player.kind);
    const machines = kinds.filter(isMachine).length;
    const press = (id, on, wanted) => {
      $(id).setAttribute("aria-pressed", String(on));
      $(id).onclick = () => {
        now.choice.players = now.players.map((player, index) => ({ ...player, kind: wanted(player, index) }));
        draw();
        changed();
      };
    };
    const level = kinds.find((kind) => kind.startsWith("level:")) ?? USUAL;
    press("home-people", kinds.every((kind) => kind === "person"), () => "person");
    press("home-alone", machines === kinds.length - 1 && kinds[0] === "person",
      (player, index) => (index === 0 ? "person" : isMachine(player.kind) ? player.kind : level));
  }

  function set(index, fields) {
    const players = now.players.map((player) => ({ ...player }));
    Object.assign(players[index], fields);
    now.choice.players = players;
  }

  // Return what the player of a seat is called.
  function called(index, name = now.players[index].name.trim()) {
    const { kind } = now.players[index];
    if (isMachine(kind)) return t("Machine");
    const other = otherBoard(kind);
    if (other) return t("Board {name}", { name: other });
    return name || capital(now.game.seats[index].label);
  }

  function sayWhoBegins(select, index) {
    const option = select.selectedOptions[0];
    if (!option) return;
    const { about } = select.dataset;
    option.textContent = index === first ? t("{player}, begins", { player: about }) : about;
  }

  return {
    draw,
    called,
    /** Say at its seat who begins; null if that is not known. */
    begins(seat) {
      first = seat;
      list.querySelectorAll("select").forEach(sayWhoBegins);
    },
    /** Offer the names that are known. */
    offer() {
      const offered = $("home-names");
      offered.replaceChildren();
      for (const name of now.names) html(offered, "option", { value: name });
    },
    focus() {
      const title = $("home-who-title"); // not a field: on a phone the keyboard would cover the seats
      title.scrollIntoView({ block: "start" });
      title.focus({ preventScroll: true });
    },
  };
}
