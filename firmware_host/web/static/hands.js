// Hands at the board: drag or click with mouse, touch or pen, or use the keyboard.
//
// The server lifts and puts pieces; only the ghost of a piece under the pointer is drawn at once. On a
// real board only people move pieces: there the keyboard only moves the focus from place to place.
import { svg } from "./elements.js";
import { directionOf, lowest, nearest } from "./geometry.js";
import { drawPiece } from "./pieces.js";

const FINGER = 44; // pixels; over smaller cells a finger would hide where the piece goes
const ABOVE = 40; // pixels that the held piece floats above a finger there
const DRAG_FROM = 6; // pixels after which a press becomes a drag
const BOX = "box";

// Let hands work on `world.drawing`. `act(type, fields)` sends a command and shows a refusal; on a real
// board `point(place)` is called for a place that is touched.
export function handsAt(world, act, point) {
  let press = null; // the pointer that is down, and where it went down
  let queue = Promise.resolve(); // the steps of the hand, one after the other
  let waiting = 0; // how many of them are not done yet
  let pointer = null; // where the ghost is, in millimetres
  let over = null; // the element of the place under the ghost, where cells are small
  let landing = null; // where the piece was that this page has just put down

  const held = () => world.state?.pieces.find((piece) => piece.held_by && piece.held_by === world.state.page);
  const top = (id) => world.state?.pieces.filter((piece) => piece.place === id).at(-1);
  const target = (id) => world.drawing.targets.get(id);
  const send = (type, piece, more) => act(type, { piece: piece.id, rev: world.state.table_rev, ...more });

  // Do a step when all steps before it are done and shown, so that it is based on the table of then.
  function inTurn(step) {
    if (!world.board?.simulated) return;
    waiting += 1;
    queue = queue.then(step).catch((error) => console.error(error)).finally(() => { waiting -= 1; });
  }

  const lift = (piece) => piece && send("lift", piece);

  function put(place) {
    const piece = held();
    if (!piece) return null;
    landing = pointer && { piece: piece.id, ...pointer };
    if (place === piece.from && !top(place)) return send("back", piece);
    return send("put", piece, { place });
  }

  function back() {
    const piece = held();
    return piece && send("back", piece);
  }

  function turnOver(type, id) {
    const piece = held() || top(id);
    return piece && send(type, piece);
  }

  // Where a pointer holds its piece: above a finger that would hide a small cell.
  function tipOf(event) {
    const { scale, board } = world.drawing;
    const floats = event.pointerType === "touch" && press?.dragging && scale * board.pitch < FINGER;
    return world.drawing.position(floats ? { clientX: event.clientX, clientY: event.clientY - ABOVE } : event);
  }

  // Mark the place under the piece where cells are small.
  function mark(place) {
    const element = place && world.drawing.scale * world.drawing.board.pitch < FINGER ? target(place.id) : null;
    if (element === over) return;
    over?.classList.remove("over");
    element?.classList.add("over");
    over = element;
  }

  // ---- pointers: the first one on the board moves pieces; the others zoom and scroll the page

  function down(event) {
    if (press || event.button > 0 || !world.state || !world.board.simulated) return;
    const point = world.drawing.position(event);
    const place = world.drawing.under(point);
    // A piece that is shown in the hand may be on its way to the board: then this press is a new drag.
    const piece = place && (waiting > 0 || !held()) && top(place.id);
    press = { id: event.pointerId, x: event.clientX, y: event.clientY, place, piece, dragging: false };
    pointer = point;
    document.body.classList.add("pointed"); // no focus ring: it would look like a light
    if (place) focus(place.id);
    event.preventDefault();
    world.drawing.root.setPointerCapture(event.pointerId);
  }

  function move(event) {
    if (press ? press.id !== event.pointerId : event.pointerType === "touch") return;
    pointer = tipOf(event);
    if (press?.place && !press.dragging) {
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_FROM;
      press.dragging = far;
      if (far) drag(press);
    }
    mark(press?.dragging ? world.drawing.under(pointer) : null);
    drawGhost();
  }

  function drag(gesture) {
    document.body.classList.add("dragging");
    inTurn(() => {
      gesture.dragging = !held(); // a piece that is already in the hand is put by a click
      return gesture.dragging && lift(top(gesture.place.id));
    });
  }

  function up(event) {
    if (press?.id !== event.pointerId) return;
    const gesture = press;
    const place = world.drawing.under(tipOf(event))?.id;
    press = null;
    const onBox = document.elementFromPoint(event.clientX, event.clientY)?.closest("#box-holder, #hand-box");
    ended();
    inTurn(() => {
      if (place && (gesture.dragging || held())) return put(place);
      if (gesture.dragging) return onBox ? put(BOX) : back();
      return gesture.place && !held() && lift(top(gesture.place.id));
    });
  }

  // The browser has taken the pointer, or it is gone: its piece goes back.
  function cancel(event) {
    if (press?.id === event.pointerId) dropDrag();
  }

  function ended() {
    document.body.classList.remove("dragging");
    mark(null);
  }

  function dropDrag() {
    const gesture = press;
    press = null;
    ended();
    inTurn(() => gesture?.dragging && back());
  }

  // One finger on a piece drags it; other fingers may scroll or zoom the page.
  function touched(event) {
    if (press?.piece && event.touches.length === 1 && event.cancelable) event.preventDefault();
  }

  let ghost = null; // the drawing of the held piece
  function drawGhost() {
    const layer = world.drawing.layers.ghost;
    const piece = held();
    const at = piece && (pointer || world.drawing.places.get(world.focus));
    if (!at) {
      ghost = null;
      layer.replaceChildren();
      return;
    }
    if (ghost?.parentNode !== layer) {
      layer.replaceChildren();
      ghost = svg(layer, "g", { class: "piece mine" });
      const { pitch } = world.drawing.board;
      svg(ghost, "ellipse", { cx: 0, cy: pitch * 0.16, rx: pitch * 0.62, ry: pitch * 0.58, class: "shadow", transform: `rotate(${-world.drawing.rotation})` });
      svg(ghost, "g");
    }
    ghost.setAttribute("transform", `translate(${at.x} ${at.y})`);
    drawPiece(ghost.lastChild, world.drawing, piece, world.drawing.board.pitch * 1.02);
  }

  // ---- keys

  document.addEventListener("keydown", () => document.body.classList.remove("pointed"), true);

  function focus(id) {
    if (world.focus && target(world.focus)) target(world.focus).tabIndex = -1;
    world.focus = id;
    const element = target(id);
    element.tabIndex = 0;
    element.focus({ preventScroll: true });
  }

  function go(angle) {
    const best = nearest(world.drawing, world.focus, angle);
    if (best) focus(best);
    pointer = null;
    drawGhost();
  }

  // The keys of the board itself.
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const direction = directionOf(name, world.board.shape);
    if (direction !== undefined) go(direction);
    else if (name === "Enter" || name === " ") {
      const id = world.focus;
      pointer = null;
      if (!world.board.simulated) point(id);
      inTurn(() => (held() ? put(id) : lift(top(id))));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The keys of the hand, which act wherever the focus is. The result says whether it was one.
  function handKey(name) {
    if (!world.board?.simulated) return false;
    const id = world.focus;
    if (name === "Escape" && held()) inTurn(back);
    else if (name === "f") inTurn(() => turnOver("flip", id));
    else if (name === "r") inTurn(() => turnOver("turn", id));
    else if (name === "b") inTurn(() => put(BOX));
    else return false;
    return true;
  }

  // Whether it is for the user of this page to act.
  function mayAct() {
    const { role } = world.board;
    const { turn, acting, opponents } = world.state;
    const seat = turn >= 0 ? turn : acting;
    if (role.name === "watcher" || (role.name === "player" && role.seat !== seat)) return false;
    return (opponents?.player_kinds[seat] ?? "person") === "person";
  }

  return {
    mayAct,
    held, drawGhost, focus, handKey,
    /** Return where the piece was that this page has just put down, once. */
    landed() {
      const from = landing;
      landing = null;
      return from;
    },
    back: () => inTurn(back),
    box: () => inTurn(() => put(BOX)),
    flip: () => inTurn(() => turnOver("flip", world.focus)),
    turn: () => inTurn(() => turnOver("turn", world.focus)),
    lift: (piece) => { pointer = null; inTurn(() => lift(piece)); },
    // Listen to a newly drawn board and keep the focus where it was.
    attach() {
      over = null;
      dropDrag(); // a drag on the old drawing ends with it
      const { root, targets } = world.drawing;
      root.addEventListener("pointerdown", down);
      root.addEventListener("pointermove", move);
      root.addEventListener("pointerup", up);
      root.addEventListener("pointercancel", cancel);
      root.addEventListener("lostpointercapture", cancel);
      root.addEventListener("touchmove", touched, { passive: false });
      root.addEventListener("click", (event) => {
        const place = !world.board.simulated && world.drawing.under(world.drawing.position(event));
        if (place) point(place.id);
      });
      root.addEventListener("contextmenu", (event) => {
        if (!world.board.simulated) return;
        event.preventDefault();
        if (press) return; // a finger that rests on its piece
        const place = world.drawing.under(world.drawing.position(event));
        if (place) inTurn(() => turnOver("flip", place.id));
      });
      root.addEventListener("keydown", key);
      if (!targets.has(world.focus)) world.focus = lowest(world.drawing);
      for (const [id, element] of targets) {
        element.tabIndex = id === world.focus ? 0 : -1;
        element.addEventListener("focus", () => {
          if (world.focus === id) return;
          target(world.focus).tabIndex = -1;
          world.focus = id;
          element.tabIndex = 0;
        });
      }
    },
  };
}
