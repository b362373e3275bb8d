// SPDX-License-Identifier: MIT
// Knows: how a graph with `debug = true` tells its steps on the console, in LangGraph's words and colours. Loaded with
// what tells of runs. Must not know: runs, streams.
import { START } from "../constants.js";
import { TASK_CALL, TASK_HANDLER, TASK_PULL } from "../engine/codes.js";
import { ABSENT } from "../engine/slots.js";
import { nodeInput } from "../graph/fresh.js";

/** @param {number} count @param {string} word */
const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
/** @param {number} step @param {string} what @param {string} title @param {string} text */
const print = (step, what, title, text) => console.log(`\x1b[34m[${step}:${what}]\x1b[0m\x1b[1m ${title}:\x1b[0m\n${text}`);
/** @param {number} step @param {Array<[name: string, input: any]>} tasks */
const printTasks = (step, tasks) =>
  print(step, "tasks", `Starting step ${step} with ${counted(tasks.length, "task")}`, tasks.map(([name, input]) => `- \x1b[32m${name}\x1b[0m -> ${JSON.stringify(input, null, 2)}`).join("\n"));
/** @param {number} step @param {Array<[key: string, value: any]>} writes */
function printWrites(step, writes) {
  /** @type {Map<string, string[]>} */
  const byKey = new Map();
  for (const [key, value] of writes) byKey.set(key, [...(byKey.get(key) ?? []), JSON.stringify(value)]);
  print(step, "writes", `Finished step ${step} with writes to ${counted(byKey.size, "channel")}`, [...byKey].map(([key, values]) => `- \x1b[33;1m${key}\x1b[0m -> ${values.join(", ")}`).join("\n"));
}

/** Tells the steps of a run beside what its stream shows. @param {import("../graph/definition.js").Plan} plan @param {any} request whose sink and wants this changes */
export function printSteps(plan, request) {
  const { sink, context } = request;
  const shown = plan.stream === undefined ? plan.keys : [plan.stream].flat();
  const visible = (/** @type {Array<[string, any]>} */ pairs) => pairs.filter(([key]) => shown.includes(key));
  let step = 0;
  let open = 0;
  /** What tasks wrote that were done before the run. @type {Array<Array<[string, any]>>} */
  let early = [];
  /** @type {Array<[string, any]>} */
  let writes = [];
  const end = (/** @type {any} */ task, /** @type {Array<[number, any]>} */ written) => {
    if (task.kind === TASK_CALL) return;
    // LangGraph.js leaves out what a handler wrote.
    if (task.kind !== TASK_HANDLER) writes.push(...visible(written.map(([channel, value]) => [plan.keys[channel], value])));
    if (--open === 0) printWrites(step, writes);
  };
  context.wantsUpdates = true;
  Object.assign(request, { wantUpdates: true, wantTasks: true });
  request.sink = {
    ...sink,
    planned(/** @type {number} */ now, /** @type {any[]} */ tasks, /** @type {(() => any) | undefined} */ state) {
      if (tasks[0]?.kind === TASK_HANDLER) open += tasks.length;
      else if (state !== undefined) {
        print(now - 1, "checkpoint", `State at the end of step ${now - 1}`, JSON.stringify(Object.fromEntries(visible(Object.entries(state()))), null, 2));
        [step, open, writes, early] = [now, tasks.length - early.length, early.flat(), []];
      }
      // START is no task of the host's.
      const isStart = tasks.length === 0;
      printTasks(now, isStart ? [[START, context.input]] : tasks.map((task) => [task.name, task.kind === TASK_PULL || task.given === ABSENT ? nodeInput(task.own ?? plan.nodes[task.node], task.state()) : task.given]));
      if (isStart) printWrites(now, visible(Object.entries(context.input ?? {})));
      sink?.planned?.(now, tasks);
    },
    updates(/** @type {any} */ task, /** @type {boolean} */ cached) {
      sink?.updates?.(task, cached);
      const written = task.raw ?? task.writes?.list ?? [];
      if (open > 0) end(task, written);
      else early.push(visible(written.map((/** @type {[number, any]} */ [channel, value]) => [plan.keys[channel], value])));
    },
    ended(/** @type {any} */ task) {
      sink?.ended?.(task);
      end(task, []);
    },
  };
}
