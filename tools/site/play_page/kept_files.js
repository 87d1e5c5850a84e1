// A folder of Python's files that this browser keeps, in IndexedDB.

const TOGETHER_MS = 20; // what is written within this time is kept together

// Mount the folder with what was kept in it. Every change in it is kept a moment later; `told` gets why that
// fails, and "" when it succeeds again.
export async function keptFolder(FS, folder, told) {
  FS.mkdirTree(folder);
  FS.mount(FS.filesystems.IDBFS, {}, folder);
  const { mount } = FS.lookupPath(folder).node;
  let due = false; // whether changes wait to be kept
  let keeping = false;
  let failure = "";
  const tell = (why) => {
    if (why !== failure) told(why);
    failure = why;
  };
  try {
    await sync(FS, true);
  } catch (error) {
    tell(String(error));
    return;
  }

  async function keep() {
    while (due) {
      due = false;
      await sync(FS, false).then(() => tell(""), (error) => tell(String(error)));
    }
    keeping = false;
  }

  function changed() {
    due = true;
    if (keeping) return;
    keeping = true;
    setTimeout(keep, TOGETHER_MS);
  }

  watchChanges(FS, mount, changed);
}

function sync(FS, populate) {
  return new Promise((done, fail) => {
    FS.syncfs(populate, (error) => (error ? fail(error) : done()));
  });
}

// Call `changed` after each change below a mount. Each write gets a later time than the one before: what is
// kept is compared by time, and two writes may fall into one millisecond. A time that is set stays.
function watchChanges(FS, mount, changed) {
  const { dir, file } = FS.filesystems.MEMFS.ops_table;
  const touch = (node, attributes) => {
    if (node.mount !== mount) return;
    const isTimeSet = attributes?.mtime !== undefined;
    if (FS.isFile(node.mode) && !isTimeSet) node.mtime = Math.max(Date.now(), node.kept ?? 0) + 1;
    node.kept = node.mtime;
    changed();
  };
  const after = (operations, name, touched) => {
    const operation = operations[name];
    operations[name] = (...given) => {
      const result = operation(...given);
      for (const [node, attributes] of touched(...given)) touch(node, attributes);
      return result;
    };
  };
  after(file.stream, "write", (stream) => [[stream.node]]);
  after(file.node, "setattr", (node, attributes) => [[node, attributes]]);
  after(dir.node, "mknod", (parent) => [[parent]]);
  after(dir.node, "unlink", (parent) => [[parent]]);
  after(dir.node, "rmdir", (parent) => [[parent]]);
  after(dir.node, "rename", (node, folder) => [[node], [folder]]);
}
