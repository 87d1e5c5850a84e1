// The worker of the board: runs the program, and passes what it tells to the page.
import { keptFolder } from "./kept_files.js";
import { plain, startPython } from "./runtime.js";

const FOLDER = "/lampion";
const exchanges = new Map(); // by number
const tell = (kind, content, n) => postMessage({ kind, content, n });
const starting = start();
starting.catch((error) => tell("failed", String(error)));

async function start() {
  const python = await startPython((bytes, all) => tell("loaded", { bytes, all }));
  await keptFolder(python.FS, FOLDER, (why) => tell("kept", why));
  const { begin } = python.pyimport("firmware_host.browser.board");
  return begin(FOLDER, startAnalysis, (why) => tell("ended", why));
}

// Start the worker that searches. `received` gets each line that it says, `failed` is called if it ends.
function startAnalysis(received, failed) {
  const [take, fail] = [received.copy(), failed.copy()];
  const worker = new Worker(new URL("analysis_worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => take(data);
  worker.onerror = (event) => {
    console.error(event.message);
    fail();
  };
  return {
    send: (line) => worker.postMessage(line),
    end() {
      worker.onmessage = worker.onerror = null;
      worker.terminate();
      setTimeout(() => { // Python is still in one of them
        take.destroy();
        fail.destroy();
      });
    },
  };
}

self.onmessage = async ({ data }) => {
  const board = await starting;
  const { kind, n } = data;
  if (kind === "request" || kind === "connect") {
    const told = (what, content) => {
      tell(what, plain(content), n);
      if (what !== "end" && what !== "closed") return;
      exchanges.get(n)?.destroy();
      exchanges.delete(n);
    };
    const headers = JSON.stringify(data.headers);
    exchanges.set(n, kind === "connect"
      ? board.connect(data.target, headers, told)
      : board.request(data.method, data.target, headers, new Uint8Array(data.body ?? 0), told));
  } else if (kind === "text") {
    exchanges.get(n)?.take(data.text);
  } else if (kind === "leave") {
    const exchange = exchanges.get(n);
    exchanges.delete(n);
    exchange?.leave();
    exchange?.destroy();
  }
};
