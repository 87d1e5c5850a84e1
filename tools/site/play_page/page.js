// Stands before the scripts of the page, and connects them to the program in a Web Worker of this tab.
// The page itself is the one that a server sends: it calls `fetch` and opens a WebSocket, and here both
// lead to the worker. Until the first light arrives, a panel says how far the board is.
(() => {
  const base = new URL(".", document.currentScript.src);
  const { sentences } = JSON.parse(document.getElementById("loading-sentences").textContent);
  const fetchFile = globalThis.fetch.bind(globalThis);
  const exchanges = new Map(); // what the page has asked for and not yet got, by number
  let numbered = 0;
  let worker = null;
  const unsent = []; // what the page has asked for before there was a worker

  // ---- exchanges with the worker

  // Begin an exchange; `on` has a function for each kind of event that the worker tells of.
  function begin(message, on) {
    numbered += 1;
    exchanges.set(numbered, on);
    send({ ...message, n: numbered });
    return numbered;
  }

  function send(message) {
    if (worker) worker.postMessage(message);
    else unsent.push(message);
  }

  function take({ n, kind, content }) {
    if (n === undefined) {
      told[kind](content);
      return;
    }
    const on = exchanges.get(n);
    if (kind === "end" || kind === "closed") exchanges.delete(n);
    on?.[kind]?.(content);
  }

  const headers = () => ({ "accept-language": navigator.languages.join(",") });

  // ---- fetch

  // Return the path and query of an address that the program answers; null: it is a file.
  function target(address) {
    const url = new URL(address, document.baseURI);
    return url.origin === location.origin && url.pathname.startsWith("/api/") ? url.pathname + url.search : null;
  }

  globalThis.fetch = async (address, options = {}) => {
    const wanted = target(address);
    if (wanted === null) return fetchFile(address, options);
    const body = options.body === undefined ? null : await new Response(options.body).arrayBuffer();
    return ask(wanted, options.method ?? "GET", body, options.signal);
  };

  function ask(wanted, method, body, signal) {
    return new Promise((answer, fail) => {
      signal?.throwIfAborted();
      let chunks;
      const n = begin({ kind: "request", method, target: wanted, headers: headers(), body }, {
        start(content) {
          const [status, pairs] = JSON.parse(content);
          const stream = new ReadableStream({ start(controller) { chunks = controller; }, cancel: leave });
          answer(new Response(stream, { status, headers: pairs }));
        },
        chunk: (content) => chunks.enqueue(content),
        end() {
          if (chunks) chunks.close();
          else fail(new TypeError("no answer"));
        },
      });
      function leave() {
        if (!exchanges.delete(n)) return;
        send({ kind: "leave", n });
      }
      signal?.addEventListener("abort", () => {
        if (!exchanges.has(n)) return;
        leave();
        fail(signal.reason);
        chunks?.error(signal.reason);
      });
    });
  }

  // A link to an answer of the program saves it as a file.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[href]");
    const wanted = link ? target(link.href) : null;
    if (wanted === null) return;
    event.preventDefault();
    const answer = await ask(wanted, "GET", null);
    const named = answer.headers.get("content-disposition") ?? "";
    const [, encoded = "", plain = ""] = named.match(/filename\*=UTF-8''([^;]+)|filename="([^"]+)"/) ?? [];
    const url = URL.createObjectURL(await answer.blob());
    const saving = document.createElement("a");
    saving.href = url;
    saving.download = decodeURIComponent(encoded) || plain || link.download;
    saving.click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }, true);

  // ---- the live connection

  globalThis.WebSocket = class BoardSocket {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSING = 2;
    static CLOSED = 3;

    constructor(address) {
      const { pathname, search } = new URL(address);
      this.readyState = BoardSocket.CONNECTING;
      this.onopen = this.onmessage = this.onclose = null;
      this.number = begin({ kind: "connect", target: pathname + search, headers: headers() }, {
        open: () => {
          this.readyState = BoardSocket.OPEN;
          this.onopen?.({});
        },
        message: (content) => {
          if (typeof content !== "string" && content[0] === 1) firstLight();
          this.onmessage?.({ data: typeof content === "string" ? content : content.buffer });
        },
        closed: (content) => {
          const [code, reason] = JSON.parse(content);
          this.readyState = BoardSocket.CLOSED;
          this.onclose?.({ code, reason });
        },
      });
    }

    send(text) {
      send({ kind: "text", n: this.number, text });
    }

    close() {
      this.readyState = BoardSocket.CLOSED;
      if (exchanges.delete(this.number)) send({ kind: "leave", n: this.number });
    }
  };

  // ---- what the panel says

  const language = [localStorage.getItem("language"), ...navigator.languages]
    .map((each) => (each ?? "").slice(0, 2).toLowerCase()).find((each) => each in sentences) ?? "en";
  const element = (id) => document.getElementById(id);

  function say(name, values = {}) {
    const text = sentences[language][name].replace(/\{(\w+)\}/g, (_, value) => values[value]);
    const line = element("loading-text");
    if (line.textContent !== text) line.textContent = text;
  }

  // Show or hide the panel; what is behind it cannot be reached.
  function panel(shown) {
    element("loading").hidden = !shown;
    for (const each of document.body.children) {
      if (each.id !== "loading" && each.tagName !== "SCRIPT") each.inert = shown;
    }
  }

  function stop(name) {
    panel(true);
    element("loading").dataset.stopped = "";
    say(name);
  }

  function firstLight() {
    if (element("loading").hidden || "stopped" in element("loading").dataset) return;
    panel(false);
    performance.mark("first light");
    keepForLater();
  }

  const told = {
    loaded({ bytes, all }) {
      element("loading-bar").max = all;
      element("loading-bar").value = bytes;
      const percent = Math.floor((100 * bytes) / all);
      if (bytes < all) say("loading", { percent });
      else say("starting");
    },
    failed(why) {
      console.error(why);
      stop("failed");
    },
    ended(why) {
      console.error(why);
      stop("ended");
    },
    kept(why) { // "" if the last change was kept
      if (why) console.error(why);
      element("unsaved").textContent = sentences[language].unsaved;
      element("unsaved").hidden = !why;
    },
  };

  // ---- beginning

  // The board is in one tab at a time, because its matches are; `begun` runs when it is in this one.
  function inOneTab(begun) {
    if (!navigator.locks) {
      begun();
      return;
    }
    const held = new Promise(() => {}); // until the tab is closed
    navigator.locks.request(`lampion ${base.pathname}`, { ifAvailable: true }, (lock) => {
      if (lock) {
        begun();
        return held;
      }
      say("elsewhere");
      navigator.locks.request(`lampion ${base.pathname}`, () => {
        begun();
        return held;
      });
    });
  }

  function startWorker() {
    worker = new Worker(new URL("board_worker.js", base), { type: "module" });
    worker.onmessage = ({ data }) => take(data);
    worker.onerror = (event) => told.failed(event.message ?? "the worker could not be loaded");
    for (const message of unsent.splice(0)) worker.postMessage(message);
  }

  // Keep all files of the page in this browser, for a visit without a network.
  function keepForLater() {
    navigator.serviceWorker?.register(new URL("offline.js", base), { updateViaCache: "none" }).catch(console.error);
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.documentElement.lang = language;
    panel(true);
    say("loading", { percent: 0 });
    element("loading-first").textContent = navigator.serviceWorker?.controller ? "" : sentences[language].first;
    if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") stop("old");
    else inOneTab(startWorker);
  });
})();
