// SPDX-License-Identifier: MIT
// Serves: one writer per thread in a process; appends in order, synchronous stores never waited
// for; a refused append voids what the engine knows; the witness comes along; folding in the
// store's words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openThread } from "../../js/run/thread.js";
import { MemoryStore } from "../../js/savers/memory/store.js";

class FakeEngine {
  dead = false;
  calls = [];
  known = { known: false, seq: 0, crc: 0 };
  open(name, text) {
    this.calls.push(`${name} ${text}`);
    return this.calls.length;
  }
  call(name) {
    this.calls.push(name);
    return 0;
  }
  afterwards(name) {
    if (!this.dead) this.calls.push(name);
  }
  head() {
    return this.known;
  }
  count(name) {
    return this.calls.filter((call) => call === name).length;
  }
}

const user = (writes = true) => ({
  writes,
  lost: undefined,
  lose(error) {
    this.lost = error;
  },
});
const commit = (seq) => ({ firstSeq: seq, seq, crc: seq * 11 });
const headAt = (seq) => (seq === 0 ? undefined : { seq, crc: seq * 11 });
const bytes = (n) => new Uint8Array(n).fill(n);

/** A store that answers when it is told to. */
class SlowStore extends MemoryStore {
  order = [];
  waiting = [];
  witnessed = [];
  append(id, now, piece, expected) {
    this.order.push(`asked ${now.seq}`);
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(super.append(id, now, piece, expected));
          this.order.push(`stored ${now.seq}`);
        } catch (error) {
          reject(error);
        }
      });
    });
  }
  async witness(id, head) {
    if (head) this.witnessed.push(head.seq);
    return this.witnessed.length ? headAt(this.witnessed.at(-1)) : undefined;
  }
  async go() {
    while (this.waiting.length) {
      this.waiting.shift()();
      await new Promise(setImmediate);
    }
  }
}

test("a store that answers directly is not waited for", () => {
  const store = new MemoryStore();
  const thread = openThread(new FakeEngine(), store, "t", user());
  for (let seq = 1; seq <= 3; seq++)
    assert.equal(thread.append(commit(seq), bytes(seq), headAt(seq - 1)), undefined);
  assert.deepEqual(store.head("t"), headAt(3));
});

test("appends to a store that takes its time are chained in order, and witnessed after", async () => {
  const store = new SlowStore();
  const thread = openThread(new FakeEngine(), store, "t", user());
  const all = [1, 2, 3].map((seq) => thread.append(commit(seq), bytes(seq), headAt(seq - 1)));
  assert.deepEqual(store.order, ["asked 1"]);
  await store.go();
  await Promise.all(all);
  assert.deepEqual(store.order, [
    "asked 1",
    "stored 1",
    "asked 2",
    "stored 2",
    "asked 3",
    "stored 3",
  ]);
  assert.equal(store.witnessed.at(-1), 3);
  assert.equal(thread.tail, undefined);
});

test("another process's writer fences this one: all writers of the thread lose, readers do not", async () => {
  const store = new SlowStore();
  const engine = new FakeEngine();
  const [writer, other, reader] = [user(), user(), user(false)];
  const thread = openThread(engine, store, "t", writer);
  assert.equal(openThread(engine, store, "t", other), thread);
  openThread(engine, store, "t", reader);
  MemoryStore.prototype.append.call(store, "t", commit(1), bytes(1), undefined);
  const [first, second] = [
    thread.append(commit(1), bytes(1), undefined),
    thread.append(commit(2), bytes(2), headAt(1)),
  ];
  await Promise.all([
    store.go(),
    assert.rejects(first, { code: "FENCED" }),
    assert.rejects(second, { code: "FENCED" }),
  ]);
  assert.equal(writer.lost.code, "FENCED");
  assert.equal(other.lost.code, "FENCED");
  assert.equal(reader.lost, undefined);
  assert.ok(engine.count("weft_thread_reset") > 0);
  assert.deepEqual(store.order, ["asked 1"], "what stands behind a refused append is not sent");
});

test("a failing store's error names the thread", () => {
  const store = new MemoryStore();
  store.append = () => {
    throw new Error("disk on fire");
  };
  const lost = user();
  const thread = openThread(new FakeEngine(), store, "t", lost);
  assert.throws(() => thread.append(commit(1), bytes(1), undefined), {
    code: "STORE",
    message: /thread t .*disk on fire/,
  });
  assert.equal(lost.lost.code, "STORE");
});

test("before a run the store's head is compared with what the engine knows", async () => {
  const store = new MemoryStore();
  const engine = new FakeEngine();
  const thread = openThread(engine, store, "t", user());
  store.append("t", commit(1), bytes(1), undefined);
  thread.check();
  assert.equal(engine.count("weft_thread_reset"), 0, "nothing known, nothing to forget");
  engine.known = { known: true, seq: 1, crc: 11 };
  thread.check();
  assert.equal(engine.count("weft_thread_reset"), 0);
  store.append("t", commit(2), bytes(1), headAt(1));
  thread.check();
  assert.equal(engine.count("weft_thread_reset"), 1);
  store.head = async () => headAt(3);
  await thread.check();
  assert.equal(engine.count("weft_thread_reset"), 2);
});

test("what is loaded comes with the newest record that was acknowledged anywhere", async () => {
  const empty = openThread(new FakeEngine(), new MemoryStore(), "new", user());
  assert.deepEqual(empty.load(), { pieces: [], last: undefined });
  const store = new SlowStore();
  store.witnessed.push(4);
  const thread = openThread(new FakeEngine(), store, "t", user());
  MemoryStore.prototype.append.call(store, "t", commit(1), bytes(1), undefined);
  const log = await thread.load();
  assert.deepEqual(log.pieces, [bytes(1)]);
  assert.equal(log.last.seq, 4);
  store.witnessed = [];
  assert.equal((await thread.load()).last.seq, 1);
});

test("who reads while an append fails is told what is stored, not of the failure", async () => {
  const store = new SlowStore();
  const thread = openThread(new FakeEngine(), store, "t", user());
  MemoryStore.prototype.append.call(store, "t", commit(1), bytes(1), undefined);
  store.append = async () => {
    await new Promise(setImmediate);
    throw new Error("no room");
  };
  const failing = thread.append(commit(2), bytes(2), headAt(1));
  const log = thread.load();
  await assert.rejects(failing, { code: "STORE" });
  assert.deepEqual((await log).pieces, [bytes(1)]);
});

test("a commit that is stored while the log is loaded is not taken for a lost one", async () => {
  for (const late of ["head", "witness"]) {
    const store = new SlowStore();
    const thread = openThread(new FakeEngine(), store, late, user());
    const write = (seq) => {
      MemoryStore.prototype.append.call(store, late, commit(seq), bytes(seq), headAt(seq - 1));
      store.witnessed.push(seq);
    };
    write(1);
    store.read = async (id) => MemoryStore.prototype.read.call(store, id);
    const answer = store[late];
    store[late] = async (...words) => {
      await new Promise(setImmediate);
      write(2);
      return answer.apply(store, words);
    };
    const { pieces, last } = await thread.load();
    const read = pieces.flatMap((piece) => [...piece]).at(-1);
    assert.ok(read >= last.seq, `${read} read, ${last.seq} acknowledged`);
  }
});

test("64 commits fold into one piece that holds their bytes, where the store folds", async () => {
  const store = new MemoryStore();
  store.foldable = true;
  const thread = openThread(new FakeEngine(), store, "t", user());
  const appended = Array.from({ length: 70 }, (_, at) =>
    thread.append(commit(at + 1), new Uint8Array([at + 1]), headAt(at)),
  );
  // The 64th is waited for until they are folded.
  assert.equal(
    appended.findIndex((answer) => answer !== undefined),
    63,
  );
  await Promise.all(appended);
  const pieces = store.read("t");
  assert.equal(pieces.length, 2);
  assert.deepEqual(
    [...pieces[0]],
    Array.from({ length: 64 }, (_, i) => i + 1),
  );
});

test("a thread without users rests, is found again, and is closed when too many rest", () => {
  const engine = new FakeEngine();
  const store = new MemoryStore();
  const first = user();
  const thread = openThread(engine, store, "first", first);
  thread.release(first);
  assert.equal(thread.store, undefined);
  assert.equal(openThread(engine, store, "first", first), thread);
  thread.release(first);
  for (let i = 0; i < 1024; i++) {
    const guest = user();
    openThread(engine, store, `t${i}`, guest).release(guest);
  }
  assert.ok(engine.count("weft_thread_free") >= 1);
  assert.notEqual(openThread(engine, store, "first", first), thread);
  assert.throws(() => openThread(engine, store, "", first), { code: "BAD_ARGUMENT" });
});

test("another engine gets a handle of its own", () => {
  const store = new MemoryStore();
  const guest = user();
  const old = openThread(new FakeEngine(), store, "t", guest);
  old.release(guest);
  assert.notEqual(openThread(new FakeEngine(), store, "t", guest), old);
});
