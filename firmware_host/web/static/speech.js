// Speech: says whose turn it is and what to do next, in the language of the page, if the browser has a voice.

const SIGNS = /\s*[◎○✕★▸❗]/gu; // a sentence names their colours, too

/**
 * Return what speaks the states of a board: `hear(state)`. It is off until somebody chooses it with
 * `box`; the browser remembers that. `box` is hidden while there is no voice of the page's language.
 */
export function speechAt(world, box) {
  const synthesis = window.speechSynthesis;
  let on = localStorage.getItem("speech") === "on";
  let told = new Set(); // the sentences of the last state

  // Return a voice of the page's language, one of this device first: others need the network.
  function voice() {
    const { language } = world.board ?? {};
    const known = synthesis?.getVoices().filter(({ lang }) => language && lang.toLowerCase().split(/[-_]/)[0] === language) ?? [];
    return known.find((each) => each.localService) ?? known[0] ?? null;
  }

  function say(text, by) {
    const words = new SpeechSynthesisUtterance(text.replace(SIGNS, ""));
    words.voice = by;
    words.lang = by.lang;
    synthesis.speak(words);
  }

  function show() {
    box.closest("label").hidden = !voice();
  }

  box.checked = on;
  box.onchange = () => {
    on = box.checked;
    localStorage.setItem("speech", on ? "on" : "off");
    told = new Set();
    if (!on) synthesis?.cancel();
    else if (world.state) hear(world.state); // at once, so that people hear that it works
  };
  synthesis?.addEventListener?.("voiceschanged", show);

  function hear({ urgent, turn_line: turn, next_step: steps }) {
    const by = on && !document.hidden ? voice() : null;
    if (!by) return;
    const fresh = (lines) => lines.filter((line) => line && !told.has(line));
    const [first, then] = [fresh(urgent), fresh([turn, ...steps].filter((line) => !urgent.includes(line)))];
    told = new Set([...urgent, turn, ...steps]);
    if (first.length || (then.length && synthesis.pending)) synthesis.cancel(); // what waits is old by now
    for (const line of new Set([...first, ...then])) say(line, by);
  }

  return { hear, show };
}
