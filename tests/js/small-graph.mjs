// SPDX-License-Identifier: MIT
// Graphs straight on the pump, without the vocabulary above it: nodes are functions (state, task,
// run) that return an object of channel values, or write to task.writes themselves. For the tests
// of js/run.
import {
  AS_DEFAULT,
  AS_NODE,
  RUN_HISTORY,
  RUN_INVOKE,
  RUN_STATE,
  RUN_UPDATE,
} from "../../js/base/codes.js";
import { getEngine } from "../../js/engine/instance.js";
import { GraphInterrupt } from "../../js/base/errors.js";
import { askInterrupt } from "../../js/run/tasks/engine-queries.js";
import { defineGraph, startRun } from "../../js/run/start.js";
// The rooms above say where the commands are that few runs get.
import "../../js/graph/compiled.js";

/**
 * @param {object} plan channels: { name: kind | { kind, reducer, makeDefault } }, nodes: { name:
 *   function }, edges, joins, branches: [{ from, ends, choose(state) -> targets }],
 *   interruptBefore, interruptAfter
 */
export class SmallGraph {
  constructor({ channels, nodes, edges = [], joins = [], branches = [], ...rest }) {
    const kinds = Object.entries(channels).map(([name, channel]) => [
      name,
      typeof channel === "string" ? { kind: channel } : channel,
    ]);
    this.names = kinds.map(([name]) => name);
    this.nodes = ["__start__", ...Object.keys(nodes)];
    this.functions = nodes;
    this.branches = branches;
    this.kinds = kinds.map(([, channel]) => channel.kind);
    const definition = {
      channels: kinds.map(([name, { kind, makeDefault }]) =>
        makeDefault ? { name, kind, default: true } : { name, kind },
      ),
      nodes: Object.keys(nodes).map((name) => ({ name })),
      edges,
      joins,
      branches: branches.map(({ from, ends }) => ({ from, ends: ends ?? null })),
      output: this.names,
      ...rest,
    };
    const parts = kinds.map(([, { reducer, makeDefault }]) => ({ reducer, makeDefault }));
    this.graph = defineGraph(definition, {
      channels: parts,
      runTask: (task, run) => this.runTask(task, run),
    });
  }

  runTask(task, run) {
    const input = task.input;
    const node = this.functions[task.name];
    const output = task.node === 0 ? task.given : task.kind === 2 ? input : node(input, task, run);
    if (output instanceof Promise) return output.then((late) => this.write(task, run, late));
    this.write(task, run, output);
  }

  write(task, run, output) {
    for (const [name, value] of Object.entries(output ?? {}))
      this.writeOne(task.writes, name, value);
    this.branches.forEach((branch, number) => {
      if (branch.from !== task.name) return;
      task.writes.branch(number);
      for (const target of branch.choose({ ...run.readState(), ...output })) {
        if (Array.isArray(target)) task.writes.branchSend(this.nodes.indexOf(target[0]), target[1]);
        else task.writes.destination(target);
      }
    });
  }

  writeOne(entries, name, value) {
    const channel = this.names.indexOf(name);
    if (this.kinds[channel] === "messages")
      entries.messages(channel, Array.isArray(value) ? value : [value], !Array.isArray(value));
    else entries.write(channel, value);
  }

  /** Starts a run with this input (null: go on, undefined: only what the request says). */
  start(input, request = {}) {
    const entries =
      input === null || input === undefined
        ? undefined
        : (writes) => writes.write(this.names.length, input);
    return startRun(this.graph, {
      kind: RUN_INVOKE,
      recursionLimit: 25,
      input: entries,
      isNull: input === null,
      ...request,
    });
  }

  async invoke(input, request) {
    const result = await this.start(input, request).promise;
    return result.interrupted
      ? { ...result.state(), __interrupt__: result.interrupts }
      : result.state();
  }

  async state(request) {
    const run = startRun(this.graph, { kind: RUN_STATE, ...request });
    await run.promise;
    return run.snapshots[0];
  }

  async history(request) {
    const run = startRun(this.graph, { kind: RUN_HISTORY, ...request });
    await run.promise;
    return run.snapshots;
  }

  async update(values, { asNode, ...request }) {
    const run = startRun(this.graph, {
      kind: RUN_UPDATE,
      updates: [asNode === undefined ? AS_DEFAULT : asNode + AS_NODE],
      updateValues: [values],
      ...request,
    });
    return run.promise;
  }
}

/** interrupt(value) of a node. */
export function ask(task, run, value) {
  const answer = askInterrupt(run, task);
  if (answer.resume) return answer.value;
  throw new GraphInterrupt([{ id: answer.id, value }]);
}

/** Slots and values alive in the engine, after a run that makes it name what it has released. */
export async function alive() {
  const tiny = new SmallGraph({
    channels: { x: "last" },
    nodes: { n: () => ({ x: 1 }) },
    edges: [["__start__", "n"]],
  });
  await tiny.invoke({ x: 0 });
  const engine = getEngine();
  return {
    slots: engine.slots.live,
    values: engine.call("weft_live"),
    tenants: engine.tenants.size,
  };
}
