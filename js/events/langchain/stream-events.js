// SPDX-License-Identifier: MIT
// Makes LangChain's events of versions 1 and 2 from recorded callbacks. Does not depend on how they
// are recorded.
import { stoppedWith } from "../../streams/chunk-stream.js";
import { isWanted, record, rootOf } from "./recorder.js";

/** @typedef {import("../protocol/protocol.js").ProtocolEvent} ProtocolEvent */
/** @typedef {import("../../calls/limits.js").ModelResult} ModelResult */
/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("./recorder.js").Run} Run */
/** @typedef {import("../../streams/chunk-stream.js").RunStream} RunStream */

/** Makes the events of one call. */
class EventsView {
  /** The root's end event, until all of its chunks are reported. @type {unknown} */
  #last;
  /** @type {string | undefined} the run of the first event */
  #first;

  /**
   * @param {"v1" | "v2"} version
   * @param {unknown} input
   * @param {Value} options
   * @param {string} name of the graph
   * @param {import("./recorder.js").Filter | undefined} filter
   * @param {(event: any) => void} push
   */
  constructor(version, input, options, name, filter, push) {
    this.isFirst = version === "v1";
    this.input = input;
    this.options = options;
    this.name = name;
    this.filter = filter;
    this.push = push;
    /** @type {Run | undefined} the graph's own */
    this.root = undefined;
  }

  /** @param {Run} run @returns {string} the version's name of its type */
  #typeOf(run) {
    return this.isFirst && run.type === "chat_model" ? "llm" : run.type;
  }

  /** @param {Run} run @param {string} moment @param {Record<string, unknown>} data */
  #event(run, moment, data) {
    const type = this.#typeOf(run);
    if (!isWanted(this.filter, { name: run.name, type, tags: run.tags })) return undefined;
    const { id: run_id, name, tags, metadata } = run;
    const event =
      moment === "stream" && !this.isFirst
        ? { event: `on_${type}_stream`, run_id, name, tags, metadata, data }
        : { event: `on_${type}_${moment}`, data, name, tags, run_id, metadata };
    if (this.isFirst) return event;
    // For the run reported first, the input is the graph's.
    this.#first ??= run.id;
    if (this.#first === run.id && moment === "start") event.data = { ...data, input: this.input };
    if (this.#first === run.id && moment === "end") event.data = { output: data.output };
    return event;
  }

  /** @param {unknown} event */
  #tell(event) {
    if (event !== undefined) this.push(event);
  }

  /** @param {Run} run */
  start(run) {
    const isRoot = this.root === undefined;
    if (isRoot) this.root = run;
    const { tags = [], metadata = {}, runName = this.name } = this.options;
    if (isRoot && this.isFirst) Object.assign(run, { tags, metadata, name: runName });
    const shows =
      !this.isFirst || isRoot || run.isWrapped || run.type === "chat_model" || run.type === "llm";
    this.#tell(
      this.#event(
        run,
        "start",
        shows && (isRoot || !run.isLate) ? { input: isRoot ? this.input : run.input } : {},
      ),
    );
  }

  /** @param {Run} run @param {unknown} chunk @param {unknown} [first] */
  piece(run, chunk, first = chunk) {
    this.#tell(this.#event(run, "stream", { chunk: this.isFirst ? first : chunk }));
  }

  /** @param {Run} run @param {unknown} chunk */
  part(run, chunk) {
    if (run !== this.root) this.piece(run, chunk);
  }

  /** @param {unknown} chunk of the whole stream */
  chunk(chunk) {
    if (this.root === undefined) return;
    // Version 2 omits chunks of a run that has ended, as a tool's run has when its chunk comes.
    if (this.isFirst || this.root.type !== "tool" || this.#last === undefined)
      this.piece(this.root, chunk);
  }

  /** @param {Run} run @param {unknown} output */
  end(run, output) {
    const isModel = isModelRun(run);
    const isRoot = run === this.root;
    const shown =
      isModel && !this.isFirst
        ? answerOf(run, output)
        : isRoot
          ? (output ?? {})
          : this.isFirst &&
              /** @type {{ output?: unknown } | undefined} */ (output)?.output === null
            ? null
            : output;
    const event = this.#event(
      run,
      "end",
      this.isFirst && !isModel && (isRoot || !run.isWrapped)
        ? { output: shown }
        : { output: shown, input: this.isFirst ? run.input : inputOf(run) },
    );
    if (isRoot) this.#last = event;
    else this.#tell(event);
  }

  /** @param {Run} run @param {unknown} given */
  fail(run, given) {
    const error = /** @type {Partial<Error> | undefined} */ (given);
    if (this.isFirst && run !== this.root)
      this.#tell(
        this.#event(run, "end", run.isWrapped || isModelRun(run) ? { input: run.input } : {}),
      );
    if (!this.isFirst && run.type === "tool")
      this.#tell(
        this.#event(run, "error", {
          error: `${error?.message}\n\n${error?.stack}`,
          input: run.input,
        }),
      );
  }

  /**
   * @param {string} name
   * @param {unknown} data
   * @param {string} runId
   * @param {string[]} tags
   * @param {Record<string, unknown>} metadata
   */
  custom(name, data, runId, tags, metadata) {
    if (this.isFirst || !isWanted(this.filter, { name, type: "custom", tags })) return;
    this.push({ event: "on_custom_event", run_id: runId, name, tags, metadata, data });
  }

  finish() {
    this.#tell(this.#last);
  }
}

/** @param {Run} run */
function isModelRun({ type }) {
  return type === "chat_model" || type === "llm";
}

/**
 * Returns the input in version 2's end event: null, 0 and false are wrapped.
 * @param {Run} run
 */
function inputOf({ input }) {
  return input === null || input === 0 || input === false ? { input } : input;
}

/** Returns a model's answer in version 2's form. @param {Run} run @param {unknown} given */
function answerOf(run, given) {
  const output = /** @type {ModelResult | undefined} */ (given);
  if (run.type === "chat_model") return output?.generations?.[0]?.[0]?.message;
  const pick = (/** @type {any} */ { text, generationInfo }) => ({ text, generationInfo });
  return {
    generations: output?.generations?.map((list) => list.map(pick)),
    llmOutput: output?.llmOutput ?? {},
  };
}

/**
 * @param {unknown} runnable
 * @param {unknown} input
 * @param {Value} options
 * @param {import("./recorder.js").Filter | undefined} filter
 * @param {RunStream} stream receives the events
 */
export async function showEvents(runnable, input, options, filter, stream) {
  const { version, encoding, ...rest } = options;
  const { graph, asked } = rootOf(runnable, rest);
  const encoder = new TextEncoder();
  const isEncoded = encoding === "text/event-stream";
  const push = (/** @type {ProtocolEvent} */ event) =>
    stream.push(
      isEncoded ? encoder.encode(`event: data\ndata: ${JSON.stringify(event)}\n\n`) : event,
    );
  const view = new EventsView(version, input, asked, graph.getName(), filter, push);
  try {
    await record(graph, input, stoppedWith(stream, asked), view, (chunk) => view.chunk(chunk));
    view.finish();
    if (isEncoded) stream.push(encoder.encode("event: end\n\n"));
    stream.end(false);
  } catch (error) {
    stream.end(true, error);
  }
}
