// SPDX-License-Identifier: MIT
// The order in which tasks of a step are shown, where somebody watches: LangGraph.js's, which follows from the turns of the
// microtask queue that its tasks take. Owns the tasks that ended and are not shown yet.
// Must not know what becomes of them.

import { END, isCommand } from "../constants.js";
import { ENTRY_BRANCH } from "../engine/codes.js";
import { END_INDEX } from "./entries.js";
import { isFatal } from "./task.js";

/** @typedef {import("./task.js").Task} Task */

/** What LangGraph.js takes for what a node returned, and not for what it asked. */
const RESULT_TURNS = 23;
/** The same, where a condition asks or fails. */
const ASKED_TURNS = 21;
/** Only so much after a task it looks who else has ended. */
const LOOK_TURNS = 4;
/** For all edges and joins of a node; with conditions, for each. */
const EDGE_TURNS = 11;
/** Before all conditions, and for each, and for each where callbacks hear of it. */
const CONDITIONS_TURNS = 13;
const CONDITION_TURNS = 13;
const HEARD_TURNS = 4;
/** For what a list holds beside Commands. */
const PART_TURNS = 3;
/** A node that waits takes at least so many here, one less there. */
const LATE_TURNS = 3;
/** What an attempt takes that has a timeout. */
const WATCHED_TURNS = 3;
/** Of a run beside others, in a task: before its first step, between two, and at its end. */
const BEGIN_TURNS = 34;
const STEP_TURNS = 25;
const END_TURNS = 49;
/** Between the look that finds a failure and what its handler does. */
const HANDLER_TURNS = 15;

/** What nodes take once they have returned, by number. @param {import("./pump.js").Run} run @returns {number[]} */
function ofGraph(run) {
  const { graph } = run;
  const { edges, joins, branches } = graph.definition;
  const isHeard = hearsOf(run);
  return ((graph.turns ??= [])[isHeard ? 1 : 0] ??= graph.nodes.map((name) => {
    const count = edges.filter(([from, to]) => from === name && to !== "__end__").length + joins.filter(([from]) => from.includes(name)).length;
    const conditions = branches.filter(({ from }) => from === name).length;
    if (conditions > 0) return CONDITIONS_TURNS + conditions * (CONDITION_TURNS + (isHeard ? HEARD_TURNS : 0)) + count * EDGE_TURNS;
    return count > 0 ? EDGE_TURNS : 0;
  }));
}

/** Do callbacks hear of it? @param {import("./pump.js").Run} run @returns {boolean} */
function hearsOf({ request: { context } }) {
  return context !== undefined && (context.traces || context.messages !== undefined);
}

/** What this result takes more than an object that conditions send somewhere. @param {Task} task */
function ofOutput({ output, writes: { routes = [] }, run }) {
  let turns = output === null || output === undefined ? -1 : 0;
  if (Array.isArray(output)) turns += PART_TURNS * output.filter((part) => !isCommand(part)).length;
  if (routes.length > 0 && routes[0] !== ENTRY_BRANCH) turns++;
  for (let i = 0; i < routes.length; i += 3) {
    if (routes[i] === ENTRY_BRANCH && goesNowhere(routes[i + 2], run.graph.definition.branches[routes[i + 1]].ends)) turns--;
  }
  return turns;
}

/** What conditions that wait take less; behind a node that waits one turn it takes two, or none. @param {Task} task */
function ofConditions({ waited, run: { request: { context } } }) {
  const count = waited >> 1;
  return count === 0 ? 0 : count * (context.messages === undefined || context.traces ? 2 : 3) - (waited % 2 === 0 ? 1 : 0);
}

/** @param {any[]} targets of a condition, three words each @param {[string, string][] | null} ends */
function goesNowhere(targets, ends) {
  return targets.every((target, i) => i % 3 === 1 ? (ends === null ? target === END_INDEX : ends[target][1] === END) : i % 3 === 2 || target === 0);
}

export class Order {
  /** By the turn in which they end. @type {Task[]} */
  #waiting = [];
  /** Have ended when LangGraph.js looks, by number. @type {Task[]} */
  #ready = [];
  /** How many turns were counted. */
  #turn = 1;
  /** Is the end of a turn being told? */
  #isTelling = false;
  /** Tasks before this one have their turn before it is counted. */
  #from = 0;
  /** The turn in which the step began. */
  #begun = 1;
  /** The turn in which LangGraph.js looks next, there in the place of which task. */
  #next = 0;
  #place = 0;
  /** The step whose turns are being counted. */
  #counts = 0;
  #step = 1;
  /** Those that waited for something. @type {WeakSet<Task>} */
  #late = new WeakSet();
  /** Where failures were found that have handlers, by number: the turn, and the place in it. @type {Map<number, [number, number]> | undefined} */
  #found;
  /** Does the next step wait for its time? */
  #isDue = false;
  #pause = BEGIN_TURNS;
  /** Is the step given up? */
  #isOver = false;

  /** @param {import("./work.js").Work} work */
  constructor(work) {
    this.work = work;
    /** Does it take LangGraph.js's time, so that its neighbours are shown in between? @type {boolean} */
    this.isPaced = !!work.run.request.parent?.run.work.order?.hasOthers;
  }

  /** Is more than one task of this step not shown yet, here or around? @returns {boolean} */
  get hasOthers() {
    return this.isPaced || this.work.running > 1 || this.#waiting.length + this.#ready.length > 0;
  }

  /** The turn that it is. */
  get turn() {
    return this.#counts === this.#step && !this.#isTelling ? this.#turn + 1 : this.#turn;
  }

  /** @param {Task} task that ended */
  add(task) {
    const isLate = task.turns !== 0;
    if (isLate) this.#late.add(task);
    if (task.failure !== undefined) task.turns += this.#sinceFailure(task, isLate);
    else if (isLate) task.turns += Math.max(this.#turn + (task.index < this.#from ? 1 : 0), this.#begun + LATE_TURNS - (task.waited > 1 ? 1 : 0)) - ofConditions(task);
    else task.turns = this.#turn;
    if (task.watch) task.turns += WATCHED_TURNS;
    const isDone = !task.failed && task.interrupts === undefined;
    if (isDone || task.output !== undefined) task.turns += (isDone ? RESULT_TURNS : ASKED_TURNS) + ofGraph(task.run)[task.node] + ofOutput(task);
    this.#isOver ||= isFatal(task) > 0;
    insert(this.#waiting, task, isLater);
  }

  /**
   * Those whose turn has come are to be fed; all when no other can come between, those that waited
   * one by one, so that they are read so.
   */
  pick() {
    const [waiting, ready, late] = [this.#waiting, this.#ready, this.#late];
    const { ended, running } = this.work;
    const isOpen = (running > 0 || this.isPaced) && !this.#isOver;
    while (waiting.length + ready.length > 0) {
      // Its handler may end before the others, unless one of them has ended the step: failures are told together.
      if (ended.length > 0 && isHandled(ended[ended.length - 1]) && !ended.some(isFatal)) return;
      const at = ready.length > 0 ? this.#next : Math.max(this.#next, waiting[0].turns);
      if (isOpen && at >= this.#turn) return this.count();
      while (waiting.length > 0 && this.#isSeen(waiting[0])) insert(ready, /** @type {Task} */ (waiting.shift()), isBehind);
      if (ended.length > 0 && !this.#isOver && (late.has(ended[0]) || late.has(ready[0] ?? waiting[0]))) return;
      let task = ready.shift();
      if (task === undefined) {
        task = /** @type {Task} */ (waiting.shift());
        [this.#next, this.#place] = [task.turns, placeOf(task)];
      }
      if (isHandled(task)) {
        (this.#found ??= new Map()).set(task.index, [this.#next, this.#place]);
        // Its handler keeps its turns among the others: who does not read yet is not waited for.
        task.run.request.context?.stream?.taken(0);
      }
      this.#next += LOOK_TURNS;
      ended.push(task);
    }
    if (running > 0 && !this.#isOver) return this.count();
    this.#isDue = this.isPaced;
    this.#next = this.#from = 0;
    this.#begun = this.#turn;
    this.#step++;
    this.#isOver = false;
  }

  /** The turn in which a handler has done its work. @param {Task} task @param {boolean} isLate */
  #sinceFailure(task, isLate) {
    const failure = /** @type {import("./task.js").Failure} */ (task.failure);
    const [at, place] = this.#found?.get(failure.index) ?? [this.#turn, task.index];
    failure.place = place;
    return at + HANDLER_TURNS + (hearsOf(task.run) ? HEARD_TURNS : 0) + (isLate ? Math.max(this.#turn + 1 - (failure.turn ?? 0), LATE_TURNS) : 0);
  }

  /** Is a task there when LangGraph.js looks next? @param {Task} task */
  #isSeen(task) {
    return task.turns < this.#next || (task.turns === this.#next && placeOf(task) < this.#place);
  }

  /** Before a step is told or begins. @param {import("../engine/block.js").Block} block at its command @returns {Promise<void> | undefined} until it is carried out */
  rest(block) {
    if (!this.#isDue) return undefined;
    block.end = block.at - 2;
    const turns = this.#pause;
    this.#isDue = false;
    this.#pause = STEP_TURNS;
    return pass(turns);
  }

  /** The run is over. */
  close() {
    const { run } = this.work;
    if (this.isPaced) run.saving = Promise.all([run.saving, pass(END_TURNS)]).then(() => {});
  }

  /**
   * Counts turns until all have ended that wait; not for ever, since who takes them may wait for something else.
   * @param {number} [from] number of the task whose end it is
   */
  count(from = Infinity) {
    const { run, running } = this.work;
    if ((running === 0 && !this.isPaced) || this.#counts === this.#step || run.over) return;
    const last = Math.max(this.#waiting.at(-1)?.turns ?? 0, this.#next, running > 1 || this.isPaced ? this.#begun + LATE_TURNS : 0);
    if (last < this.#turn) return;
    const step = (this.#counts = this.#step);
    this.#from = from;
    queueMicrotask(() => this.#counted(step));
  }

  /** @param {number} step */
  #counted(step) {
    if (step !== this.#step) return;
    this.#turn++;
    this.#isTelling = true;
    this.work.run.advance();
    this.#isTelling = false;
    if (step !== this.#step) return;
    const from = this.#from;
    this.#counts = this.#from = 0;
    this.count(from);
  }
}

/** @param {number} turns */
async function pass(turns) {
  for (; turns > 0; turns--) await undefined;
}

/** @param {Task[]} list @param {Task} task @param {(one: Task, other: Task) => boolean} isAfter */
function insert(list, task, isAfter) {
  let at = list.length;
  while (at > 0 && isAfter(list[at - 1], task)) at--;
  list.splice(at, 0, task);
}

/** @param {Task} task */
function isHandled({ failed, keeps }) {
  return failed && keeps !== 0;
}

/** @param {Task} one @param {Task} other */
function isBehind(one, other) {
  return one.index > other.index;
}

/** The place in a turn: a handler has that of what found the failure. @param {Task} task */
function placeOf(task) {
  return task.failure?.place ?? task.index;
}

/** @param {Task} one @param {Task} other */
function isLater(one, other) {
  return one.turns > other.turns || (one.turns === other.turns && (placeOf(one) - placeOf(other) || one.index - other.index) > 0);
}
