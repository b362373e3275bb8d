// SPDX-License-Identifier: MIT
// T5: a crash of the machine after each call that changes the file store's folder: of all that no
// sync has made durable by then, every subset is lost. What was acknowledged is there all the same,
// and the thread goes on.
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { FileStore } from "../../js/savers/file/store.js";
import { figure, isBroken } from "./kit.mjs";

const VERBS = ["open", "link", "rename", "unlink", "mkdir"];
const real = Object.fromEntries(VERBS.map((verb) => [verb, fs[verb]]));
const MOST = 10;

/**
 * What happened in a folder: names that came and went, contents, and which of it a sync has made
 * durable.
 */
class Journal {
  /**
   * { parent, name, node } a name came in a folder, for a file or a folder; or went (node
   * undefined).
   */
  changes = [];
  /**
   * By number: a folder's names as the process sees them, or a file's content. The first is the
   * root.
   * @type {{ names?: Map<string, number>, pool?: string, synced?: boolean }[]}
   */
  nodes = [{ names: new Map() }];
  acknowledged = 0;
  /** Behind each change: what is durable, and how many commits were acknowledged. */
  marks = [];

  /**
   * @param {string} root
   * @param {string} pool a folder for contents
   * @param {boolean} deaf T5's planted bug: a disk that forgets to sync
   */
  constructor(root, pool, deaf) {
    Object.assign(this, { root, pool, deaf });
  }

  /**
   * The folder that a path is in, by number, and its name there.
   * @param {string} path
   * @returns {[number, string]}
   */
  find(path) {
    const parts = path.slice(this.root.length + 1).split("/");
    const name = parts.pop();
    return [parts.reduce((node, part) => this.nodes[node].names.get(part), 0), name];
  }

  nodeOf(path) {
    const [parent, name] = this.find(path);
    return this.nodes[parent].names.get(name);
  }

  change(path, node) {
    const [parent, name] = this.find(path);
    if (node === undefined) this.nodes[parent].names.delete(name);
    else this.nodes[parent].names.set(name, node);
    this.changes.push({ parent, name, node, durable: false });
    this.marks.push({
      acknowledged: this.acknowledged,
      durable: this.changes.map(({ durable }) => durable),
      synced: this.nodes.map(({ synced }) => synced),
    });
  }

  add(path, node) {
    this.change(path, this.nodes.push(node) - 1);
  }

  syncFolder(path) {
    const folder = path === this.root ? 0 : this.nodeOf(path);
    for (const change of this.deaf ? [] : this.changes)
      if (change.parent === folder) change.durable = true;
  }

  install() {
    const own = (path) => String(path).startsWith(this.root);
    fs.mkdir = async (path, options) => {
      const answer = await real.mkdir(path, options);
      for (const one of own(path) ? [...parents(path, this.root), path] : [])
        if (this.nodeOf(one) === undefined) this.add(one, { names: new Map() });
      return answer;
    };
    fs.open = async (path, flags) => {
      const file = await real.open(path, flags);
      if (!own(path)) return file;
      const { datasync, sync } = file;
      if (flags === "wx") {
        const content = { pool: join(this.pool, String(this.nodes.length)), synced: false };
        await real.link(path, content.pool);
        this.add(path, content);
        file.datasync = () => datasync.call(file).then(() => (content.synced = true));
      } else file.sync = () => sync.call(file).then(() => this.syncFolder(path));
      return file;
    };
    fs.link = async (from, to) => {
      await real.link(from, to);
      if (own(to)) this.change(to, this.nodeOf(from));
    };
    fs.unlink = async (path) => {
      await real.unlink(path);
      if (own(path)) this.change(path, undefined);
    };
    fs.rename = async (from, to) => {
      await real.rename(from, to);
      if (!own(to)) return;
      this.change(to, this.nodeOf(from));
      this.change(from, undefined);
    };
    syncBuiltinESMExports();
  }
}

function parents(path, root) {
  const list = [];
  for (let dir = dirname(path); dir.startsWith(root) && dir !== root; dir = dirname(dir))
    list.unshift(dir);
  return list;
}

function restore() {
  Object.assign(fs, real);
  syncBuiltinESMExports();
}

/**
 * The folder as a crash leaves it.
 * @param {Journal} journal
 * @param {number} until
 * @param {(index: number) => boolean} isKept
 * @param {string} target
 */
async function materialise(journal, until, isKept, target) {
  const { durable, synced } = journal.marks[until];
  const folders = new Map([[0, new Map()]]);
  journal.changes.slice(0, until + 1).forEach(({ parent, name, node }, i) => {
    if (!durable[i] && !isKept(i)) return;
    if (!folders.has(parent)) folders.set(parent, new Map());
    if (node === undefined) folders.get(parent).delete(name);
    else folders.get(parent).set(name, node);
  });
  const fill = async (folder, path) => {
    await real.mkdir(path);
    for (const [name, node] of folders.get(folder) ?? []) {
      const { names, pool } = journal.nodes[node];
      if (names !== undefined) await fill(node, join(path, name));
      else if (synced[node]) await real.link(pool, join(path, name));
      else await fs.writeFile(join(path, name), "");
    }
  };
  await fill(0, target);
}

async function append(store, head, size) {
  const seq = (head?.seq ?? 0) + 1;
  const next = { seq, crc: (seq * 2654435761) >>> 0 };
  await store.append(
    "thread",
    { ...next, firstSeq: seq },
    new TextEncoder().encode(`${seq} ${"x".repeat(size)}\n`),
    head,
  );
  return next;
}

test("T5: every subset of what was not synced may be lost", { timeout: 1_200_000 }, async (t) => {
  const base = await fs.mkdtemp(join(tmpdir(), "weft-unsynced-"));
  t.after(() => fs.rm(base, { recursive: true, force: true, maxRetries: 5 }));
  t.after(restore);
  const [root, pool] = [join(base, "store"), join(base, "pool")];
  await fs.mkdir(root);
  await fs.mkdir(pool);
  const journal = new Journal(root, pool, isBroken("T5"));
  journal.install();
  const store = new FileStore({ path: root });
  let head;
  // The third commit makes them fold, and so does the sixth.
  for (const size of [100_000, 100_000, 100_000, 10, 200_000, 100_000, 10]) {
    head = await append(store, head, size);
    journal.acknowledged++;
    await store.witness("thread", head);
  }
  restore();
  const counts = { crashes: 0, subsets: 0 };
  for (let until = 0; until < journal.changes.length; until++) {
    const { durable, acknowledged } = journal.marks[until];
    // What is aside never matters, and the witness may lag.
    const aside = ["tmp", "witness"].map((name) => journal.nodes[0].names.get(name));
    const isAside = ({ parent }) => aside.includes(parent);
    const open = [...durable.keys()]
      .filter((i) => !durable[i] && !isAside(journal.changes[i]))
      .slice(-MOST);
    counts.crashes++;
    for (let subset = 0; subset < 1 << open.length; subset++) {
      const target = join(base, `crash-${counts.subsets++}`);
      await materialise(
        journal,
        until,
        (i) => !open.includes(i) || (subset & (1 << open.indexOf(i))) !== 0,
        target,
      );
      const after = new FileStore({ path: target });
      const where = `T5: after ${journal.changes[until].name}, subset ${subset} of ${open.length}`;
      const lines = Buffer.concat(
        await after.read("thread").catch((error) => assert.fail(`${where}: ${error.stack}`)),
      )
        .toString()
        .split(/(?<=\n)/)
        .filter(Boolean);
      lines.forEach((line, i) => assert.equal(parseInt(line, 10), i + 1, where));
      assert.ok(
        lines.length >= acknowledged,
        `${where}: ${lines.length} of ${acknowledged} acknowledged commits`,
      );
      const found = await after.head("thread");
      assert.equal(found?.seq ?? 0, lines.length, where);
      await append(after, found, 10);
      await fs.rm(target, { recursive: true, maxRetries: 5 });
    }
  }
  figure("T5 unsynced", counts);
});
