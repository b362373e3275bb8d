// SPDX-License-Identifier: MIT
// Implements LangChain's run log: JSON Patches that build up a record of all runs. Does not depend
// on how runs are reported.
import { stoppedWith } from "../../streams/chunk-stream.js";
import { isWanted, record, rootOf } from "../../events/langchain/recorder.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {{ op: string, path: string, value: unknown }} Op */

/** Operations on a record of runs. */
class RunLogPatch {
  /** @param {{ ops?: Op[] }} fields */
  constructor(fields) {
    /** @type {Op[]} */
    this.ops = fields.ops ?? [];
  }

  /** @param {RunLogPatch} other */
  concat(other) {
    const ops = [...this.ops, ...other.ops];
    return new RunLog({ ops, state: apply(undefined, ops) });
  }
}

/** The record with the operations that made it. */
class RunLog extends RunLogPatch {
  /** @param {{ ops?: Op[], state: unknown }} fields */
  constructor(fields) {
    super(fields);
    this.state = fields.state;
  }

  /** @param {RunLogPatch} other */
  concat(other) {
    return new RunLog({ ops: [...this.ops, ...other.ops], state: apply(this.state, other.ops) });
  }

  /** @param {RunLogPatch} patch */
  static fromRunLogPatch(patch) {
    return new RunLog({ ops: patch.ops, state: apply(undefined, patch.ops) });
  }
}

/** @param {Value} state @param {Op[]} ops */
function apply(state, ops) {
  let made = structuredClone(state);
  for (const { path, value } of ops) {
    const [, ...keys] = path.split("/");
    const last = keys.pop();
    if (last === undefined) made = value;
    else {
      const target = keys.reduce((at, key) => at[unescape(key)], made);
      if (last === "-") target.push(value);
      else target[unescape(last)] = value;
    }
  }
  return made;
}

/** @param {string} key of a JSON pointer */
function unescape(key) {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Makes the patches of one call. */
class LogView {
  /** @type {import("../../events/langchain/recorder.js").Run | undefined} */
  root;
  /** @type {unknown} */
  #output;
  /** Number of shown runs by name. @type {Map<string, number>} */
  #counts = new Map();
  /**
   * Path of each shown run's log.
   * @type {Map<import("../../events/langchain/recorder.js").Run, string>}
   */
  #paths = new Map();

  /**
   * @param {import("../../events/langchain/recorder.js").Filter | undefined} filter
   * @param {(patch: RunLogPatch) => void} push
   */
  constructor(filter, push) {
    this.filter = filter;
    this.push = push;
  }

  /** @param {Op[]} ops */
  #patch(...ops) {
    this.push(new RunLogPatch({ ops }));
  }

  /**
   * Assigns the path of a run's log.
   * @param {import("../../events/langchain/recorder.js").Run} run the run that begins
   * @returns {string | undefined} undefined when the filter hides the run
   */
  #place(run) {
    const { name } = run;
    if (!isWanted(this.filter, { ...run, type: typeOf(run) })) return undefined;
    const count = (this.#counts.get(name) ?? 0) + 1;
    // Not escaped, even where JSON Patch requires it.
    const path = `/logs/${name}${count === 1 ? "" : `:${count}`}`;
    this.#counts.set(name, count);
    this.#paths.set(run, path);
    return path;
  }

  /** @param {import("../../events/langchain/recorder.js").Run} run */
  start(run) {
    const { id, name, tags, metadata } = run;
    const fields = { id, name, type: typeOf(run) };
    if (this.root === undefined) {
      this.root = run;
      return this.#patch({
        op: "replace",
        path: "",
        value: { ...fields, streamed_output: [], final_output: undefined, logs: {} },
      });
    }
    const path = this.#place(run);
    if (path === undefined) return;
    const started = {
      tags,
      metadata,
      start_time: now(),
      streamed_output: [],
      streamed_output_str: [],
      final_output: undefined,
      end_time: undefined,
    };
    this.#patch({ op: "add", path, value: { ...fields, ...started } });
  }

  /**
   * @param {import("../../events/langchain/recorder.js").Run} run
   * @param {unknown} _chunk
   * @param {unknown} first
   * @param {string} text
   */
  piece(run, _chunk, first, text) {
    const path = this.#paths.get(run);
    if (path === undefined) return;
    this.#patch(
      { op: "add", path: `${path}/streamed_output_str/-`, value: text },
      { op: "add", path: `${path}/streamed_output/-`, value: first },
    );
  }

  /** @param {import("../../events/langchain/recorder.js").Run} run @param {unknown} chunk */
  part(run, chunk) {
    const path = this.#paths.get(run);
    if (path !== undefined)
      this.#patch({ op: "add", path: `${path}/streamed_output/-`, value: chunk });
  }

  /** @param {unknown} chunk of the whole stream */
  chunk(chunk) {
    this.#patch({ op: "add", path: "/streamed_output/-", value: chunk });
  }

  /**
   * @param {import("../../events/langchain/recorder.js").Run} run
   * @param {unknown} _output
   * @param {unknown} outputs
   */
  end(run, _output, outputs) {
    if (run === this.root) {
      this.#output = outputs;
      if (run.type === "tool") this.#last();
      return;
    }
    const path = this.#paths.get(run);
    if (path === undefined) return;
    this.#patch(
      { op: "add", path: `${path}/final_output`, value: outputs },
      { op: "add", path: `${path}/end_time`, value: now() },
    );
  }

  /** @param {import("../../events/langchain/recorder.js").Run} run */
  fail(run) {
    this.end(run, undefined, undefined);
  }

  custom() {}

  /** Adds the final output after all chunks, or at the end of a single tool. */
  #last() {
    this.#patch({ op: "replace", path: "/final_output", value: this.#output });
  }

  finish() {
    if (this.root !== undefined && this.root.type !== "tool") this.#last();
  }
}

/** @param {{ type: string }} run */
function typeOf({ type }) {
  return type === "chat_model" ? "llm" : type;
}

function now() {
  return new Date().toISOString();
}

/**
 * Streams the log of a call.
 * @param {unknown} runnable
 * @param {unknown} input
 * @param {unknown} options
 * @param {Value} filter
 * @param {import("../../streams/chunk-stream.js").RunStream} stream receives the patches
 */
export async function showLog(runnable, input, options, filter, stream) {
  const view = new LogView(filter, (patch) => stream.push(patch));
  try {
    const { graph, asked } = rootOf(runnable, options);
    await record(graph, input, stoppedWith(stream, asked), view, (chunk) => view.chunk(chunk));
    view.finish();
    stream.end(false);
  } catch (error) {
    view.finish();
    stream.end(true, error);
  }
}
