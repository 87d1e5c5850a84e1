// Speech: reads aloud what the board says, in the language of the page, if the browser has a voice.

/** Make the speaker. It is off until the user chooses it; the browser remembers that. */
export function speaker() {
  const voices = window.speechSynthesis;
  let on = localStorage.getItem("speech") === "on";
  let last = "";

  // Return the voice of a language, one of this device first: others need the network.
  function voiceOf(language) {
    const known = voices.getVoices().filter((voice) => voice.lang.toLowerCase().startsWith(language));
    return known.find((voice) => voice.localService) ?? known[0] ?? null;
  }

  return {
    /** Whether this browser can speak at all. */
    available: Boolean(voices),
    get on() {
      return on && Boolean(voices);
    },
    set on(value) {
      on = value;
      localStorage.setItem("speech", value ? "on" : "off");
      if (!value) voices?.cancel();
    },
    /**
     * Say a sentence, once. An urgent one interrupts what is being said.
     * @param {string} text
     * @param {string} language `en`, `pl`, `cs`, `fr`
     */
    say(text, language, urgent = false) {
      if (!this.on || !text || text === last || document.hidden) return;
      last = text;
      if (urgent || voices.pending) voices.cancel(); // what is old is not read to the end
      const words = new SpeechSynthesisUtterance(text);
      words.lang = language;
      words.voice = voiceOf(language);
      voices.speak(words);
    },
    /** Forget what was said last: a new match may begin with the same sentence. */
    reset() {
      last = "";
    },
  };
}
