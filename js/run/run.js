// SPDX-License-Identifier: MIT
// Drives one run: feeds events and carries out the commands that come back, until the engine ends
// the run. Owns the run's handle, its copy of the block and its mirror. Stays in one call while
// nothing is awaited: a step of a synchronous node costs no promise.
import { isPromise } from "../base/callable.js";
import { makeError } from "../base/errors.js";
import { Block } from "../engine/block.js";
import {
  BLOCK_MORE,
  ERR_STALE_HANDLE,
  EVENT_ABORT,
  EVENT_DRAIN,
  RUN_INVOKE,
} from "../base/codes.js";
import { engineForRun, trimEngine } from "../engine/instance.js";
import { RunIds } from "./ids.js";
import { execute } from "./commands.js";
import { Entries } from "./tasks/entries.js";
import { LOOP, dueTurn } from "../base/event-loop.js";
import { makeDefaults, putAnswer, putStart } from "./events.js";
import { Mirror, warmUp } from "./channel-mirror.js";
import { BaseRun } from "./base-run.js";
import { keepFresh, putFresh } from "./pre-encode.js";
import { engineInUse, openThread } from "./thread.js";
import { Work } from "./task-runner.js";
import { beginAnew } from "./restart.js";

/** @typedef {import("./graph.js").EngineGraph} EngineGraph */
/** @typedef {import("./start.js").RunRequest} RunRequest */
/** @typedef {import("./start.js").RunResult} RunResult */

export class Run extends BaseRun {
  /** @type {(result: RunResult) => void} */
  #resolve = /** @type {never} */ (undefined);
  /** @type {(error: unknown) => void} */
  #reject = /** @type {never} */ (undefined);
  #busy = false;
  #paused = false;
  #draining = false;
  /** Must the engine send more commands before it takes events? */
  #hasMore = false;
  /** Does the mirror have the state at the end of the thread's last run? */
  isWarm = false;
  /** Is the thread known to have no log? */
  isNew = false;
  /** Called when the run has ended. @type {(() => unknown) | undefined} */
  left;
  handle = 0;
  /** @type {import("./thread.js").Thread | undefined} */
  thread;
  /** Answers to commands, to be fed. @type {import("./events.js").Answer[]} */
  answers = [];
  /** Runs the code of its tasks. */
  work = new Work(this);
  /** True until SAVED or LOADED. */
  awaiting = false;
  streamed = false;
  /** Did it stop at an interrupt or a breakpoint? */
  stopped = false;
  /** The caller has left: no more tasks of the current block begin. */
  isGivenUp = false;
  /** Is an abort to be fed, after the outcomes so far? */
  #isAborting = false;
  /** Is it paused for a reader that has received something? */
  #isShowing = false;
  /**
   * Did the reader leave during such a pause? Then outcomes after what it received do not count.
   */
  #isLeft = false;
  over = false;
  /** @param {EngineGraph} graph @param {RunRequest} request */
  constructor(graph, request) {
    super(graph, request);
    this.ids = request.ids ?? new RunIds();
    this.mirror = new Mirror(graph);
    /** From the engine's pool, until it is carried out. @type {Block | undefined} */
    this.block = undefined;
    /** @type {import("../engine/engine.js").Engine} */
    this.engine = /** @type {never} */ (undefined);
    /** @type {Promise<RunResult>} */
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Is it paused for a reader, a lazy part or a turn of the event loop? */
  get isPaused() {
    return this.#paused;
  }

  /** Returns a new object of the state's available keys. */
  readState() {
    return this.mirror.pick(this.graph.all);
  }

  /** @returns {unknown} */
  open() {
    if (this.over) return;
    const outer = this.request.parent?.run;
    try {
      const { request } = this;
      this.engine =
        outer?.engine ?? request.recording?.open(this) ?? engineInUse(request) ?? engineForRun();
      this.engine.tenants.add(this);
      if (request.store !== undefined) {
        this.thread = openThread(
          this.engine,
          request.store,
          /** @type {string} */ (request.threadId),
          this,
        );
        const wait = this.thread.check(request.isolate === true);
        if (isPromise(wait)) {
          wait.then(
            () => this.#begin(),
            (error) => this.lose(error),
          );
          return;
        }
      }
      this.#begin();
    } catch (error) {
      this.lose(error);
    }
  }

  #begin() {
    if (this.over) return;
    this.#work(() => {
      const { engine, graph, request } = this;
      warmUp(this);
      const defaults = makeDefaults(graph);
      /** @type {Entries | undefined} */
      let input;
      if (request.input !== undefined) request.input((input = new Entries(graph, this.ids)));
      const thread = this.thread?.handle ?? 0;
      const { parent } = request;
      this.isNew =
        this.thread?.isEmpty === true &&
        parent === undefined &&
        request.kind === RUN_INVOKE &&
        request.checkpointId === undefined;
      if (parent?.run.over)
        throw parent.run.hostError ?? makeError(ERR_STALE_HANDLE, ["of a run that is over"]);
      this.handle =
        parent === undefined
          ? engine.newRun(graph.open(engine), thread)
          : engine.newChild(graph.open(engine), thread, parent, request.childFlags ?? 0);
      engine.batch.start();
      keepFresh(this);
      putStart(this, defaults, input);
      putFresh(this);
      this.#drain();
      this.#send();
    });
  }

  /** Feeds pending events and carries out the answer, as long as there are any. */
  advance() {
    if (this.#busy || this.#paused || this.over || !this.#hasEvents() || this.#mayPause()) return;
    this.#work(() => this.#feed());
  }

  /** @param {() => void} feed */
  #work(feed) {
    this.#busy = true;
    try {
      feed();
      this.#pump();
    } catch (error) {
      this.lose(error);
    } finally {
      this.#busy = false;
    }
  }

  /** Carries out a new block, and feeds on while nothing is to be awaited. */
  #pump() {
    for (;;) {
      const wait = execute(this);
      if (wait !== undefined) return this.#rest(wait);
      // Only a block that was carried out to its end returns to the pool.
      this.engine.blocks.push(/** @type {Block} */ (this.block));
      this.block = undefined;
      this.work.settle();
      if (this.over || !this.#hasEvents() || this.#mayPause()) return;
      this.#feed();
    }
  }

  /** Continues the block when the awaited part is loaded. @param {Promise<void>} wait */
  #rest(wait) {
    this.#paused = true;
    wait.then(
      () => {
        this.#paused = false;
        if (!this.over) this.#work(() => {});
      },
      (error) => this.lose(error),
    );
  }

  #hasEvents() {
    return (
      this.answers.length > 0 ||
      (this.work.hasEvents && !this.awaiting) ||
      this.#hasMore ||
      this.#mayAbort
    );
  }

  /** An abort waits for a commit, after which the step continues, but not for a log being read. */
  get #mayAbort() {
    return this.#isAborting && (!this.awaiting || this.saving === undefined);
  }

  /** Requests a drain, at which the engine ends the run between two steps. */
  #drain() {
    if (this.#draining || !this.request.context?.control?.drainRequested) return;
    this.#draining = true;
    this.engine.batch.begin(EVENT_DRAIN, 0);
    this.engine.batch.end();
  }

  /**
   * Feeds answers before outcomes: the engine takes an outcome only while it waits for nothing
   * else. An abort goes last, so that earlier outcomes are saved.
   */
  #feed() {
    const { engine, answers } = this;
    const { batch, slots } = engine;
    batch.start();
    this.#drain();
    if (!this.#hasMore) {
      if (answers.length > 0) {
        for (const answer of answers) putAnswer(this, answer);
        answers.length = 0;
      } else if (!this.#isLeft && this.work.hasEvents && !this.awaiting) {
        keepFresh(this);
        this.work.put(batch, slots);
        putFresh(this);
      } else if (this.#isAborting) {
        this.#isAborting = false;
        batch.begin(EVENT_ABORT, 0);
        batch.end();
      }
    }
    this.#send();
  }

  #send() {
    const block = (this.block = this.engine.blocks.pop() ?? new Block());
    this.engine.feed(this.handle, block, this.request.ticker);
    this.#hasMore = (block.flags & BLOCK_MORE) !== 0;
  }

  /**
   * Takes an answer that the engine waits for.
   * @param {import("./events.js").Answer} answer
   */
  answerLate(answer) {
    this.awaiting = false;
    this.answers.push(answer);
    this.advance();
  }

  /**
   * Pauses for a reader that has received something, before the next outcomes are fed: if it leaves
   * or aborts, the run stops there. What it received is already being stored.
   */
  #mayPause() {
    if (this.streamed && this.answers.length > 0) return false;
    if (!this.streamed) return (this.engine.ms >= LOOP.due || this.hasOwnTime) && this.#letTurn();
    this.streamed = false;
    this.#paused = this.#isShowing = true;
    const goOn = () => {
      this.#paused = this.#isShowing = false;
      this.advance();
    };
    Promise.resolve(this.request.sink?.turn?.()).then(goOn, goOn);
    return true;
  }

  /**
   * Lets the event loop turn, if due; then takes a step in any case, so that no run waits for all
   * others.
   */
  #letTurn() {
    const { top } = this;
    // The clock was read just now for the engine, if it is the host's.
    const wait = top.turning ?? (this.hasOwnTime ? this.ownTurn() : dueTurn(this.engine.ms));
    if (wait === undefined) return false;
    if (top.turning === undefined) wait.then(() => (top.turning = undefined));
    top.turning = wait;
    this.#paused = true;
    wait.then(() => {
      this.#paused = false;
      if (!this.#busy && !this.over && this.#hasEvents()) this.#work(() => this.#feed());
    });
    return true;
  }

  /**
   * Aborts the run, as the host cannot answer the engine; the promise rejects with `error`.
   * @param {unknown} error
   */
  abort(error) {
    this.hostError = error;
    this.answers.push({ op: EVENT_ABORT });
    this.advance();
  }

  /**
   * Gives up the run, as its caller has left: running tasks are notified, earlier outcomes count,
   * the promise rejects with `error`.
   * @param {unknown} error
   */
  giveUp(error) {
    if (this.over) return;
    this.isGivenUp = true;
    this.hostError = error;
    this.cancel();
    if (this.handle === 0) return this.lose(error);
    this.#isAborting = true;
    this.#isLeft = this.#isShowing;
    this.work.release();
    this.advance();
  }

  /** Closes the engine's side of the run: nothing is fed any more. */
  #close() {
    this.over = true;
    this.work.stop();
    const { engine } = this;
    this.unwatch();
    if (engine === undefined) return;
    engine.tenants.delete(this);
    if (this.handle !== 0) engine.afterwards("weft_run_free", this.handle);
    if (engine.tenants.size === 0) trimEngine(engine);
  }

  /**
   * Ends the run with its result.
   * @param {RunResult} result
   */
  finish(result) {
    this.#close();
    const wait = this.lastWrites();
    if (wait === undefined) return this.#leave(this.#resolve, result);
    wait.then(
      () => this.#leave(this.#resolve, result),
      (error) => this.#leave(this.#reject, error),
    );
  }

  /**
   * Ends the run with an error of the engine or the host.
   * @param {unknown} error
   */
  lose(error) {
    if (this.over) return;
    const { otherwise, parent } = this.request;
    if (
      /** @type {{ code?: unknown } | undefined} */ (error)?.code === "OTHER_SHAPE" &&
      otherwise?.saver.leaveStore !== undefined &&
      parent === undefined
    )
      return void this.#beginAnew();
    this.cancel();
    this.#close();
    const leave = () => this.#leave(this.#reject, error);
    const wait = this.lastWrites();
    if (wait === undefined) leave();
    else wait.then(leave, leave);
  }

  /** Restarts the run: its store has data that only the saver's methods can read. */
  #beginAnew() {
    try {
      beginAnew(this);
    } catch (error) {
      this.lose(error);
    }
  }

  /**
   * @template T
   * @param {(value: T) => void} settle
   * @param {T} value
   */
  #leave(settle, value) {
    this.thread?.release(this);
    settle(value);
    this.left?.();
  }
}
