// SPDX-License-Identifier: MIT
// What the rooms of random programs share: how one is tried through both packages, and how a
// counterexample is told.
import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import fc from "fast-check";
import { compare } from "./harness.mjs";

// LangGraph.js listens to one signal once a task.
setMaxListeners(200);

/**
 * Mostly `otherwise`.
 * @param {number} weight
 * @param {fc.Arbitrary<any>} arbitrary
 * @param {any} otherwise
 */
export const often = (weight, arbitrary, otherwise) =>
  fc.oneof({ weight, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });

/** A list that grows, by a reducer of the host. @param {any} lib */
export const logOf = (lib) =>
  lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });

/** A description that one of the two packages plays. */
export class Play {
  /** How often something ran, by its name. */
  runs = new Map();
  inputs = 0;

  /** @param {any} spec @param {any} lib the package @param {any} trace what is told of it */
  constructor(spec, lib, trace) {
    this.spec = spec;
    this.lib = lib;
    this.trace = trace;
  }

  /**
   * How a thread usually goes on.
   * @param {any} graph
   * @param {"resume" | "go on" | "input"} op
   * @param {number} number of the operation
   */
  goOn(graph, op, number) {
    return this.stream(
      graph,
      op === "resume"
        ? new this.lib.Command({ resume: `r${number}` })
        : op === "input"
          ? this.input()
          : null,
    );
  }

  /**
   * From a checkpoint of a history, if it has so many.
   * @param {any} graph
   * @param {any} config
   * @param {number} back how many before the newest
   */
  async replay(graph, config, back) {
    const configs = [];
    for await (const snapshot of graph.getStateHistory(config))
      configs.push(snapshot.config.configurable);
    return configs[back] === undefined
      ? undefined
      : this.stream(graph, null, { configurable: configs[back] });
  }
}

/**
 * @param {{ programs: fc.Arbitrary<any>, programOf: (spec: any) => any }} room
 * @param {{ seed: number, numRuns: number, endOnFailure?: boolean }} options
 */
export async function check({ programs, programOf }, options) {
  const result = await fc.check(
    fc.asyncProperty(programs, async (spec) => {
      const found = await compare(programOf(spec));
      if (found !== undefined) throw new Error(found);
    }),
    options,
  );
  if (!result.failed) return;
  const [spec] = result.counterexample;
  assert.fail(
    `after ${result.numRuns} programs (WEFT_PEER_SEED=${result.seed}), shrunk ${result.numShrinks} times:\n` +
      `${JSON.stringify(spec, (_, value) => value, 1)}\n${result.errorInstance?.message}`,
  );
}
