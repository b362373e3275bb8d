// SPDX-License-Identifier: MIT
// Runs a graph for an AG-UI client: what the client sends becomes an input, answers or a fork of
// the thread. A client's word counts for its new messages and its answers alone.
import { checkArgument, isObject } from "../base/check-arguments.js";
import { Command } from "../base/constants.js";
import { toJson } from "../server/http/wire.js";
import { AgUiEvents, interruptOf } from "./events.js";
import { fromAgUiMessage } from "./messages.js";

/** @typedef {import("./messages.js").Fields} Fields */
/** @typedef {import("./events.js").AgUiEvent} AgUiEvent */
/** @typedef {import("./events.js").Question} Question */
/**
 * What is called of a graph.
 * @typedef {{ values: Fields & { messages?: { id?: string, getType?: () => string, type?: string
 *   }[] }, next: string[], tasks: { interrupts?: Question[], result?: unknown }[], config: {
 *   configurable?: Fields }}} State
 * @typedef {{ stream: (input: unknown, config: Fields) => Promise<AsyncIterable<unknown>>,
 *   getState: (config: Fields) => Promise<State>, getStateHistory: (config: Fields, options?:
 *   Fields) => AsyncIterable<State> }} Graph
 */
/**
 * `config`: beneath that of each run; `onCancelled`: the answer to a question that the user
 * cancelled, by default a refusal; `onError`: the text that the user is shown of an error;
 * `legacyInterrupt`: emit questions as a CUSTOM event `on_interrupt` too.
 * @typedef {{ config?: Fields, onCancelled?: (question: Question) => unknown, onError?: (error:
 *   unknown) => string, legacyInterrupt?: boolean, signal?: AbortSignal }} RunOptions
 */
/**
 * @typedef {Fields & { threadId: string, runId: string, protocolVersion?: string, messages:
 *   Fields[], resume?: { interruptId: string, status: string, payload?: unknown }[] }} RunInput
 */

const MODES = ["values", "messages", "custom"];
const MOST_MESSAGES = 10_000;
const MOST_HISTORY = 1000;
const MASKED = "An error occurred.";

/** What a client sent cannot be taken. */
class InputError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * @param {Graph} graph with a checkpointer; AG-UI's thread is the graph's
 * @param {unknown} input AG-UI's RunAgentInput
 * @param {RunOptions} [options]
 * @returns {ReadableStream<AgUiEvent>} it never errors: RUN_ERROR says what went wrong
 */
export function toAgUi(graph, input, options = {}) {
  checkArgument(
    typeof graph?.stream === "function",
    "toAgUi(graph, input): graph must be compiled",
  );
  const controller = new AbortController();
  const { signal } = options;
  signal?.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
  if (signal?.aborted) controller.abort(signal.reason);
  return streamOf(runEvents(graph, input, options, controller.signal), () =>
    controller.abort(new DOMException("Its reader went away.", "AbortError")),
  );
}

/**
 * Tells a client what a thread has come to, as a run does that has nothing to do: its state, its
 * messages and its open questions.
 * @param {Graph} graph
 * @param {unknown} input AG-UI's RunAgentInput
 * @param {RunOptions} options
 * @returns {ReadableStream<AgUiEvent>}
 */
export function showThread(graph, input, options) {
  return streamOf(threadEvents(graph, input, options), () => {});
}

/**
 * @param {AsyncGenerator<AgUiEvent, void, void>} events
 * @param {() => void} cancel
 * @returns {ReadableStream<AgUiEvent>}
 */
function streamOf(events, cancel) {
  return new ReadableStream({
    async pull(stream) {
      const { done, value } = await events.next();
      if (done) stream.close();
      else stream.enqueue(value);
    },
    cancel,
  });
}

/**
 * @param {Graph} graph
 * @param {unknown} given
 * @param {RunOptions} options
 * @returns {AsyncGenerator<AgUiEvent, void, void>}
 */
async function* threadEvents(graph, given, options) {
  const ids = idsOf(given);
  yield { type: "RUN_STARTED", ...ids };
  /** @type {AgUiEvent[]} */
  const waiting = [];
  try {
    const state = await graph.getState(configOf(options, readInput(given)));
    const events = new AgUiEvents((event) => waiting.push(event), state.values);
    events.finish();
    yield* waiting;
    yield* endOf(ids, openIn(state), options);
  } catch (error) {
    yield failureOf(error, options);
  }
}

/**
 * @param {Graph} graph
 * @param {unknown} given
 * @param {RunOptions} options
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<AgUiEvent, void, void>}
 */
async function* runEvents(graph, given, options, signal) {
  const ids = idsOf(given);
  yield { type: "RUN_STARTED", ...ids };
  /** @type {AgUiEvent[]} */
  const waiting = [];
  /** @type {AgUiEvents | undefined} */
  let events;
  try {
    const input = readInput(given);
    const config = configOf(options, input);
    const state = await graph.getState(config);
    const call = await planCall(graph, input, config, state, options);
    events = new AgUiEvents((event) => waiting.push(event), state.values);
    yield* waiting.splice(0);
    if (call !== undefined) {
      const stream = await graph.stream(call.input, { ...call.config, streamMode: MODES, signal });
      for await (const [mode, payload] of /** @type {AsyncIterable<[string, unknown]>} */ (
        stream
      )) {
        events.take(mode, payload);
        yield* waiting.splice(0);
      }
    }
    events.finish();
    yield* waiting.splice(0);
    yield* endOf(ids, events.questions, options);
  } catch (error) {
    events?.close();
    yield* waiting.splice(0);
    if (error instanceof InputError || !signal.aborted) yield failureOf(error, options);
    else {
      const { protocolVersion } = /** @type {Fields} */ (given);
      const outcome = protocolVersion === "1.0" ? { outcome: { type: "cancelled" } } : {};
      yield { type: "RUN_FINISHED", ...ids, ...outcome };
    }
  }
}

/** @param {unknown} given */
function idsOf(given) {
  const { threadId, runId } = /** @type {Fields} */ (isObject(given) ? given : {});
  return { threadId: String(threadId ?? ""), runId: String(runId ?? "") };
}

/**
 * The end of a run that came to one.
 * @param {{ threadId: string, runId: string }} ids
 * @param {Question[]} questions that are open
 * @param {RunOptions} options
 * @returns {Generator<AgUiEvent, void, void>}
 */
function* endOf(ids, questions, { legacyInterrupt }) {
  if (legacyInterrupt)
    for (const { value } of questions)
      yield { type: "CUSTOM", name: "on_interrupt", value: toJson(value) };
  const outcome =
    questions.length > 0
      ? { type: "interrupt", interrupts: questions.map(interruptOf) }
      : { type: "success" };
  yield { type: "RUN_FINISHED", ...ids, outcome };
}

/** @param {unknown} error @param {RunOptions} options @returns {AgUiEvent} */
function failureOf(error, { onError }) {
  if (error instanceof InputError)
    return { type: "RUN_ERROR", message: error.message, code: error.code };
  return { type: "RUN_ERROR", message: onError?.(error) ?? MASKED, code: "RUN_FAILED" };
}

/** @param {State} state @returns {Question[]} that are open */
function openIn({ tasks }) {
  return askedIn({ tasks: tasks.filter(({ result }) => !result) });
}

/** @param {Pick<State, "tasks">} state @returns {Question[]} with those that were answered */
function askedIn({ tasks }) {
  return tasks.flatMap(({ interrupts = [] }) => interrupts);
}

/** @param {unknown} given @returns {RunInput} @throws {InputError} */
function readInput(given) {
  const input = /** @type {Fields} */ (isObject(given) ? given : {});
  for (const key of ["threadId", "runId"]) {
    const id = input[key];
    if (typeof id !== "string" || id === "" || id.length > 1024)
      throw new InputError("INVALID_INPUT", `${key} must be a text of up to 1024 characters.`);
  }
  const { messages = [], resume } = input;
  if (!Array.isArray(messages) || messages.length > MOST_MESSAGES || !messages.every(isObject))
    throw new InputError("INVALID_INPUT", `messages must be a list of up to ${MOST_MESSAGES}.`);
  if (resume !== undefined && !(Array.isArray(resume) && resume.every(isAnswer)))
    throw new InputError(
      "INVALID_INPUT",
      "resume must be a list of { interruptId, status: resolved or cancelled, payload }.",
    );
  return /** @type {RunInput} */ ({ ...input, messages, resume });
}

/** @param {{ interruptId?: unknown, status?: unknown }} answer */
function isAnswer(answer) {
  return (
    typeof answer?.interruptId === "string" &&
    (answer.status === "resolved" || answer.status === "cancelled")
  );
}

/** @param {RunOptions} options @param {RunInput} input @returns {Fields} */
function configOf({ config = {} }, { threadId, tools, context, state, forwardedProps }) {
  const { configurable = {}, context: own = {} } =
    /** @type {{ configurable?: Fields, context?: Fields }} */ (config);
  const agui = { tools: tools ?? [], context: context ?? [], state, forwardedProps };
  return {
    ...config,
    context: { ...own, agui },
    configurable: { ...configurable, thread_id: threadId },
  };
}

/**
 * @param {Graph} graph
 * @param {RunInput} input
 * @param {Fields} config
 * @param {State} state
 * @param {RunOptions} options
 * @returns {Promise<{ input: unknown, config: Fields } | undefined>} undefined: nothing is to run
 */
async function planCall(graph, input, config, state, options) {
  const open = openIn(state);
  const asked = askedIn(state);
  const answers = answersOf(input, open, options);
  if (answers !== undefined) {
    // An answer that was given before is harmless.
    if (open.length === 0) return undefined;
    const missing = open.find(({ id }) => !Object.hasOwn(answers, id));
    const unknown = Object.keys(answers).find((id) => !asked.some((one) => one.id === id));
    if (missing !== undefined || unknown !== undefined)
      throw new InputError(
        "INCOMPLETE_RESUME",
        unknown === undefined
          ? `resume must answer all open questions: ${JSON.stringify(missing?.id)} is missing.`
          : `There is no open question ${JSON.stringify(unknown)}.`,
      );
    const resume = Object.fromEntries(open.map(({ id }) => [id, answers[id]]));
    return { input: new Command({ resume }), config };
  }
  if (open.length > 0)
    throw new InputError("OPEN_INTERRUPTS", "The thread waits for answers: send them in resume.");
  return planMessages(graph, input, config, state);
}

/**
 * @param {RunInput} input
 * @param {Question[]} open
 * @param {RunOptions} options
 * @returns {Fields | undefined} by the ids of questions
 */
function answersOf({ resume, forwardedProps }, open, { onCancelled }) {
  if (resume !== undefined && resume.length > 0)
    return Object.fromEntries(
      resume.map(({ interruptId, status, payload }) => {
        const question = open.find(({ id }) => id === interruptId) ?? {
          id: interruptId,
          value: {},
        };
        const answer =
          status === "resolved" ? payload : (onCancelled?.(question) ?? { approved: false });
        return [interruptId, answer];
      }),
    );
  const { command } = /** @type {{ command?: { resume?: unknown } }} */ (
    isObject(forwardedProps) ? forwardedProps : {}
  );
  if (command?.resume === undefined) return undefined;
  // The older dialect names no question.
  return open.length === 1 ? { [open[0].id]: command.resume } : {};
}

/**
 * @param {Graph} graph
 * @param {RunInput} input
 * @param {Fields} config
 * @param {State} state
 */
async function planMessages(graph, { messages }, config, state) {
  const stored = state.values.messages ?? [];
  const known = new Map(stored.map(({ id }, at) => [id, at]));
  const fresh = messages.filter(({ id }) => !known.has(/** @type {string} */ (id)));
  const read = fresh.map(fromAgUiMessage).filter((one) => one !== undefined);
  const ends = messages.map(({ id }) => known.get(/** @type {string} */ (id)) ?? -1);
  const end = Math.max(-1, ...ends);
  const rest = stored.slice(end + 1);
  const last = messages.at(-1);
  if (read.length === 0) {
    // The same message again: its answer is made anew.
    if (last?.role !== "user" || rest.length === 0) return undefined;
    const place = await placeAfter(graph, config, String(last.id), true);
    return place && { input: null, config: place };
  }
  // A user's message that the client does not have any more was edited; answers that it lacks may
  // have been lost on their way.
  const isEdited = rest.some((message) => (message.getType?.() ?? message.type) === "human");
  const before = end >= 0 ? stored[end].id : undefined;
  const place = isEdited ? await placeAfter(graph, config, before, false) : undefined;
  return { input: { messages: read }, config: place ?? config };
}

/**
 * @param {Graph} graph
 * @param {Fields} config
 * @param {string | undefined} id of the last message there; undefined: there is none
 * @param {boolean} isOpen is something to run there?
 * @returns {Promise<Fields | undefined>} the config of the newest such checkpoint
 */
async function placeAfter(graph, config, id, isOpen) {
  for await (const state of graph.getStateHistory(config, { limit: MOST_HISTORY })) {
    const isThere = state.values.messages?.at(-1)?.id === id;
    const runs = state.next.length > 0 && state.next[0] !== "__start__";
    if (!isThere || runs !== isOpen) continue;
    const configurable = /** @type {Fields} */ (config.configurable);
    const { checkpoint_id } = /** @type {Fields} */ (state.config.configurable);
    return { ...config, configurable: { ...configurable, checkpoint_id } };
  }
  return undefined;
}
