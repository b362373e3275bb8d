// SPDX-License-Identifier: MIT
// Runs the calls of a server's tools: each on a thread of its own, so that a question in the middle
// (`interrupt()`, an approval) waits there for its answer. Owns these threads: one is deleted when
// its call ends, or when nobody answers in time.
import { Command, START } from "../../base/constants.js";
import { isRecord } from "../../base/check-arguments.js";
import { isInvalidResume, isUnknownInterruptError } from "../../base/errors.js";
import { StateGraph } from "../../graph/state-graph.js";
import { AIMessage } from "../../messages/index.js";
import { ToolNode } from "../../prebuilt/tool-node/tool-node.js";
import { Graphs } from "../../server/graphs.js";
import { MessagesAnnotation } from "../../state/annotation.js";
import { invalidParams } from "./json-rpc.js";
import { UNANSWERED, questionsOf, readAnswers } from "./questions.js";
import { newOrigin, readState, threadOf, writeState } from "./request-state.js";
import { failure, resultOf } from "./tool-results.js";

/** @typedef {import("./json-rpc.js").Json} Json */
/** @typedef {import("./served-tools.js").ServedTool} ServedTool */
/** @typedef {import("./questions.js").Question} Question */
/** @typedef {import("./request-state.js").Origin} Origin */
/**
 * `steps`: of a request, which is more than one run if it waits for answers.
 * @typedef {{ served: ServedTool, args: Json, user: string | undefined, signal: AbortSignal,
 *   steps: import("./steps.js").Steps }} Call
 */
/**
 * A call whose questions are open. `state` is what the client comes back with.
 * @typedef {{ questions: Question[], state: string, thread: string }} Asked
 */
/** @typedef {{ result: Json } | Asked} Outcome */

const GRAPH = "mcp";
/** Maximum number of threads with open questions that are remembered, to delete them in time. */
const MOST_OPEN = 10_000;
const REFUSED =
  "The requestState is not one of this call's: it was changed, used before, or is too old";

export class Calls {
  #graphs;
  #graph;
  #answerMs;
  #onError;
  /**
   * Threads that wait for an answer, the oldest first, and when each began.
   * @type {Map<string, number>}
   */
  #open = new Map();
  /** Threads at work. @type {Set<string>} */
  #busy = new Set();

  /**
   * @param {Iterable<ServedTool>} tools
   * @param {{ saver: unknown, store: unknown, answerMs: number, onError: ((error: unknown) => void)
   *   | undefined }} options `answerMs`: how long a call's questions can be answered
   */
  constructor(tools, { saver, store, answerMs, onError }) {
    const node = new ToolNode([...tools].map(({ tool }) => tool));
    this.#graph = new StateGraph(MessagesAnnotation)
      .addNode("tools", node)
      .addEdge(START, "tools")
      .compile({ name: GRAPH });
    this.#graphs = new Graphs({ [GRAPH]: /** @type {never} */ (this.#graph) }, saver, store);
    this.#answerMs = answerMs;
    this.#onError = onError;
  }

  /** @param {Call} call @returns {Promise<Outcome>} */
  async begin(call) {
    const origin = newOrigin();
    const thread = await threadOf(origin, callerOf(call));
    const { name } = call.served.info;
    const message = new AIMessage({
      content: "",
      tool_calls: [{ id: "call", name, args: call.args, type: "tool_call" }],
    });
    return this.#run(thread, origin, call, { messages: [message] });
  }

  /**
   * Goes on with a call whose questions are answered.
   * @param {Call} call
   * @param {unknown} state of the client
   * @param {unknown} responses
   * @returns {Promise<Outcome>} the same questions, if an answer is missing
   * @throws {import("./json-rpc.js").RpcRefusal} for a state that is not this call's
   */
  async resume(call, state, responses) {
    const origin = readState(state);
    if (origin === undefined || origin.issued + this.#answerMs < Date.now())
      throw invalidParams(REFUSED);
    const thread = await threadOf(origin, callerOf(call));
    if (this.#busy.has(thread)) throw invalidParams(REFUSED);
    this.#busy.add(thread);
    try {
      const asked = await this.#questionsOf(thread, origin, call.user);
      if (asked === undefined || asked.state !== state) throw invalidParams(REFUSED);
      return await this.answer(call, asked, responses);
    } finally {
      this.#busy.delete(thread);
    }
  }

  /**
   * @param {Call} call @param {Asked} asked @param {unknown} responses
   * @returns {Promise<Outcome>}
   */
  async answer(call, asked, responses) {
    const resumes = readAnswers(asked.questions, responses);
    if (resumes === undefined) return asked;
    if ([...resumes.values()].includes(UNANSWERED)) {
      await this.drop(asked.thread);
      return { result: failure("The person did not answer the question of this call.") };
    }
    const origin = /** @type {Origin} */ (readState(asked.state));
    const input = new Command({ resume: Object.fromEntries(resumes) });
    return this.#run(asked.thread, origin, call, input);
  }

  /**
   * @param {string} thread @param {Origin} origin @param {Call} call @param {unknown} input
   * @returns {Promise<Outcome>}
   */
  async #run(thread, origin, call, input) {
    this.#expire();
    const { served, user, signal, steps } = call;
    const config = { ...this.#configOf(thread, user), signal };
    let isKept = false;
    try {
      const streamMode = ["updates", "custom", "tools"];
      const options = { ...config, streamMode, subgraphs: true };
      for await (const chunk of await this.#graph.stream(
        /** @type {never} */ (input),
        /** @type {never} */ (options),
      ))
        steps.see(chunk);
      const asked = await this.#questionsOf(thread, origin, user);
      isKept = asked !== undefined;
      if (asked !== undefined) return asked;
      const { values } = await this.#graph.getState(/** @type {never} */ (config));
      return { result: this.#resultIn(values, served) };
    } catch (error) {
      // Another process goes on with the call.
      isKept = isInvalidResume(error) || isUnknownInterruptError(error);
      throw isKept ? invalidParams(REFUSED) : error;
    } finally {
      if (isKept) this.#keep(thread, origin);
      else await this.drop(thread);
    }
  }

  /** @param {unknown} values of the thread @param {ServedTool} served */
  #resultIn(values, { info }) {
    const { messages } = /** @type {{ messages?: unknown[] }} */ (values ?? {});
    const last = messages?.at(-1);
    const isAnswer =
      isRecord(last) && typeof last.getType === "function" && last.getType() === "tool";
    if (!isAnswer) return failure("The tool returned no result.");
    return resultOf(/** @type {never} */ (last), info.outputSchema);
  }

  /**
   * @param {string} thread @param {Origin} origin @param {string | undefined} user
   * @returns {Promise<Asked | undefined>}
   */
  async #questionsOf(thread, origin, user) {
    const config = /** @type {never} */ (this.#configOf(thread, user));
    const { tasks } = await this.#graph.getState(config);
    const questions = questionsOf(tasks.flatMap((task) => task.interrupts ?? []));
    if (questions.length === 0) return undefined;
    const state = await writeState(
      origin,
      questions.map(({ id }) => id),
    );
    return { questions, state, thread };
  }

  /** @param {string} thread @param {string | undefined} user */
  #configOf(thread, user) {
    const who =
      user === undefined
        ? undefined
        : { langgraph_auth_user_id: user, langgraph_auth_user: { identity: user } };
    return {
      ...this.#graphs.callWith(/** @type {never} */ (this.#graph), user),
      // An answer is only for a question that is open.
      configurable: { thread_id: thread, __pregel_strict_resume: true, ...who },
    };
  }

  /** @param {string} thread @param {Origin} origin */
  #keep(thread, { issued }) {
    this.#open.set(thread, issued);
    if (this.#open.size <= MOST_OPEN) return;
    const [oldest] = this.#open.keys();
    this.drop(oldest).catch((error) => this.#onError?.(error));
  }

  /** Deletes threads whose questions are too old to be answered. */
  #expire() {
    const oldest = Date.now() - this.#answerMs;
    for (const [thread, issued] of this.#open) {
      if (issued > oldest) return;
      this.drop(thread).catch((error) => this.#onError?.(error));
    }
  }

  /** Deletes the thread of a call that nobody goes on with. @param {string} thread */
  async drop(thread) {
    this.#open.delete(thread);
    await this.#graphs.saverOf(/** @type {never} */ (this.#graph)).deleteThread?.(thread);
  }
}

/** @param {Call} call */
function callerOf({ served, args, user }) {
  return { user, name: served.info.name, args };
}
