// SPDX-License-Identifier: MIT
// Holds the common part of LangGraph's builders: conditions, entry and finish points, warnings
// about late changes. Does not depend on states, channels or runs.
import { END, START } from "../base/constants.js";
import { checkArgument, refuseRenamed } from "../base/check-arguments.js";
import { coerce } from "../runnable/runnable.js";

/** @typedef {import("../runnable/runnable.js").Runnable} Runnable */
/** @typedef {string[] | Record<string, string> | null} PathMap */
/** @typedef {{ source: string, path: unknown, pathMap?: PathMap }} Condition */
/** @typedef {{ path: unknown, ends: Record<string, string> | undefined }} BranchSpec */

/** End of the warning about any change after compile(). */
export const LATE =
  " a graph that has already been compiled. This will not be reflected in the compiled graph.";

/** Base of the builders that have an `addEdge`. */
export class Builder {
  /** Conditions of each node, by name. @type {Record<string, Record<string, BranchSpec>>} */
  branches = Object.create(null);
  compiled = false;

  /**
   * Adds a condition to a node.
   * @param {string | Condition} source a node, or `{ source, path, pathMap }`
   * @param {unknown} [path]
   * @param {PathMap} [pathMap]
   * @param {unknown} [then] refused: a former option
   * @returns {this}
   */
  addConditionalEdges(source, path, pathMap, then) {
    const given = typeof source === "object" ? source : { source, path, pathMap, then };
    refuseRenamed(given, "addConditionalEdges", { then: "addEdge from each target" });
    checkArgument(
      typeof given?.source === "string",
      "addConditionalEdges(source, path): source must be a node's name",
    );
    this.warnIfCompiled("Adding an edge to" + LATE);
    const condition = /** @type {Runnable} */ (coerce(given.path));
    const name = conditionName(condition);
    const known = (this.branches[given.source] ??= Object.create(null));
    if (name in known)
      throw new Error(`Condition \`${name}\` already present for node \`${given.source}\``);
    known[name] = { path: condition, ends: pathEnds(given.pathMap) };
    return this;
  }

  /** @param {string} key @returns {this} */
  setEntryPoint(key) {
    this.warnIfCompiled("Setting the entry point of" + LATE);
    return /** @type {this} */ (this.#adder.addEdge(START, key));
  }

  /** @param {string} key @returns {this} */
  setFinishPoint(key) {
    this.warnIfCompiled("Setting a finish point of" + LATE);
    return /** @type {this} */ (this.#adder.addEdge(key, END));
  }

  /** The builder with its own `addEdge`. */
  get #adder() {
    return /** @type {{ addEdge(start: string, end: string): unknown }} */ (
      /** @type {unknown} */ (this)
    );
  }

  /** @param {string} message warning for a graph that has been compiled */
  warnIfCompiled(message) {
    if (this.compiled) console.warn(message);
  }
}

/** @param {Runnable} path @returns {string} */
function conditionName(path) {
  const name = path.getName();
  return name === "RunnableLambda" ? "condition" : name;
}

/** @param {PathMap | undefined} pathMap @returns {Record<string, string> | undefined} */
function pathEnds(pathMap) {
  return Array.isArray(pathMap)
    ? Object.fromEntries(pathMap.map((name) => [name, name]))
    : (pathMap ?? undefined);
}
