// The view of the match: board, strips, panel.
import { actsAt, begun, showSavedMatches, showUnsensed } from "./acts.js";
import { drawBoard } from "./board.js";
import { bubbleAt } from "./bubble.js";
import { cardAt } from "./card.js";
import { clockAt } from "./clock.js";
import { showDice } from "./dice.js";
import { closeUp, wholeBoard } from "./geometry.js";
import { handsAt } from "./hands.js";
import { drawLights, drawSigns } from "./lights.js";
import { showMoves, showSteps, watchDrawer } from "./moves.js";
import { drawPieces, drawUnknown, loadDrawings } from "./pieces.js";
import { pastAt } from "./past.js";
import { onlyPerson } from "./player_kinds.js";
import { labelPlaces, pieceName, showBox } from "./places.js";
import { requestsAt } from "./requests.js";
import { showSetUp } from "./set_up.js";
import { shown, shownRoom } from "./shown.js";
import { soundsOf } from "./sound.js";
import { stripsAt } from "./strips.js";
import { replaceText, showTurn, watchDetails } from "./turn.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);
const GAP = 10; // pixels between the board and the strips
const LOW = matchMedia("(max-height: 30rem) and (orientation: landscape)"); // a phone on its side: strips in the panel
const NARROW = matchMedia("(max-width: 43.74rem)");
const SHORT = matchMedia("(max-width: 43.74rem) and (max-height: 44rem) and (orientation: portrait)"); // a small phone: the list of moves lies below the acts
const WIDE = matchMedia("(min-width: 43.75rem) and (orientation: landscape), (min-width: 68.75rem)"); // the panel stands beside the board
const SETTLE_MS = 30; // a window that changes its size is waited for

/**
 * Return the view of the match. Its part of the world: `drawing`, `lights`, `pieces`, `focus`.
 * @param {{confirm: Function, leave: Function, go: Function, rules: object, lessons: object, tour: () => object}} page
 */
export function playAt(world, act, page) {
  const view = document.querySelector('[data-view="play"]');
  const holder = $("board-holder");
  const requests = requestsAt(world, act);
  const hands = handsAt(world, act, requests.point);
  const known = { face: "", yes: false }; // whether the rules have a picture of the piece in the hand
  const clock = clockAt(world, act);
  const strips = stripsAt(world, act, page.confirm, clock);
  const acts = actsAt(world, act, page.confirm, { held: hands.held, isKnown: () => known.yes });
  const bubble = bubbleAt(world, act, holder);
  const card = cardAt(world, {
    again: () => page.leave((rev) => act("match", { rev, swap: true })),
    look: () => page.look(),
    another: () => page.go("home"),
  });
  const past = pastAt(world, act, (id) => page.go("review", id));
  const sounds = soundsOf();
  let rotationBefore = 0; // the `rotationAtFirst` of the board that is drawn

  // ---- the board, as large as the window allows

  // Return the room of the board in pixels, with the strips `around` it. Nothing in it depends on the board,
  // so nothing jumps.
  function room(around) {
    const seats = world.board.seats.length;
    const px = (name) => parseFloat(getComputedStyle(view).getPropertyValue(name)) || 0;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const { clientWidth: width } = document.documentElement;
    const height = innerHeight;
    const strip = px("--strip");
    if (shown) return shownRoom(seats, strip, px("--upright"), GAP);
    if (LOW.matches) {
      return { width: width - Math.max(Math.min(20 * rem, 0.52 * width), width * 0.4) - 24, height: height - 16, strip: 0, strips: false, end: 0 };
    }
    const [west, across] = [around === "sides" ? 2 * (px("--upright") + 8) : 0, 2 * (strip + GAP)];
    if (WIDE.matches) {
      return { width: width - px("--panel") - 72 - west, height: height - 56 - 24 - across, strip: 0, strips: false, end: 0 };
    }
    const [header, list] = SHORT.matches ? [48, 0] : [56, NARROW.matches ? 3 : 4.5];
    const below = (9.5 + list + (world.board.has_dice ? 4.5 : 0)) * rem;
    const high = Math.max(height - header - 8 - across - below, 200);
    return { width: width - 2 * px("--margin") - west, height: high, scrolls: NARROW.matches, strip: strip / 2 + GAP, strips: seats === 2, end: 56 + (world.state?.clock ? 84 : 0) };
  }

  // Return the plan with the largest cells. Three or four strips stand one on each side of the board, or half as
  // wide at its corners; where the strips of two stand does not depend on the plan.
  function planned() {
    const { board } = world;
    const rotation = world.rotation ?? rotationAtFirst();
    const draw = wantsWhole() ? wholeBoard : closeUp;
    const beside = LOW.matches || NARROW.matches ? ["corners"] : ["sides", "corners"];
    const ways = board.seats.length === 2 ? ["ends"] : shown ? ["sides"] : beside;
    return ways.map((around) => ({ ...draw(board, rotation, room(around)), around }))
      .reduce((one, other) => (other.scale > one.scale ? other : one));
  }

  // Return by how many degrees the board is drawn rotated until somebody turns it: the side of this page's
  // player is near, or that of the learner, or that of the only person who plays.
  function rotationAtFirst() {
    const { board, state } = world;
    const seat = board.role.seat ?? state?.lesson?.seat ?? onlyPerson(state?.opponents?.player_kinds ?? []);
    return board.seats[seat] ? -board.seats[seat].facing : board.rotation;
  }

  // Turn the board to another player who is near now, also if it was turned by hand; return whether there is one.
  function turnToPlayer() {
    if (hands.held() || rotationAtFirst() === rotationBefore) return false; // nothing moves in a drag
    rotationBefore = rotationAtFirst();
    world.rotation = null;
    return true;
  }

  // Whether the whole board is drawn: as chosen, or because a piece stands where the game has no place.
  function wantsWhole() {
    const used = (id) => world.board.places.find((place) => place.id === id)?.in_game ?? true;
    const { pieces = [], unknown_pieces: unknown = [] } = world.state ?? {};
    return $("whole").checked || [...pieces.map((piece) => piece.place || piece.from), ...unknown].some((id) => !used(id));
  }

  function redraw() {
    if (!world.board) return;
    const hadFocus = $("board")?.contains(document.activeElement);
    rotationBefore = rotationAtFirst();
    const plan = planned();
    world.drawing = drawBoard(holder, plan);
    world.pieces = new Map();
    world.lights = drawLights(world.drawing);
    view.style.setProperty("--board", `${(plan.reach.right - plan.reach.left) * plan.scale}px`);
    view.dataset.trays = plan.trays;
    view.dataset.around = plan.around;
    hands.attach();
    requests.mark();
    if (hadFocus) hands.focus(world.focus);
    if (world.bytes) world.lights.paint(world.bytes);
    if (world.state) draw(world.state);
  }

  async function loadPieces() {
    const fresh = await loadDrawings(world.board);
    const letters = document.querySelector(`#drawings [id^="${world.board.game}-"] .letter`);
    $("letters").closest("label").hidden = !letters;
    if (fresh && world.state && world.drawing) draw(world.state);
  }

  // ---- a state

  function draw(state) {
    const { drawing } = world;
    drawPieces(drawing, world.pieces, state, hands.landed());
    drawUnknown(drawing, state.unknown_pieces);
    drawSigns(drawing, state.lights, state.repair_plan);
    labelPlaces(world);
    hands.drawGhost();
    const mine = hands.held();
    $("hand").hidden = !mine;
    if (mine) replaceText($("hand"), t("In your hand: {piece}", { piece: pieceName(world, mine) }));
    showTurn(state);
    strips.show();
    clock.show();
    showDice(world, act);
    requests.show(state);
    acts.show();
    $("clock-choose").closest("li").hidden = !clock.mayChoose();
    showBox(world, hands.lift, Boolean(mine));
    showUnsensed(world, act);
    showSavedMatches(state, act);
    page.lessons.now(state);
    showMoves(world);
    showSetUp(world);
    showSteps(world, page.look);
    past.show();
    bubble.show();
    card.show();
    lookUp(mine);
    page.tour().follow(state);
  }

  // Find out whether the rules have a picture of the piece in the hand.
  async function lookUp(mine) {
    const face = mine?.face ?? "";
    if (known.face === face) return;
    Object.assign(known, { face, yes: false });
    const yes = Boolean(face) && await page.rules.knows(face);
    if (known.face !== face || known.yes === yes) return;
    known.yes = yes;
    acts.show();
  }

  let settling = 0;
  function resized() {
    clearTimeout(settling);
    settling = setTimeout(() => {
      if (view.hidden || !world.drawing || hands.held()) return; // nothing moves in a drag
      const plan = planned();
      const { scale, plan: { trays, around } } = world.drawing;
      if (Math.abs(plan.scale - scale) * 300 > 1 || plan.trays !== trays || plan.around !== around) redraw();
    }, SETTLE_MS);
  }
  addEventListener("resize", resized);
  $("clock-choose").onclick = clock.open;
  watchDetails();
  watchDrawer();

  return {
    hands,
    requests,
    bubble,
    redraw,
    begun: () => begun(world.state),
    /** Step through the past match that the board shows. */
    step: past.step,
    /** Draw a new board; its parts remember what they have drawn, but not in which language. */
    board() {
      for (const id of ["says", "seats", "plies", "dice", "box", "unsensed", "saved-matches", "claims", "card"]) delete $(id).dataset.key;
      redraw();
      loadPieces();
    },
    /** Hear each state, also while another view is open. */
    hear(state) {
      sounds(state, state.page);
    },
    show(state) {
      if (!world.drawing) return;
      if (turnToPlayer() || (world.drawing.plan.trays === "whole") !== wantsWhole()) redraw();
      else draw(state);
    },
    opened() {
      redraw();
    },
    light(bytes) {
      if (!view.hidden) world.lights?.paint(bytes);
    },
  };
}
