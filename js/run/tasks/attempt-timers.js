// SPDX-License-Identifier: MIT
// Runs the timers of a run: delays before retries, timeouts of attempts and steps, its deadline.
// Owns the timers only: the engine decides when an attempt is over and whether another one follows.
import { LONGEST_MS } from "../../base/waits.js";
import { NodeTimeoutError } from "../../base/errors.js";
import { EVENT_EXPIRE, EVENT_WOKE, EXPIRED_RUN, EXPIRE_ENDED } from "../../base/codes.js";
import { markError } from "./failures.js";

/** @typedef {import("./task.js").Task} Task */
/** @typedef {import("../../engine/batch.js").Batch} Batch */
/**
 * Complete retry policy of a task.
 * @typedef {{ maxAttempts: number, initialInterval: number, backoffFactor: number, maxInterval:
 *   number, jitter: boolean, logWarning: boolean, retryOn: (error: unknown) => unknown }} RetryRule
 */
/** @typedef {import("../../base/constants.js").TimeoutPolicy} TimeoutRule */

/** Maximum random addition to a delay, so that tasks that failed together do not retry together. */
const JITTER_MS = 1000;
/** Stands for the run's deadline among the numbers of tasks. */
const DEADLINE = 0xfffffffe;

/** Watches one attempt with a timeout. */
export class Watch {
  /** @type {AbortController | undefined} */
  #controller;
  /** Has it timed out? Then its later effects are ignored. */
  over = false;
  ended = 0;

  /** @param {Task} task @param {TimeoutRule} rule */
  constructor(task, rule) {
    this.task = task;
    this.rule = rule;
    this.began = this.progress = task.run.clock.now();
  }

  /** Notes progress of any kind. */
  touch() {
    if (this.rule.refreshOn !== "heartbeat") this.beat();
  }

  /** Notes a heartbeat of the node. */
  beat() {
    this.progress = this.task.run.clock.now();
  }

  /**
   * Adds to the config of an attempt: whatever the node reports counts as progress, until the
   * attempt is over.
   * @param {{ heartbeat?: () => void, writer: (chunk: unknown) => void }} config
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
  /** Timers by task, with one of the step. @type {Map<number, unknown>} */
  #timers = new Map();
  /**
   * To be fed: attempts to check, and tasks or the step (a number) to wake.
   * @type {(Watch | [index: number, attempt: number])[]}
   */
  #notices = [];
  /** Time of the run's deadline, in ms of its clock. @type {number | undefined} */
  #deadline;
  /** Is the deadline reached? Outcomes so far count. */
  isLate = false;
  /** Attempts that had ended when they were checked. @type {Watch[]} */
  #held = [];
  /** Tasks of this step with a policy, at their latest attempt. @type {Map<number, Task>} */
  tasks = new Map();

  /** @param {import("../run.js").Run} run */
  constructor(run) {
    this.run = run;
  }

  get hasNotices() {
    // No timer fires while nodes never wait.
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

  /** Watches an attempt that begins. @param {Task} task @param {TimeoutRule} rule */
  watch(task, rule) {
    const watch = new Watch(task, rule);
    task.watch = watch;
    this.#look(watch, Math.min(rule.runTimeout ?? Infinity, rule.idleTimeout ?? Infinity));
  }

  /** @param {Watch} watch @param {number} ms */
  #look(watch, ms) {
    this.#after(watch.task.index, ms, () => this.#notices.push(watch));
  }

  /** Notes that a watched attempt has ended: the engine says if in time. @param {Task} task */
  ended(task) {
    const watch = /** @type {Watch} */ (task.watch);
    if (watch.over) return;
    watch.ended = this.run.clock.now();
    this.run.clock.clearTimeout(this.#timers.get(task.index));
    this.#notices.push(watch);
  }

  /**
   * Carries out SLEEP: schedules another attempt after a failed one, or the next check of a running
   * one.
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

  /** @param {number} index @param {number} kind @returns {Task} the task that failed by it */
  expired(index, kind) {
    const task = /** @type {Task} */ (this.tasks.get(index));
    const { watch, run } = task;
    this.run.clock.clearTimeout(this.#timers.get(index));
    task.interrupts = undefined;
    markError(task, /** @type {Watch} */ (watch).expire(kind, run.clock.now()));
    return task;
  }

  /**
   * Feeds all notices; then settle() takes the attempts that had ended in time.
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

  /** Takes the attempts that had ended in time. @param {(task: Task) => void} take */
  settle(take) {
    for (const { over, task } of this.#held.splice(0)) if (!over) take(task);
  }

  /** Stops all timers. */
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

/** @param {unknown} error */
function errorName(error) {
  const given = /** @type {Partial<Error> | undefined} */ (error);
  return given?.name || given?.constructor?.name;
}

/** Writes the retry policy after an ERROR's record. @param {Batch} batch @param {RetryRule} rule */
export function putRetry(batch, rule) {
  const most = Math.ceil(rule.maxAttempts);
  batch.word(most < 0xffffffff ? most : 0xffffffff);
  batch.word(rule.jitter ? JITTER_MS : 0);
  batch.double(rule.initialInterval || 0);
  batch.double(rule.backoffFactor);
  batch.double(rule.maxInterval);
}

/**
 * Checks the time of a step; an invalid one throws the host's error of AbortSignal.timeout.
 * @param {number} ms
 * @returns {number}
 */
export function stepTime(ms) {
  if (!Number.isInteger(ms) || ms < 0 || ms > 0xffffffff) AbortSignal.timeout(ms);
  return ms;
}
