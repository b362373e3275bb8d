// SPDX-License-Identifier: MIT
// The pump of one run: feeds events, carries out the commands that come back, until the engine says
// that it is over. Owns the run's handle, its copy of the block and its mirror. While nothing is
// waited for it does not leave the call: a step of a synchronous node costs no promise.
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
  #resolve = /** @type {any} */ (undefined);
  /** @type {(error: unknown) => void} */
  #reject = /** @type {any} */ (undefined);
  #busy = false;
  #paused = false;
  #draining = false;
  /** Has the engine more to say before it takes anything? */
  #hasMore = false;
  /** Does the mirror show what the thread's last run ended with? */
  isWarm = false;
  /** Is it known that its thread has no log? */
  isNew = false;
  /** Who is told that it has ended. @type {(() => unknown) | undefined} */
  left;
  handle = 0;
  /** @type {import("./thread.js").Thread | undefined} */
  thread;
  /** Answers to commands, to be fed. @type {import("./events.js").Answer[]} */
  answers = [];
  /** Its tasks' code. */
  work = new Work(this);
  /** Until SAVED or LOADED. */
  awaiting = false;
  streamed = false;
  /** At an interrupt or a breakpoint. */
  stopped = false;
  /** Nobody waits for it: no task of the block at hand is begun. */
  isGivenUp = false;
  /** Is the engine to be told so, behind what ended before? */
  #isAborting = false;
  /** Is a reader waited for, who was told something? */
  #isShowing = false;
  /**
   * It was given up by a reader who was being waited for: what ended behind what that one saw does
   * not count.
   */
  #isLeft = false;
  over = false;
  /** @param {EngineGraph} graph @param {RunRequest} request */
  constructor(graph, request) {
    super(graph, request);
    this.ids = request.ids ?? new RunIds();
    this.mirror = new Mirror(graph);
    /** Lent by the engine until it is carried out. @type {Block | undefined} */
    this.block = undefined;
    /** @type {import("../engine/engine.js").Engine} */
    this.engine = /** @type {any} */ (undefined);
    /** @type {Promise<RunResult>} */
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Is it waited for a reader, a part or a turn of the event loop? */
  get isPaused() {
    return this.#paused;
  }

  /** A fresh object of the state's available keys. */
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

  /** Feeds what there is to feed and carries out the answer, as long as there is something. */
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

  /** The block is new: carries it out, and feeds on while that needs no waiting. */
  #pump() {
    for (;;) {
      const wait = execute(this);
      if (wait !== undefined) return this.#rest(wait);
      // A block that is left in the middle is nobody's any more.
      this.engine.blocks.push(/** @type {Block} */ (this.block));
      this.block = undefined;
      this.work.settle();
      if (this.over || !this.#hasEvents() || this.#mayPause()) return;
      this.#feed();
    }
  }

  /** The block goes on once a part is there that it needs. @param {Promise<void>} wait */
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

  /** A commit is waited for, since the step goes on behind it; a log that is being read is not. */
  get #mayAbort() {
    return this.#isAborting && (!this.awaiting || this.saving === undefined);
  }

  /** Between two steps the engine ends a run that was asked to give way. */
  #drain() {
    if (this.#draining || !this.request.context?.control?.drainRequested) return;
    this.#draining = true;
    this.engine.batch.begin(EVENT_DRAIN, 0);
    this.engine.batch.end();
  }

  /**
   * Answers go before results: the engine takes a result only while it waits for nothing else. What
   * ends the run goes last, so that what ended before is saved.
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
   * An answer that was waited for.
   * @param {import("./events.js").Answer} answer
   */
  answerLate(answer) {
    this.awaiting = false;
    this.answers.push(answer);
    this.advance();
  }

  /**
   * Lets whoever was told something take it, before the next results are taken: who leaves then, or
   * aborts, stops there. What was told is on its way to the store by then.
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
   * Lets the event loop turn, where that is due; then a step is taken in any case, so that of
   * several runs none waits for all others.
   */
  #letTurn() {
    const { top } = this;
    // The engine was told the time just now, if it is the host's.
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
   * What the engine asked for cannot be had: the promise rejects with `error`.
   * @param {unknown} error
   */
  abort(error) {
    this.hostError = error;
    this.answers.push({ op: EVENT_ABORT });
    this.advance();
  }

  /**
   * The caller has gone: what runs is told, what ended before counts, the promise rejects with
   * `error`.
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

  /** The engine's end of it: nothing is fed any more. */
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
   * The run ended well.
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
   * The run ended with an error, the engine's or the host's.
   * @param {unknown} error
   */
  lose(error) {
    if (this.over) return;
    const { otherwise, parent } = this.request;
    if (
      /** @type {any} */ (error)?.code === "OTHER_SHAPE" &&
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

  /** Its store holds what only the saver's methods have a form for. */
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
