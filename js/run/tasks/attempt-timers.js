// SPDX-License-Identifier: MIT
// The clock of a run: delays before another attempt at a task, what an attempt or a step may take.
// Owns timers and nothing else: when an attempt is over, and whether there is another one, the
// engine says.
import { NodeTimeoutError } from "../../base/errors.js";
import { EVENT_EXPIRE, EVENT_WOKE, EXPIRED_RUN, EXPIRE_ENDED } from "../../base/codes.js";
import { markError } from "./failures.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("./task.js").Task} Task */
/** @typedef {import("../../engine/batch.js").Batch} Batch */
/**
 * Retry policy of a task, complete.
 * @typedef {{ maxAttempts: number, initialInterval: number, backoffFactor: number, maxInterval:
 *   number, jitter: boolean, logWarning: boolean, retryOn: (error: unknown) => unknown }} RetryRule
 */
/** @typedef {{ runTimeout?: number, idleTimeout?: number, refreshOn?: string }} TimeoutRule */

/** What is added to a delay, at most, so that many who failed at once do not come again at once. */
const JITTER_MS = 1000;
const LONGEST_MS = 0x7fffffff;
/** The number of the run's own deadline, among those of tasks. */
const DEADLINE = 0xfffffffe;

/** One attempt that must not take too long. */
export class Watch {
  /** @type {AbortController | undefined} */
  #controller;
  /** It took too long: what it still does is nobody's business. */
  over = false;
  ended = 0;

  /** @param {Task} task @param {TimeoutRule} rule */
  constructor(task, rule) {
    this.task = task;
    this.rule = rule;
    this.began = this.progress = task.run.clock.now();
  }

  /** Progress of any kind. */
  touch() {
    if (this.rule.refreshOn !== "heartbeat") this.beat();
  }

  /** The node says that it is alive. */
  beat() {
    this.progress = this.task.run.clock.now();
  }

  /**
   * What the config of an attempt gets beside the usual: all that is told is progress, until it is
   * over.
   * @param {Value} config
   */
  fill(config) {
    config.heartbeat = () => this.beat();
    const write = config.writer;
    config.writer = (/** @type {unknown} */ chunk) => {
      this.touch();
      if (!this.over) write(chunk);
    };
  }

  get signal() {
    this.#controller ??= new AbortController();
    if (this.over) this.#controller.abort();
    return AbortSignal.any([this.task.run.signal, this.#controller.signal]);
  }

  /** @param {number} kind EXPIRED_* @param {number} now */
  expire(kind, now) {
    this.over = true;
    this.#controller?.abort();
    const { runTimeout, idleTimeout } = this.rule;
    const elapsed = (this.ended || now) - this.began;
    return new NodeTimeoutError({
      node: this.task.name,
      elapsed,
      kind: kind === EXPIRED_RUN ? "run" : "idle",
      runTimeout,
      idleTimeout,
    });
  }
}

export class Attempts {
  /** Timers by task, one of the step beside them. @type {Map<number, unknown>} */
  #timers = new Map();
  /**
   * What is to be fed: attempts to look at, and tasks or the step (a number) to wake.
   * @type {(Watch | [index: number, attempt: number])[]}
   */
  #notices = [];
  /** When the run is to end, in ms of its clock. @type {number | undefined} */
  #deadline;
  /** It has come: what ended by then counts. */
  isLate = false;
  /** Attempts that had ended when they were looked at. @type {Watch[]} */
  #held = [];
  /** Tasks of this step that have a policy, as they were tried last. @type {Map<number, Task>} */
  tasks = new Map();

  /** @param {import("../run.js").Run} run */
  constructor(run) {
    this.run = run;
  }

  get hasNotices() {
    // Nodes that wait for nothing let no timer ring.
    if (this.#deadline !== undefined && this.run.clock.now() >= this.#deadline) {
      this.#deadline = undefined;
      this.isLate = true;
      this.#notices.push([DEADLINE, 0]);
    }
    return this.#notices.length > 0;
  }

  /** @param {number} index @param {number} ms @param {() => void} call */
  #after(index, ms, call) {
    const { clock } = this.run;
    clock.clearTimeout(this.#timers.get(index));
    const ring = () => {
      this.#timers.delete(index);
      call();
      this.run.advance();
    };
    this.#timers.set(index, clock.setTimeout(ring, Math.min(Math.ceil(ms), LONGEST_MS)));
  }

  /** Looks at an attempt that begins. @param {Task} task @param {TimeoutRule} rule */
  watch(task, rule) {
    const watch = new Watch(task, rule);
    task.watch = watch;
    this.#look(watch, Math.min(rule.runTimeout ?? Infinity, rule.idleTimeout ?? Infinity));
  }

  /** @param {Watch} watch @param {number} ms */
  #look(watch, ms) {
    this.#after(watch.task.index, ms, () => this.#notices.push(watch));
  }

  /** An attempt that is looked at has ended by itself: in time? @param {Task} task */
  ended(task) {
    const watch = /** @type {Watch} */ (task.watch);
    if (watch.over) return;
    watch.ended = this.run.clock.now();
    this.run.clock.clearTimeout(this.#timers.get(task.index));
    this.#notices.push(watch);
  }

  /**
   * SLEEP: an attempt that failed is to be followed by another one, or one that runs is to be
   * looked at again.
   * @param {number} index
   * @param {number} attempt
   * @param {number} ms
   */
  sleep(index, attempt, ms) {
    if (index === DEADLINE) {
      this.#deadline = this.run.clock.now() + ms;
      return this.#after(index, ms, () => {});
    }
    const task = this.tasks.get(index);
    if (task !== undefined && !task.failed)
      return this.#look(/** @type {Watch} */ (task.watch), ms);
    if (task?.retry?.logWarning) {
      const { error, name } = task;
      console.log(
        `Retrying task "${name}" after ${ms.toFixed(2)}ms (attempt ${attempt}) after ${errorName(error)}: ${error}`,
      );
    }
    this.#after(index, ms, () => this.#notices.push([index, attempt]));
  }

  /** @param {number} index @param {number} kind @returns {Task} which failed by it */
  expired(index, kind) {
    const task = /** @type {Task} */ (this.tasks.get(index));
    const { watch, run } = task;
    this.run.clock.clearTimeout(this.#timers.get(index));
    task.interrupts = undefined;
    markError(task, /** @type {Watch} */ (watch).expire(kind, run.clock.now()));
    return task;
  }

  /**
   * Feeds what there is; then `settle` takes the attempts that had ended in time.
   * @param {Batch} batch
   */
  put(batch) {
    const notices = this.#notices;
    this.#notices = [];
    for (const notice of notices) {
      if (notice instanceof Watch) putExpire(batch, notice, this.run.clock.now());
      else putWoke(batch, notice);
    }
    this.#held = /** @type {Watch[]} */ (
      notices.filter((notice) => notice instanceof Watch && notice.ended !== 0)
    );
  }

  /** Attempts that had ended, and in time. @param {(task: Task) => void} take */
  settle(take) {
    for (const { over, task } of this.#held.splice(0)) if (!over) take(task);
  }

  /** Nothing is waited for any more. */
  stop() {
    for (const timer of this.#timers.values()) this.run.clock.clearTimeout(timer);
    this.#timers.clear();
  }
}

/** @param {Batch} batch @param {[number, number]} notice */
function putWoke(batch, [index, attempt]) {
  batch.begin(EVENT_WOKE, 0);
  batch.word(index);
  batch.word(attempt);
  batch.end();
}

/** @param {Batch} batch @param {Watch} watch @param {number} now */
function putExpire(batch, watch, now) {
  const { task, rule, ended } = watch;
  const at = ended || now;
  batch.begin(EVENT_EXPIRE, ended === 0 ? 0 : EXPIRE_ENDED);
  batch.word(task.index);
  batch.word(task.attempt);
  for (const ms of [
    rule.runTimeout ?? 0,
    rule.idleTimeout ?? 0,
    at - watch.began,
    at - watch.progress,
  ])
    batch.double(ms);
  batch.end();
}

/** @param {Value} error */
function errorName(error) {
  return error?.name || error?.constructor?.name;
}

/** The retry policy, behind an ERROR's record. @param {Batch} batch @param {RetryRule} rule */
export function putRetry(batch, rule) {
  const most = Math.ceil(rule.maxAttempts);
  batch.word(most < 0xffffffff ? most : 0xffffffff);
  batch.word(rule.jitter ? JITTER_MS : 0);
  batch.double(rule.initialInterval || 0);
  batch.double(rule.backoffFactor);
  batch.double(rule.maxInterval);
}

/**
 * The time of a step; what is none fails as that of a signal does, in the host's words.
 * @param {Value} ms
 * @returns {number}
 */
export function stepTime(ms) {
  if (!Number.isInteger(ms) || ms < 0 || ms > 0xffffffff) AbortSignal.timeout(ms);
  return ms;
}
