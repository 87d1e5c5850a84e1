// The keys of a match. They act wherever the focus is, except where somebody writes or a dialog is open.

const WRITES = "input:not([type=radio], [type=checkbox]), select, textarea";

/**
 * @param {object} does what the keys do: hand(name), answer(button), press(button), throwDie(number),
 *   say(), step(name), rotate(), sound(), help()
 * @param {() => boolean} playing whether the match is shown
 */
export function watchKeys(world, does, playing) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !world.state || !playing()) return;
    if (document.activeElement?.matches(WRITES) || document.querySelector("dialog[open]")) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (pressed(name)) event.preventDefault();
  });

  function pressed(name) {
    if (does.hand(name)) return true;
    const { state } = world;
    const button = { u: "back", h: "hint", y: "yes", n: "no", Escape: state.question.length ? "back" : "" }[name];
    if (button === "yes" || button === "no") {
      if (does.answer(button)) return true;
      if (!state.allowed.includes(button)) return false;
    }
    if (button && state.allowed.includes(button)) does.press(button);
    else if (/^[1-6]$/.test(name)) return Boolean(does.throwDie(Number(name)));
    else if (name === "t") return Boolean(does.throwDie(0));
    else if (name === "/") does.say();
    else if (["[", "]", "Home", "End"].includes(name)) return Boolean(does.step(name));
    else if (name === "v") does.rotate();
    else if (name === "m") does.sound();
    else if (name === "?") does.help();
    else return false;
    return true;
  }
}
