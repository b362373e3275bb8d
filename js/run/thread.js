// SPDX-License-Identifier: MIT
// Writes a thread, shared by all its runs in this process: its handle in the engine, the chain of
// appends, the checks against the store, folding. Owns the handle. Never awaits a store that
// answers directly. Does not depend on graphs, tasks or records' contents.
import { isPromise } from "../base/callable.js";
import { checkThreadId, sameHead, storeFailed } from "../log/log-store.js";
import { fold } from "./join-commits.js";

/**
 * @typedef {import("../log/log-store.js").LogStore & { foldable?: boolean, openThread?: (engine:
 *   Engine, id: string, user: unknown) => Thread }} LogStore `openThread`: of LangGraph.js's
 *   checkpointers (savers/langgraph)
 */
/** @typedef {import("../savers/base-checkpoint-saver.js").CheckpointTuple} CheckpointTuple */
/** @typedef {import("../savers/foreign-saver.js").SaverPort} SaverPort */
/** @typedef {import("./run.js").Run} Run */
/** @typedef {import("../log/log-store.js").LogHead} LogHead */
/** @typedef {import("../log/log-store.js").LogCommit} LogCommit */
/** @typedef {import("../engine/engine.js").Engine} Engine */
/** @typedef {{ readonly writes: boolean, lose: (error: Error) => void }} ThreadUser */
/**
 * @typedef {{ pieces: Uint8Array[], last: LogHead | undefined }} LoadedLog `last`: the newest
 *   record known to be acknowledged
 */

/** Maximum number of idle threads that stay open. */
const OPEN_LIMIT = 1024;
/** @type {readonly ThreadUser[]} */
const NOBODY = Object.freeze([]);
const FOLD_COMMITS = 64;
const FOLD_BYTES = 256 * 1024;

/** @type {WeakMap<object, Map<string, Thread>>} */
const threadsOf = new WeakMap();
/** Threads without users, longest idle first. @type {Set<Thread>} */
const idle = new Set();

export class Thread {
  #siblings;
  /** The newest acknowledged head that the witness lacks. @type {LogHead | undefined} */
  #unwitnessed;
  #isWitnessing = false;
  /**
   * The head that the last check found.
   * @type {LogHead | Promise<LogHead | undefined> | undefined}
   */
  #found;
  /**
   * Commits since the last fold, for a store that folds.
   * @type {(LogCommit & { bytes: Uint8Array })[]}
   */
  #commits = [];
  #commitBytes = 0;
  /**
   * Set only while there are users, so that an idle thread keeps no store alive.
   * @type {LogStore | undefined}
   */
  store;
  /** @type {readonly ThreadUser[]} */
  users = NOBODY;
  /** The last append in progress. @type {Promise<void> | undefined} */
  tail;
  /** Work on the thread between two runs. @type {Promise<void> | undefined} */
  resting;
  /** Did the last check find that the store has nothing of it? */
  isEmpty = false;
  /**
   * Encodes values, decodes them and finds a checkpoint's tuple, for checkpointers that do not use
   * the codec and the log.
   * @type {((value: unknown) => string) | undefined}
   */
  encode;
  /** @type {((text: string | undefined) => unknown) | undefined} */
  decode;
  /** @type {((id: string) => CheckpointTuple | undefined) | undefined} */
  saved;
  /**
   * Mirror of the state at the last run's end; the engine has the same state.
   * @type {import("./channel-mirror.js").Mirror | undefined}
   */
  mirror;

  /**
   * @param {Engine} engine
   * @param {string} id
   * @param {Map<string, Thread>} siblings open threads of the same store
   */
  constructor(engine, id, siblings) {
    this.engine = engine;
    this.id = id;
    this.#siblings = siblings;
    this.handle = engine.open("weft_thread_open", id);
  }

  /**
   * Checks before a run whether the store is where this process left it. If not, the engine drops
   * what it knows and loads again.
   * @param {boolean} [isolate] drop it in any case, so that values that a node changed in place are
   *   not seen again
   * @returns {void | Promise<void>}
   */
  check(isolate = false) {
    this.isEmpty = false;
    this.#found = undefined;
    if (this.resting !== undefined) return this.resting.then(() => this.check(isolate));
    if (this.users.length > 1 || this.tail !== undefined) return undefined;
    if (isolate) return this.reset();
    const known = this.engine.head(this.handle);
    if (!known.known) {
      // A store without a witness answers directly.
      if (this.isBlind)
        this.isEmpty = (this.#found = this.#ask((store) => store.head(this.id))) === undefined;
      return undefined;
    }
    const left = known.seq === 0 ? undefined : known;
    const answer = this.#ask((store) => store.head(this.id));
    if (isPromise(answer)) return answer.then((head) => this.#compare(left, head));
    return this.#compare(left, answer);
  }

  /**
   * @param {LogHead | undefined} left
   * @param {LogHead | undefined} head
   */
  #compare(left, head) {
    if (!sameHead(left, head)) this.reset();
  }

  /**
   * Reads the log. The acknowledged heads are read first, so that no later commit counts as lost.
   * The run of a subgraph may load while an append is in progress. A thread that another process
   * deletes in between looks lost, hence a second try.
   * @param {boolean} [isSecond]
   * @returns {LoadedLog | Promise<LoadedLog>}
   */
  load(isSecond) {
    const again = () => this.load();
    if (this.tail !== undefined) return this.tail.then(again, again);
    const heads = [
      (!isSecond && this.#found) || this.#ask((store) => store.head(this.id)),
      this.#ask((store) => store.witness(this.id)),
    ];
    if (heads.some(isPromise))
      return Promise.all(heads).then((answers) => this.#readAfter(newestOf(answers), isSecond));
    return this.#readAfter(newestOf(/** @type {(LogHead | undefined)[]} */ (heads)), true);
  }

  /**
   * @param {LogHead | undefined} last
   * @param {boolean} [isSecond]
   * @returns {LoadedLog | Promise<LoadedLog>}
   */
  #readAfter(last, isSecond) {
    const loaded = (/** @type {Uint8Array[]} */ pieces) =>
      last && !pieces.length && !isSecond ? this.load(true) : { pieces, last };
    const answer = this.#ask((store) => store.read(this.id));
    return isPromise(answer) ? answer.then(loaded) : loaded(answer);
  }

  /** Does the store keep no witness? */
  get isBlind() {
    const { store } = this;
    return store?.blind !== undefined && store.blind === store.witness;
  }

  /** Does the next append copy its bytes before it returns? */
  get copies() {
    const { store } = this;
    return (
      this.tail === undefined &&
      store?.copies !== undefined &&
      store.copies === store.append &&
      !store.foldable
    );
  }

  /**
   * Stores a commit after all earlier ones. Returns a promise if the store does.
   * @param {LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   * @returns {void | Promise<void>}
   */
  append(commit, bytes, expected) {
    const append = () => this.#ask((store) => store.append(this.id, commit, bytes, expected));
    let answer;
    try {
      answer = this.tail?.then(append) ?? append();
    } catch (error) {
      throw this.#fail(/** @type {Error} */ (error));
    }
    return isPromise(answer)
      ? this.#follow(answer.then(() => this.#stored(commit, bytes)))
      : this.#stored(commit, bytes);
  }

  /**
   * Makes a promise the end of the chain of appends.
   * @param {Promise<void>} promise
   */
  #follow(promise) {
    /** @type {Promise<void>} */
    const tail = promise.then(
      () => {
        if (this.tail === tail) this.tail = undefined;
      },
      (error) => {
        if (this.tail === tail) this.tail = undefined;
        throw this.#fail(error);
      },
    );
    tail.catch(ignore);
    this.tail = tail;
    return tail;
  }

  /**
   * @param {LogCommit} commit
   * @param {Uint8Array} bytes
   * @returns {void | Promise<void>}
   */
  #stored(commit, bytes) {
    if (!this.isBlind) {
      this.#unwitnessed = commit;
      if (!this.#isWitnessing) this.witness();
    }
    if (!this.store?.foldable) return undefined;
    this.#commits.push({ ...commit, bytes });
    this.#commitBytes += bytes.length;
    if (this.#commits.length < FOLD_COMMITS && this.#commitBytes < FOLD_BYTES) return undefined;
    const { store } = this;
    const commits = this.#commits;
    this.#commits = [];
    this.#commitBytes = 0;
    // A store refuses to fold commits that have changed.
    return fold(store, this.id, commits).catch(ignore);
  }

  /**
   * Reports the newest head to the witness, one call at a time. The witness may lag, so its
   * failures do not fail the run.
   */
  witness() {
    const head = this.#unwitnessed;
    this.#unwitnessed = undefined;
    if (head === undefined || this.store === undefined) return;
    try {
      const answer = this.store.witness(this.id, { seq: head.seq, crc: head.crc });
      if (!isPromise(answer)) return;
      this.#isWitnessing = true;
      const goOn = () => {
        this.#isWitnessing = false;
        this.witness();
        if (!this.#isWitnessing && this.users.length === 0) this.store = undefined;
      };
      answer.then(goOn, goOn);
    } catch {
      this.#isWitnessing = false;
    }
  }

  /**
   * Handles a write that was refused or whose outcome is unknown: the engine's knowledge of the
   * thread is void, and the runs that write to it fail.
   * @param {Error} error
   */
  #fail(error) {
    this.reset();
    for (const user of this.users) if (user.writes) user.lose(error);
    return error;
  }

  reset() {
    this.mirror = undefined;
    this.#commits = [];
    this.#commitBytes = 0;
    if (!this.engine.dead) this.engine.call("weft_thread_reset", this.handle);
  }

  /**
   * Calls the store once; its error becomes one that names the thread.
   * @template T
   * @param {(store: LogStore) => T | Promise<T>} verb
   * @returns {T | Promise<T>}
   */
  #ask(verb) {
    try {
      const answer = verb(/** @type {LogStore} */ (this.store));
      return isPromise(answer) ? this.#answered(answer) : answer;
    } catch (error) {
      throw storeFailed(this.id, error);
    }
  }

  /** @template T @param {Promise<T>} answer @returns {Promise<T>} */
  #answered(answer) {
    return Promise.resolve(answer).catch((error) => {
      throw storeFailed(this.id, error);
    });
  }

  /** @param {ThreadUser} user */
  release(user) {
    this.users =
      this.users.length === 1 && this.users[0] === user
        ? NOBODY
        : this.users.filter((other) => other !== user);
    if (this.users.length > 0) return;
    if (this.tail === undefined) this.#rest();
    else
      this.tail.then(
        () => this.#rest(),
        () => this.#rest(),
      );
  }

  #rest() {
    if (this.users.length > 0) return;
    // The saver may tidy a thread without users; the next run waits for it.
    const tidied = this.store?.tidy?.(this.id)?.then(() => {
      this.resting = undefined;
    });
    this.resting = tidied ?? this.resting;
    if (!this.#isWitnessing) this.store = undefined;
    // No run will begin in this engine, so it keeps no threads open.
    if (this.engine.full) return this.close();
    idle.add(this);
    for (const oldest of idle) {
      if (
        !oldest.engine.full &&
        idle.size <= OPEN_LIMIT &&
        !(idle.size > 1 && this.engine.isCrowded)
      )
        return;
      oldest.close();
    }
  }

  close() {
    idle.delete(this);
    if (this.#siblings.get(this.id) === this) this.#siblings.delete(this.id);
    this.engine.afterwards("weft_thread_free", this.handle);
  }
}

function ignore() {}

/**
 * Picks the newer head; of two with one number the witness's, since the record that the witness
 * knows may have been replaced.
 * @param {(LogHead | undefined)[]} heads
 * @returns {LogHead | undefined}
 */
function newestOf([head, witness]) {
  return (head?.seq ?? 0) > (witness?.seq ?? 0) ? head : witness;
}

/**
 * Finds the engine in which the thread is in use, so that a new run shares its writer.
 * @param {{ store?: LogStore | SaverPort, threadId?: string }} request
 * @returns {Engine | undefined}
 */
export function engineInUse({ store, threadId }) {
  const thread = store && threadsOf.get(store)?.get(/** @type {string} */ (threadId));
  return thread === undefined || thread.users.length === 0 || thread.engine.dead
    ? undefined
    : thread.engine;
}

/**
 * Opens the thread's writer in this engine, with `user` among its users until it is released.
 * @param {Engine} engine
 * @param {LogStore | SaverPort} store
 * @param {string} id
 * @param {Run} user
 * @returns {Thread}
 */
export function openThread(engine, store, id, user) {
  if (store.openThread !== undefined) return store.openThread(engine, id, user);
  checkThreadId(id);
  let threads = threadsOf.get(store);
  if (threads === undefined) threadsOf.set(store, (threads = new Map()));
  let thread = threads.get(id);
  if (thread === undefined || thread.engine !== engine) {
    if (thread !== undefined) idle.delete(thread);
    thread = new Thread(engine, id, threads);
    threads.set(id, thread);
  }
  idle.delete(thread);
  thread.store = /** @type {LogStore} */ (store);
  thread.users = thread.users === NOBODY ? [user] : [...thread.users, user];
  return thread;
}
