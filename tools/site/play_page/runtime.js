// Starts Python with the program in a worker.
import { files } from "./files.js";

const PARTS = ["pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "program.zip"];
const base = new URL(".", import.meta.url);

// Return Python with the program. `progress` is told the bytes that are there, and all bytes.
export async function startPython(progress = () => {}) {
  const all = PARTS.reduce((sum, name) => sum + files[name], 0);
  let bytes = 0;
  const count = (chunk) => {
    bytes += chunk;
    progress(bytes, all);
  };
  const parts = new Map(PARTS.map((name) => [new URL(name, base).href, fetchCounted(name, count)]));
  const fetchFile = globalThis.fetch;
  // Pyodide asks for its parts by itself; they are on their way already.
  globalThis.fetch = (address, ...rest) => parts.get(new URL(address, base).href) ?? fetchFile(address, ...rest);
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    import("./pyodide/pyodide.js"), import("./pyodide/pyodide.asm.js"),
  ]);
  const python = await loadPyodide({ createPyodideModule, indexURL: new URL("pyodide/", base).href });
  globalThis.fetch = fetchFile;
  const program = await (await parts.get(new URL("program.zip", base).href)).arrayBuffer();
  python.unpackArchive(program, "zip", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
  return python;
}

// Fetch a file, and count its bytes as they come.
async function fetchCounted(name, count) {
  const answer = await fetch(new URL(name, base));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const counting = new TransformStream({
    transform(chunk, controller) {
      count(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(answer.body.pipeThrough(counting), { headers: { "Content-Type": type } });
}

// Let the messages in that wait for this worker.
export function pause() {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}

// Return bytes or text of Python as a value that can be posted.
export function plain(content) {
  return typeof content === "string" ? content : content.toJs();
}
