// SPDX-License-Identifier: MIT
// Builds the payloads of the stream modes `tasks`, `checkpoints` and `debug`. Does not depend on
// runs or streams.
import { joinNamespace } from "../../base/namespace.js";
import { TASK_CALL, TASK_PULL } from "../../base/codes.js";
import { ABSENT } from "../../engine/slots.js";
import { nodeInput } from "../../plan/task-state.js";
import { isGraphDrained, isParentCommand } from "../../base/errors.js";
import { isObject } from "../../base/check-arguments.js";
import { errorRecord } from "../../run/events.js";
import { addWrite } from "../../run/read-snapshot.js";
import { insideOf, shownAs } from "../state-snapshot.js";

/** @typedef {import("../call.js").CallContext} CallContext */
/** @typedef {import("../../plan/definition.js").Node} Node */
/** @typedef {import("../../plan/definition.js").Plan} Plan */
/** @typedef {import("../../run/read-snapshot.js").PlannedTask} PlannedTask */
/** @typedef {import("../../run/tasks/task.js").NodeTask} NodeTask */

/** Metadata keys that LangGraph omits from tasks in these modes. */
const HIDDEN = new Set([
  "langgraph_step",
  "langgraph_node",
  "langgraph_triggers",
  "langgraph_path",
  "langgraph_checkpoint_ns",
  "checkpoint_ns",
  "thread_id",
  "checkpoint_id",
]);

/** @typedef {(mode: string, payload: unknown) => void} Push */

export class DebugModes {
  #step = 0;
  /** Config of the parent of the checkpoint that the run began with. @type {unknown} */
  #savedParent;

  /** @param {Plan} plan @param {string[]} modes @param {CallContext} context @param {Push} push */
  constructor(plan, modes, context, push) {
    this.plan = plan;
    this.modes = modes;
    this.context = context;
    this.push = push;
    this.wantTasks = modes.includes("tasks") || modes.includes("debug");
    this.wantCheckpoints = modes.includes("checkpoints") || modes.includes("debug");
  }

  /** @param {string} mode @param {string} type @param {number} step @param {unknown} payload */
  #tell(mode, type, step, payload) {
    if (this.modes.includes(mode)) this.push(mode, payload);
    if (this.modes.includes("debug"))
      this.push("debug", {
        step,
        type,
        timestamp: new Date(this.context.request?.clock?.now() ?? Date.now()).toISOString(),
        payload,
      });
  }

  /** @param {number} step @param {PlannedTask[]} tasks */
  planned(step, tasks) {
    this.#step = step;
    for (const task of tasks) {
      const node = task.own ?? this.plan.nodes[task.node];
      this.#tell("tasks", "task", step, {
        id: task.id,
        name: task.name,
        // An error handler of a sent task has that task's argument as input.
        input:
          task.kind === TASK_PULL || task.given === ABSENT
            ? nodeInput(node, task.state())
            : task.given,
        triggers: [task.trigger],
        interrupts: [],
        metadata: this.#metadata(node),
      });
    }
  }

  /** @param {Node} node */
  #metadata(node) {
    const { config, metadata } = this.context;
    const shown = Object.fromEntries(
      Object.entries({ ...metadata, ...node.metadata }).filter(([key]) => !HIDDEN.has(key)),
    );
    const tags = [...(config.tags ?? []), ...(node.tags ?? [])];
    return tags.length > 0 ? { ...shown, tags } : shown;
  }

  /**
   * @param {NodeTask} task ended with its writes, interrupts or an error
   * @param {boolean} [isShown] whether the `updates` stream reports it too: then a Command for the
   *   parent is no error
   */
  ended(task, isShown) {
    const { interrupts } = task;
    // Interrupts of a call of task() belong to its caller. A task without its own interrupts, or
    // one that was drained, has not ended.
    if (
      !this.wantTasks ||
      (interrupts && (task.kind === TASK_CALL || !interrupts.length)) ||
      isGraphDrained(task.error)
    )
      return;
    const isFailed =
      (task.failed || task.error !== undefined) && !(isShown && isParentCommand(task.error));
    this.#tell("tasks", "task_result", this.#step, {
      id: task.id,
      name: task.name,
      result: isFailed || interrupts ? {} : resultOf(this.plan, task.raw ?? []),
      interrupts: interrupts ?? [],
      error: interrupts || !isFailed ? null : shownError(task.error),
    });
  }

  /** @param {import("../../run/read-snapshot.js").Snapshot} snapshot */
  checkpoint(snapshot) {
    const shown = shownAs(this.plan.stream, snapshot);
    const { id, step, source, values, next, parents, parentId, isLoaded, saved } = shown;
    if (isLoaded && parentId !== undefined) this.#savedParent = this.#savedConfig(parentId);
    // With durability "exit" nothing is saved until the end: the run's first checkpoint stays
    // current.
    const isHeld = this.context.durability === "exit" && !isLoaded;
    // Configs of subgraph checkpoints contain the parents' ids; checkpoints saved before the run
    // began were saved without them.
    const isAbove = isLoaded && this.context.namespace.length === 0 && source !== "fork";
    this.#tell("checkpoints", "checkpoint", step, {
      config: this.#config(isHeld ? parentId : id, parents),
      values,
      metadata: saved?.metadata ?? { source, step, parents: isAbove ? {} : parents },
      next,
      tasks: shown.tasks.map((task) => this.#task(task)),
      parentConfig:
        isHeld || isLoaded
          ? this.#savedParent
          : parentId === undefined
            ? undefined
            : this.#config(parentId, parents),
    });
  }

  /**
   * Adds the config of the task's subgraph.
   * @param {import("../../run/read-snapshot.js").SnapshotTask} task
   */
  #task(task) {
    const { config, namespace } = this.context;
    const found = insideOf(this.plan, task, {
      thread_id: config.configurable?.thread_id,
      checkpoint_ns: joinNamespace(namespace),
    });
    return found === undefined ? task : { ...task, state: found.config };
  }

  /**
   * Returns the run's config with the names of LangGraph's Python side.
   * @param {string | undefined} id
   * @param {Record<string, string>} parents checkpoints of the parent graphs
   */
  #config(id, parents) {
    const { config, metadata, recursionLimit } = this.context;
    const { callbacks, maxConcurrency, runName } = config;
    // Must be the first key.
    const place = { checkpoint_ns: joinNamespace(this.context.namespace) };
    return {
      ...(callbacks === undefined ? {} : { callbacks }),
      configurable: {
        ...place,
        ...config.configurable,
        ...place,
        ...(Object.keys(parents).length === 0 ? {} : { checkpoint_map: parents }),
        ...(id === undefined ? {} : { checkpoint_id: id }),
      },
      ...(maxConcurrency === undefined ? {} : { max_concurrency: maxConcurrency }),
      metadata,
      recursion_limit: recursionLimit,
      ...(runName === undefined ? {} : { run_name: runName }),
      tags: config.tags ?? [],
    };
  }

  /** @param {string} id */
  #savedConfig(id) {
    return {
      configurable: {
        thread_id: this.context.config.configurable?.thread_id,
        checkpoint_ns: joinNamespace(this.context.namespace),
        checkpoint_id: id,
      },
    };
  }
}

/**
 * Returns an error's public form.
 * @param {unknown} error
 * @returns {{ message?: unknown, name?: unknown }}
 */
function shownError(error) {
  if (!isObject(error)) return errorRecord(error);
  const { message, name } = /** @type {Partial<Error>} */ (error);
  return { message, name };
}

/** @param {Plan} plan @param {Array<[number, unknown]>} writes */
function resultOf(plan, writes) {
  const shown = plan.stream === undefined ? undefined : [plan.stream].flat();
  /** @type {Record<string, unknown>} */
  const result = {};
  for (const [channel, value] of writes) {
    const key = plan.keys[channel];
    if (shown?.includes(key) === false) continue;
    addWrite(result, key, value);
  }
  return result;
}
