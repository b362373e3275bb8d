// SPDX-License-Identifier: MIT
// Prints the steps of a graph with `debug = true` on the console, with LangGraph's texts and
// colours. Loaded by the first graph that prints. Does not depend on runs or streams.
import { START } from "../base/constants.js";
import { TASK_CALL, TASK_HANDLER, TASK_PULL } from "../base/codes.js";
import { ABSENT } from "../engine/slots.js";

/** @typedef {import("../run/start.js").RunRequest} RunRequest */
/** @typedef {import("../run/tasks/task.js").NodeTask} NodeTask */
/** @typedef {Array<[string, unknown]>} Pairs */

/** @param {number} step @param {string} what @param {string} title @param {string} text */
const print = (step, what, title, text) =>
  console.log(`\x1b[34m[${step}:${what}]\x1b[0m\x1b[1m ${title}:\x1b[0m\n${text}`);
/**
 * Prints a list of names and texts.
 * @param {number} step
 * @param {string} what
 * @param {string} title
 * @param {string} word
 * @param {string} colour
 * @param {Pairs} pairs names with texts
 */
const printList = (step, what, title, word, colour, pairs) =>
  print(
    step,
    what,
    `${title} ${pairs.length} ${word}${pairs.length === 1 ? "" : "s"}`,
    pairs.map(([name, text]) => `- \x1b[${colour}m${name}\x1b[0m -> ${text}`).join("\n"),
  );

/**
 * Prints the steps of a run beside its stream.
 * @param {import("../plan/definition.js").Plan} plan
 * @param {RunRequest} request its sink and wants are changed
 * @param {typeof import("../plan/task-state.js").nodeInput} nodeInput
 */
export function printSteps(plan, request, nodeInput) {
  const { sink, context } = request;
  const shown = plan.stream === undefined ? plan.keys : [plan.stream].flat();
  const visible = (/** @type {Pairs} */ pairs) => pairs.filter(([key]) => shown.includes(key));
  let step = 0;
  let open = 0;
  /** @type {Pairs} */
  let writes = [];
  const printWrites = () => {
    const keys = [...new Set(writes.map(([key]) => key))];
    printList(
      step,
      "writes",
      `Finished step ${step} with writes to`,
      "channel",
      "33;1",
      keys.map((key) => [
        key,
        writes
          .filter((pair) => pair[0] === key)
          .map(([, value]) => JSON.stringify(value))
          .join(", "),
      ]),
    );
    writes = [];
  };
  // Tasks completed before this run end before `planned` is called.
  const end = (
    /** @type {NodeTask} */ { kind, raw, writes: own },
    isDone = kind < TASK_HANDLER,
  ) => {
    if (kind === TASK_CALL) return;
    // LangGraph.js omits the writes of error handlers.
    if (isDone)
      writes.push(
        ...visible(
          (raw ?? own?.list ?? []).map(
            ([channel, value]) => /** @type {[string, unknown]} */ ([plan.keys[channel], value]),
          ),
        ),
      );
    if (--open === 0) printWrites();
  };
  context.wantsUpdates = request.wantUpdates = request.wantTasks = true;
  request.sink = {
    ...sink,
    planned(now, tasks, state) {
      const isStart = tasks.length === 0;
      if (isStart || tasks[0].kind < TASK_HANDLER) {
        print(
          now - 1,
          "checkpoint",
          `State at the end of step ${now - 1}`,
          JSON.stringify(
            Object.fromEntries(visible(Object.entries(/** @type {() => object} */ (state)()))),
            null,
            2,
          ),
        );
        step = now;
      }
      if (tasks[0]?.kind !== TASK_CALL) open += tasks.length;
      // START is not one of the host's tasks.
      /** @type {Pairs} */
      const inputs = isStart
        ? [[START, context.input]]
        : tasks.map((task) => [
            task.name,
            task.kind === TASK_PULL || task.given === ABSENT
              ? nodeInput(task.own ?? plan.nodes[task.node], task.state())
              : task.given,
          ]);
      printList(
        now,
        "tasks",
        `Starting step ${now} with`,
        "task",
        "32",
        inputs.map(([name, input]) => [name, JSON.stringify(input, null, 2)]),
      );
      if (isStart) {
        writes = visible(Object.entries(/** @type {object} */ (context.input)));
        printWrites();
      }
      sink?.planned?.(now, tasks);
    },
    updates(task, cached) {
      sink?.updates?.(task, cached);
      end(task);
    },
    ended(task) {
      sink?.ended?.(task);
      end(task, false);
    },
  };
}
