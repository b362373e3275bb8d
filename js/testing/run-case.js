// SPDX-License-Identifier: MIT
// Runs a graph, a function or a Runnable for one case, in a thread of its own, and answers its
// questions. Does not depend on how runs are scored and reported.
import { isObject, isRecord } from "../base/check-arguments.js";
import { Command, INTERRUPT, isInterrupted } from "../base/constants.js";
import { isGraphInterrupt } from "../base/errors.js";
import { mergeConfigs } from "../base/merge-configs.js";
import { randomUuid } from "../base/uuid.js";
import { isBaseMessage } from "../messages/index.js";
import { MemorySaver } from "../savers/memory/saver.js";
import { testIds } from "./clock.js";
import { isPlain, shownValue } from "./compare.js";
import { EvalError, errorOf } from "./eval-error.js";
import { within } from "./time.js";
import { Transcript } from "./transcript.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../types/testing/evaluate.js").NamedCase} NamedCase */
/** @typedef {import("../types/testing/evaluate.js").EvalRun} EvalRun */
/** @typedef {{ id?: string, value?: unknown }} Question */
/**
 * @typedef {(input: unknown, config: Config, run: { case: NamedCase, number: number }) => unknown}
 *   Call
 */
/**
 * Channels of a graph: those of its result (one: its bare value), and all that a stream may show.
 * @typedef {{ result: string | string[], all: string[] }} Channels
 */
/**
 * What is evaluated, in one form. `saves`: has it a checkpointer of its own? `channels`: of a local
 * graph.
 * @typedef {{ call: Call | undefined, invoke: ((input: unknown, config: Config) => unknown) |
 *   undefined, stream: ((input: unknown, config: Config) => unknown) | undefined, saves: boolean,
 *   channels: Channels | undefined }} Target
 */
/**
 * `id`: the thread's, if the evaluation makes ids.
 * @typedef {{ one: NamedCase, number: number, id: string | undefined }} Job
 */

const MOST_ROUNDS = 1000;
const HEX_ID = /^[0-9a-f]{32}$/;

/** @param {unknown} target @returns {Target | undefined} undefined if nothing can be called */
export function targetOf(target) {
  /** @type {Target} */
  const none = {
    call: undefined,
    invoke: undefined,
    stream: undefined,
    saves: false,
    channels: undefined,
  };
  if (typeof target === "function") return { ...none, call: /** @type {Call} */ (target) };
  if (!isObject(target)) return undefined;
  const given = /** @type {Record<string, unknown>} */ (target);
  if (typeof given.invoke !== "function") return undefined;
  if (typeof given.stream !== "function" || typeof given.getState !== "function")
    return { ...none, invoke: given.invoke.bind(given) };
  return {
    ...none,
    stream: given.stream.bind(given),
    saves: isObject(given.checkpointer),
    channels: channelsOf(given),
  };
}

/** @param {Record<string, unknown>} graph or an agent, which has one */
function channelsOf({ graph, outputChannels: result, streamChannelsList: all }) {
  if (result === undefined && isRecord(graph)) return channelsOf(graph);
  return result === undefined || !Array.isArray(all)
    ? undefined
    : {
        result: /** @type {Channels["result"]} */ (result),
        all: all.filter((name) => !String(name).startsWith("__pregel")),
      };
}

/**
 * Runs a case once.
 * @param {Target} target
 * @param {Job} job
 * @param {import("./evaluate.js").Options} options
 * @returns {Promise<EvalRun>}
 */
export async function runCase(target, { one, number, id }, options) {
  const { clock, signal, timeoutMs } = options;
  const transcript = new Transcript(one.input);
  /** @type {{ output: unknown, questions: unknown[] }} */
  const seen = { output: undefined, questions: [] };
  const config = configOf(target, one, id, options);
  const began = clock.now();
  let error;
  try {
    await within(
      (inner) =>
        drive(target, { one, number }, mergeConfigs(config, { signal: inner }), transcript, seen),
      {
        ms: timeoutMs,
        clock,
        signal,
        what: "the run",
      },
    );
  } catch (thrown) {
    error = errorOf(thrown);
  }
  return {
    case: one,
    number,
    threadId: config.configurable?.thread_id,
    input: one.input,
    expected: one.expected,
    output: seen.output,
    error,
    text: transcript.text,
    messages: /** @type {EvalRun["messages"]} */ ([...transcript.messages]),
    toolCalls: transcript.toolCalls,
    questions: [...seen.questions],
    usage: transcript.usage,
    ms: clock.now() - began,
    signal,
  };
}

/**
 * Breakpoints do not stop a run, unless the case's config has some.
 * @param {Target} target
 * @param {NamedCase} one
 * @param {string | undefined} id
 * @param {import("./evaluate.js").Options} options
 * @returns {Config}
 */
function configOf({ call, stream, saves, channels }, one, id, { givenClock }) {
  const config = /** @type {Config | undefined} */ (/** @type {unknown} */ (one.config));
  if (call === undefined && stream === undefined) return config ?? {};
  const saver = config?.checkpointer;
  const isOwn = saver === undefined ? saves : isObject(saver);
  // A thread in a saver that outlives the run has an id that nothing else has.
  const thread_id = isOwn ? randomUuid() : (id ?? randomUuid());
  return mergeConfigs(
    {
      interruptBefore: [],
      interruptAfter: [],
      ...(isOwn || saver !== undefined ? {} : { checkpointer: new MemorySaver() }),
      ...(givenClock === undefined ? {} : { clock: givenClock }),
      ...(id === undefined ? {} : { ids: testIds(hashOf(id)) }),
    },
    mergeConfigs(config, {
      configurable: { thread_id },
      ...(stream === undefined ? {} : { streamMode: "values" }),
      ...(channels === undefined
        ? {}
        : { outputKeys: [...new Set([...channels.all, channels.result].flat())] }),
    }),
  );
}

/** @param {string} text @returns {number} FNV-1a */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/**
 * Runs the target until it asks nothing more.
 * @param {Target} target
 * @param {{ one: NamedCase, number: number }} job
 * @param {Config} config
 * @param {Transcript} transcript
 * @param {{ output: unknown, questions: unknown[] }} seen
 */
async function drive(target, { one, number }, config, transcript, seen) {
  /** @type {unknown} */
  let input = copyOf(one.input);
  const answers = Array.isArray(one.resume) ? [...one.resume] : undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const asked = await step(target, input, config, { one, number }, transcript, seen);
    if (asked.length === 0) return;
    /** @type {[Question, unknown][]} */
    const pairs = [];
    for (const question of asked) {
      seen.questions.push(question.value);
      pairs.push([question, await answerTo(question, one, answers, seen.questions.length - 1)]);
    }
    input = resumeWith(pairs);
  }
  throw new EvalError("EVAL_UNANSWERED", `the run asks more than ${MOST_ROUNDS} times`);
}

/**
 * @param {Target} target
 * @param {unknown} input
 * @param {Config} config
 * @param {{ one: NamedCase, number: number }} job
 * @param {Transcript} transcript
 * @param {{ output: unknown }} seen
 * @returns {Promise<readonly Question[]>} what the run asks
 */
async function step(target, input, config, { one, number }, transcript, seen) {
  const { call, invoke, stream, channels } = target;
  /** @type {Question[]} */
  const asked = [];
  /** @param {unknown} output a state, which may stand beside the questions, or be missing */
  const read = (output) => {
    let state = output;
    if (isInterrupted(output)) {
      const { [INTERRUPT]: questions, ...rest } = /** @type {Record<string, unknown>} */ (output);
      asked.push(.../** @type {Question[]} */ (questions));
      if (Object.keys(rest).length === 0) return;
      state = rest;
    }
    transcript.read(state);
    seen.output = resultOf(state, one.config?.outputKeys ?? channels?.result);
  };
  try {
    if (stream !== undefined)
      for await (const state of /** @type {AsyncIterable<unknown>} */ (await stream(input, config)))
        read(state);
    else if (call !== undefined) read(await call(input, config, { case: one, number }));
    else read(await /** @type {NonNullable<typeof invoke>} */ (invoke)(input, config));
  } catch (error) {
    if (!isGraphInterrupt(error)) throw error;
    return error.interrupts;
  }
  return asked;
}

/**
 * @param {unknown} state
 * @param {string | string[] | undefined} keys of the result; one: its bare value
 */
function resultOf(state, keys) {
  if (keys === undefined || !isRecord(state)) return state;
  if (!Array.isArray(keys)) return state[keys];
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(state, key)).map((key) => [key, state[key]]),
  );
}

/**
 * @param {Question} question
 * @param {NamedCase} one
 * @param {unknown[] | undefined} answers those that are left
 * @param {number} index of the question
 */
async function answerTo({ value, id }, one, answers, index) {
  const answer =
    typeof one.resume === "function"
      ? await one.resume(value, { id, index, case: one })
      : answers?.shift();
  if (answer === undefined)
    throw new EvalError(
      "EVAL_UNANSWERED",
      `the run asks ${shownValue(value)}, and the case has no answer (question ${index + 1})`,
    );
  return answer;
}

/** @param {[Question, unknown][]} pairs @returns {Command} */
function resumeWith(pairs) {
  const [[{ id }, answer]] = pairs;
  if (pairs.length === 1 && (id === undefined || !HEX_ID.test(id)))
    return new Command({ resume: answer });
  return new Command({ resume: Object.fromEntries(pairs.map(([{ id }, answer]) => [id, answer])) });
}

/**
 * Copies lists, plain objects and messages, so that no run changes the input of the next; other
 * objects are passed on.
 * @param {unknown} value
 * @param {Map<object, unknown>} [known]
 * @returns {unknown}
 */
function copyOf(value, known = new Map()) {
  if (isBaseMessage(value)) return copyMessage(value);
  if (!Array.isArray(value) && !isPlain(value)) return value;
  if (known.has(value)) return known.get(value);
  /** @type {unknown} */
  const copy = Array.isArray(value) ? [] : {};
  known.set(value, copy);
  if (Array.isArray(copy) && Array.isArray(value))
    for (const item of value) copy.push(copyOf(item, known));
  else
    for (const [key, item] of Object.entries(value))
      Object.defineProperty(copy, key, {
        value: copyOf(item, known),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  return copy;
}

/**
 * Copies a message of any make: a run gives it an id in place.
 * @param {import("../messages/base.js").Message} message
 */
function copyMessage(message) {
  const copy = Object.create(
    Object.getPrototypeOf(message),
    Object.getOwnPropertyDescriptors(message),
  );
  if (Object.hasOwn(message, "lc_kwargs")) copy.lc_kwargs = { ...message.lc_kwargs };
  return copy;
}
