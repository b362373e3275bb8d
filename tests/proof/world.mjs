// SPDX-License-Identifier: MIT
// A small deterministic world: one disk that processes share, on which every call waits until the
// scheduler lets it happen, in an order that a seed gives; calls fail, lose their answer, or are
// the last thing that their process did.
import { KvSaver } from "weftgraph/savers/kv";

/** A generator of numbers from a seed (mulberry32). @param {number} seed */
export function makeRandom(seed) {
  let a = seed >>> 0;
  const next = () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    chance: (p) => next() < p,
    below: (n) => Math.floor(next() * n),
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

export class Violation extends Error {}

/** @param {string} kind */
const ioError = (kind) => Object.assign(new Error(`injected: ${kind}`), { injected: kind });
const frames = { HEADER: 44, SEQ: 12 };

/** The frames of a log. @param {Uint8Array} log @returns {{ seq: number, frame: Buffer }[]} */
function framesOf(log) {
  const bytes = Buffer.from(log.buffer, log.byteOffset, log.length);
  const all = [];
  for (let at = 0; at + frames.HEADER < bytes.length; ) {
    const end = at + frames.HEADER + bytes.readUInt32LE(at + 8) + 4;
    all.push({
      seq: Number(bytes.readBigUInt64LE(at + frames.SEQ)),
      frame: bytes.subarray(at, end),
    });
    at = end;
  }
  return all;
}

export class World {
  /** @type {Map<string, Uint8Array>} */
  disk = new Map();
  /** Calls that wait: { process, verb, act, key, resolve, reject }. */
  waiting = [];
  counts = { calls: 0, failures: 0, lostAnswers: 0, crashes: 0, fenced: 0, folds: 0 };
  /** What happened, in order; without ids, which differ from run to run. */
  trace = [];
  /** Bytes of the thread's log at the last acknowledgement. */
  acknowledged = new Uint8Array();
  /** What came, or may come, in the place of all that stood before it: { lastSeq, bytes }. */
  #folds = [];

  /**
   * @param {ReturnType<typeof makeRandom>} random
   * @param {{ ignoreExpected?: boolean }} [planted]
   */
  constructor(random, planted = {}) {
    this.random = random;
    this.planted = planted;
  }

  /**
   * @param {string} threadId
   * @returns {{ seq: number, crc: number, pieces: [number, number, string][] }}
   */
  head(threadId) {
    const head = this.disk.get(`weft/${threadId}/head`);
    return head === undefined
      ? { seq: 0, crc: 0, pieces: [] }
      : JSON.parse(Buffer.from(head).toString());
  }

  /** The thread's log as it is on the disk now. @param {string} threadId */
  log(threadId) {
    const { pieces } = this.head(threadId);
    return Buffer.concat(
      pieces.map(([, , name]) => this.disk.get(`weft/${threadId}/p/${name}.0`) ?? new Uint8Array()),
    );
  }

  /** How many records of a kind the log holds whose body has this text. */
  countRecords(threadId, kind, text) {
    return framesOf(this.log(threadId)).filter(
      ({ frame }) => frame[5] === kind && frame.subarray(frames.HEADER).includes(text),
    ).length;
  }

  /**
   * @param {string} name
   * @param {{ failure?: number, crash?: number, lost?: number }} faults chances of each at a call
   */
  spawn(name, faults = {}) {
    const process = { name, alive: true, faults, seen: Buffer.alloc(0) };
    const call = (verb, act, key) => this.wait(process, verb, act, key);
    const has = (key, expected) => {
      if (this.planted.ignoreExpected) return true;
      const now = this.disk.get(key);
      return expected === undefined
        ? now === undefined
        : now !== undefined && Buffer.compare(now, expected) === 0;
    };
    process.saver = new KvSaver({
      get: (key) => call("get", () => this.disk.get(key), key),
      put: (key, value) => call("put", () => void this.disk.set(key, value)),
      list: (prefix) =>
        call("list", () => [...this.disk.keys()].filter((key) => key.startsWith(prefix)).sort()),
      delete: (key) => call("delete", () => void this.disk.delete(key)),
      cas: (key, expected, value) =>
        call("cas", () => has(key, expected) && (this.disk.set(key, value), true), key),
    });
    this.#watch(process);
    return process;
  }

  /**
   * Whether the log begins with all that was acknowledged, or with what a fold put in the place of
   * some of it and the rest.
   */
  #holdsAcknowledged(log) {
    const beginsWith = (start) => Buffer.compare(log.subarray(0, start.length), start) === 0;
    if (beginsWith(this.acknowledged)) return true;
    const all = framesOf(this.acknowledged);
    return this.#folds.some(({ lastSeq, bytes }) =>
      beginsWith(
        Buffer.concat([bytes, ...all.filter(({ seq }) => seq > lastSeq).map(({ frame }) => frame)]),
      ),
    );
  }

  /**
   * What is acknowledged is there, behind all that was acknowledged before it; what a process read,
   * it knows.
   */
  #watch(process) {
    const { store } = process.saver;
    const { append, fold, read } = store;
    store.append = async (threadId, commit, bytes, expected) => {
      const copy = Buffer.from(bytes);
      try {
        await append.call(store, threadId, commit, bytes, expected);
      } catch (error) {
        if (error.code === "FENCED") this.counts.fenced++;
        throw error;
      }
      const log = Buffer.from(this.log(threadId));
      if (!this.#holdsAcknowledged(log))
        throw this.violate("an acknowledged commit was lost or overwritten");
      if (!log.includes(copy)) throw this.violate("an acknowledged commit is not there");
      this.acknowledged = log;
      process.seen = log;
    };
    store.fold = async (threadId, range, bytes) => {
      this.#folds.push({ lastSeq: range.lastSeq, bytes: Buffer.from(bytes) });
      await fold.call(store, threadId, range, bytes);
      this.counts.folds++;
    };
    store.read = async (...given) => {
      const pieces = await read.apply(store, given);
      process.seen = Buffer.concat(pieces);
      return pieces;
    };
  }

  /** @param {string} text */
  violate(text) {
    return (this.violation ??= new Violation(text));
  }

  /** A call that happens when the scheduler picks it. */
  wait(process, verb, act = () => undefined, key = "") {
    if (!process.alive) return Promise.reject(ioError("dead"));
    return new Promise((resolve, reject) =>
      this.waiting.push({ process, verb, act, key, resolve, reject }),
    );
  }

  /** @param {any} process */
  kill(process) {
    process.alive = false;
    const own = this.waiting.filter((call) => call.process === process);
    this.waiting = this.waiting.filter((call) => call.process !== process);
    for (const { reject } of own) reject(ioError("dead"));
  }

  /**
   * Lets a call happen, fail, lose its answer, or be the last of its process.
   * @param {any} call
   * @param {"done" | "fails" | "unanswered" | "dies before" | "dies after"} how
   */
  happen(call, how) {
    const { process, verb, act, resolve, reject } = call;
    const { counts } = this;
    this.waiting.splice(this.waiting.indexOf(call), 1);
    counts.calls++;
    this.trace.push(`${process.name} ${verb}${how === "done" ? "" : ` ${how}`}`);
    const answer = how === "fails" || how === "dies before" ? undefined : act();
    if (how === "done") return resolve(answer);
    counts[how === "fails" ? "failures" : how === "unanswered" ? "lostAnswers" : "crashes"]++;
    reject(ioError(how));
    if (how.startsWith("dies")) this.kill(process);
  }

  /** One of the calls that wait, as chance and the faults of its process will have it. */
  step() {
    const { random } = this;
    const call = random.pick(this.waiting);
    const { failure = 0, crash = 0, lost = 0 } = call.process.faults;
    if (random.chance(crash))
      return this.happen(call, random.chance(0.5) ? "dies after" : "dies before");
    if (call.verb === "work") return this.happen(call, "done");
    this.happen(
      call,
      random.chance(failure) ? "fails" : random.chance(lost) ? "unanswered" : "done",
    );
  }

  /**
   * Lets calls happen until the promises are settled.
   * @param {Promise<any>[]} promises
   * @param {() => void} [step]
   */
  async settle(promises, step = () => this.step()) {
    let open = promises.length;
    const ends = promises.map((promise) =>
      promise
        .then(
          (value) => ({ value }),
          (error) => ({ error }),
        )
        .finally(() => open--),
    );
    for (let idle = 0; open > 0; ) {
      // All that follows from what happened has happened when the microtasks are through.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.waiting.length > 0) {
        idle = 0;
        step();
      } else if (open > 0 && ++idle > 2000) {
        // A part that is loaded when it is needed takes its time.
        if (idle > 7000) throw this.violate("a run hangs");
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
    return Promise.all(ends);
  }
}
