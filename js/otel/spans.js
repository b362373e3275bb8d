// SPDX-License-Identifier: MIT
// Keeps the spans of runs under way: begins and ends them as the callbacks tell. When an outermost
// run ends, so do all below it. Does not depend on who runs.
import { isGraphBubbleUp, isGraphInterrupt } from "../base/errors.js";
import { errorType, known } from "./attributes.js";
import { cut, textOf } from "./content.js";
import { Entry } from "./entry.js";
import { Questions } from "./questions.js";

/** @typedef {import("./attributes.js").Attributes} Attributes */
/** @typedef {import("./attributes.js").Fields} Fields */
/** @typedef {import("./content.js").About["part"]} Part */
/** @typedef {import("./content.js").Rule} Rule */
/** @typedef {import("./entry.js").Span} Span */
/** @typedef {{ startSpan(name: string, options?: object, context?: unknown): Span }} Tracer */
/**
 * @typedef {{ trace: { getTracer(name: string): Tracer, setSpan(context: unknown, span: Span):
 *   unknown }, context: { active(): unknown, with<Result>(context: unknown, call: () => Result):
 *   Result } }} Api
 */
/**
 * `most`: characters of a content.
 * @typedef {{ api: Api, tracer: Tracer, metrics?: import("../types/otel.js").OtelMetrics, rules: {
 *   usual: Rule, nodes: Map<string, Rule> }, steps: boolean, most: number }} Options
 */

/** OpenTelemetry's number of the status. */
const ERROR = 2;
/** Maximum number of runs under way: beyond it the oldest spans end. */
const MOST_OPEN = 100_000;
/** Why spans end below a run that failed. */
const LEFT = { name: "AbortError" };
/** Maximum number of errors inside of each other that are looked at. */
const MOST_CAUSES = 8;

export class Spans {
  /** @type {Map<string | undefined, Entry>} */
  #runs = new Map();
  #isWarned = false;
  #options;
  #questions = new Questions((entry, name, attributes, asked) => {
    const links = asked && [{ context: asked }];
    const { span } = this.#make("", name, entry, undefined, attributes, undefined, 0, links);
    span?.end();
    return span?.spanContext();
  });

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
  }

  /** Calls the tracer or the user's policy; an error is reported once. @param {() => void} work */
  attempt(work) {
    try {
      work();
    } catch (error) {
      if (!this.#isWarned) console.warn(`A trace is incomplete: ${error}`);
      this.#isWarned = true;
    }
  }

  /**
   * Runs the work of a run where its span is the active one.
   * @template Result
   * @param {string} runId
   * @param {() => Result} work
   * @param {import("../run/start.js").RunRequest} [request] of a graph
   * @returns {Result}
   */
  around(runId, work, request) {
    const entry = this.#runs.get(runId);
    if (entry === undefined) return work();
    if (request !== undefined) this.attempt(() => this.#questions.answer(entry, request));
    let isBegun = false;
    try {
      return this.#options.api.context.with(entry.context, () => {
        isBegun = true;
        return work();
      });
    } catch (error) {
      if (isBegun) throw error;
      return work();
    }
  }

  /** @param {string | undefined} runId */
  get(runId) {
    return this.#runs.get(runId);
  }

  /**
   * Returns the step under way of a graph; the one before ends when another begins.
   * @param {Entry} graph
   * @param {number} number
   */
  stepOf(graph, number) {
    if (graph.step?.number === number) return graph.step;
    this.#closeStep(graph);
    const entry = this.#options.steps
      ? this.#make("step", "step", graph, undefined, { "langgraph.step": number })
      : graph;
    return (graph.step = { number, entry, attempts: new Map() });
  }

  /** Applies the rule of a node. @param {Entry} entry @param {string} node */
  enter(entry, node) {
    entry.node = node;
    entry.rule = this.#options.rules.nodes.get(node) ?? entry.rule;
  }

  /**
   * Begins a run; without attributes it has no span of its own.
   * @param {string} runId
   * @param {string} kind
   * @param {string} operation first word of the span's name
   * @param {Entry | undefined} parent
   * @param {Fields} metadata
   * @param {Fields} [attributes]
   * @param {unknown} [name]
   * @param {number} [spanKind]
   * @returns {Entry | undefined} undefined if it has begun before
   */
  begin(runId, kind, operation, parent, metadata, attributes, name, spanKind) {
    if (this.#runs.has(runId)) return undefined;
    const entry = this.#make(kind, operation, parent, metadata, attributes, name, spanKind);
    this.#runs.set(runId, entry);
    if (parent !== undefined) entry.root.open.add(runId);
    if (this.#runs.size > MOST_OPEN)
      this.end(/** @type {string} */ (this.#runs.keys().next().value), LEFT);
    return entry;
  }

  /**
   * @param {string} kind
   * @param {string} operation
   * @param {Entry | undefined} parent
   * @param {Fields | undefined} metadata undefined: without the thread's id
   * @param {Fields} [fields]
   * @param {unknown} [name]
   * @param {number} [spanKind] OpenTelemetry's number, by default of an internal one
   * @param {object[]} [links]
   * @returns {Entry}
   */
  #make(kind, operation, parent, metadata, fields, name, spanKind = 0, links) {
    const { api, tracer, rules } = this.#options;
    const thread = metadata?.thread_id ?? parent?.thread;
    let context = parent === undefined ? api.context.active() : parent.context;
    /** @type {Span | undefined} */
    let span;
    /** @type {Attributes} */
    let attributes = {};
    if (fields !== undefined) {
      attributes = known({ ...fields, "gen_ai.conversation.id": metadata && thread });
      const title = cut(name ? `${operation} ${name}` : operation, 256);
      span = tracer.startSpan(title, { kind: spanKind, attributes, links }, context);
      context = api.trace.setSpan(context, span);
    }
    return new Entry(
      kind,
      String(name ?? operation),
      parent,
      rules.usual,
      context,
      thread,
      span,
      attributes,
    );
  }

  /** @param {Entry} entry @param {Attributes} attributes */
  add(entry, attributes) {
    Object.assign(entry.attributes, attributes);
    entry.span?.setAttributes(attributes);
  }

  /**
   * Stores content, if its rule allows it.
   * @param {Entry | undefined} entry
   * @param {string} key
   * @param {Part} part
   * @param {() => unknown} value
   */
  hold(entry, key, part, value) {
    if (entry?.span?.isRecording?.() === false) return;
    const text = entry && this.#shown(entry, part, value);
    if (text !== undefined) entry?.span?.setAttribute(key, text);
  }

  /**
   * Returns what the rule allows to store of a value, undefined if nothing.
   * @param {Entry} entry
   * @param {Part} part
   * @param {() => unknown} value
   */
  #shown({ rule, kind, name, node }, part, value) {
    if (rule === "none") return undefined;
    const shown = rule === "all" ? value() : rule(value(), { kind, name, node, part });
    return shown === undefined ? undefined : textOf(shown, this.#options.most);
  }

  /** @param {string} runId @param {unknown} error */
  fail(runId, error) {
    const entry = this.#runs.get(runId);
    if (entry !== undefined && isGraphInterrupt(error))
      this.attempt(() => {
        // A question passes through the graphs above it too.
        for (const { id, value } of error.interrupts) {
          if (entry.root.asked.has(String(id))) continue;
          entry.root.asked.add(String(id));
          this.#questions.ask(entry, String(id), value);
        }
      });
    this.end(runId, isGraphBubbleUp(error) ? undefined : (error ?? "error"));
  }

  /**
   * Ends a run; later reports about it are ignored.
   * @param {string} runId
   * @param {unknown} [error]
   * @param {(entry: Entry) => void} [finish] adds what its end tells
   */
  end(runId, error, finish) {
    const entry = this.#runs.get(runId);
    if (entry === undefined) return;
    this.#runs.delete(runId);
    entry.root.open.delete(runId);
    for (const below of [...entry.open].reverse()) this.end(below, error && LEFT);
    if (finish !== undefined) this.attempt(() => finish(entry));
    this.#close(entry, error);
  }

  /** @param {Entry} graph @param {unknown} [error] */
  #closeStep({ step }, error) {
    if (step?.entry.kind === "step") this.#close(step.entry, error);
  }

  /** @param {Entry} entry @param {unknown} [error] */
  #close(entry, error) {
    const { span, kind } = entry;
    this.#closeStep(entry, error);
    if (span === undefined) return;
    this.attempt(() => {
      if (error !== undefined) this.#blame(entry, span, error);
      else if (entry.asked.size > 0) this.add(entry, { "langgraph.interrupted": true });
    });
    this.attempt(() => span.end());
    this.attempt(() =>
      this.#options.metrics?.record(kind, performance.now() - entry.begun, entry.attributes),
    );
  }

  /** @param {Entry} entry @param {Span} span @param {unknown} error */
  #blame(entry, span, error) {
    this.add(entry, { "error.type": errorType(error) });
    span.setStatus({ code: ERROR });
    const { rule, root } = entry;
    // What a node hides, those above it through which its error passes do not tell.
    const below = causesOf(error).find((one) => root.told.has(one));
    const before = root.told.get(below);
    const isHeld = before !== undefined && before.rule !== rule;
    if (before === undefined) root.told.set(error, { rule, text: undefined });
    if (isHeld && before.text === undefined) return;
    const text = isHeld ? before.text : Object(error).message;
    const message = this.#shown(entry, "error", () => text);
    if (before === undefined) root.told.set(error, { rule, text: message });
    if (message) span.setStatus({ code: ERROR, message });
  }
}

/**
 * Lists an error, and what it was thrown because of.
 * @param {unknown} error
 * @returns {unknown[]}
 */
function causesOf(error) {
  const causes = [error];
  while (causes.length < MOST_CAUSES) {
    const { cause } = Object(causes[causes.length - 1]);
    if (cause === undefined) break;
    causes.push(cause);
  }
  return causes;
}
