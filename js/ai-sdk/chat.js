// SPDX-License-Identifier: MIT
// Runs a graph as a chat of the AI SDK: what its client sends becomes an input, an answer or a fork
// of the thread; what the graph streams becomes chunks, which another reader may join. A client's
// word counts for its new messages and its answers alone: history is the thread's own.
import { Command } from "../base/constants.js";
import { checkArgument, isObject } from "../base/check-arguments.js";
import { messageType } from "../messages/index.js";
import { ActiveRun } from "./active-run.js";
import { aboutIn, placesOf, questionsOf, shownText } from "./approvals.js";
import { UIChunks, answerIdOf } from "./chunks.js";
import { MODES, chunkStream } from "./stream.js";

/** @typedef {Record<string, unknown>} Fields */
/** @typedef {import("./approvals.js").Question} Question */
/** @typedef {import("./chunks.js").ChunkOptions} ChunkOptions */
/** @typedef {import("./chunks.js").Shown} Shown */
/** @typedef {import("./chunks.js").UIChunk} UIChunk */
/**
 * What is read of a message of the AI SDK.
 * @typedef {{ id?: unknown, role?: unknown, parts?: unknown }} UIMessage
 * @typedef {{ [key: string]: unknown, approval?: { id?: unknown, approved?: unknown, reason?:
 *   unknown } }} Part
 */
/**
 * What is called of a graph.
 * @typedef {{ stream: (input: unknown, config: Fields) => Promise<AsyncIterable<unknown>>,
 *   getState: (config: Fields) => Promise<State>, getStateHistory: (config: Fields, options?:
 *   Fields) => AsyncIterable<State> }} Graph
 * @typedef {{ values: { messages?: { id?: string }[] }, next: string[], tasks:
 *   import("./approvals.js").Task[], config: Fields }} State
 */
/**
 * `config`: beneath that of each run; `toInput`: the graph's input of new messages, by default
 * `{ messages }`; `onError`: the text that the user is shown of an error.
 * @typedef {{ graph: Graph, config?: Fields, toInput?: (messages: Fields[], body: Fields) =>
 *   unknown, onError?: (error: unknown) => string }} ChatOptions
 */
/**
 * `signal`: stops the run, as its reader does by going away; without one the run goes on;
 * `waitUntil`: is told what goes on.
 * @typedef {{ trigger?: unknown, chatId: string, messageId?: string, messages: UIMessage[], body?:
 *   Fields, signal?: AbortSignal, waitUntil?: (work: Promise<void>) => void }} ChatRequest
 */

const MOST_MESSAGES = 10_000;
const MOST_HISTORY = 1000;
/** Chunks that are not for who joins a run that has their answers; nor does its turn end there. */
const QUESTIONS = ["tool-approval-request", "data-interrupt", "finish"];

/** A refusal of what a client sent. */
export class ChatError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.name = "ChatError";
    this.status = status;
  }
}

/**
 * Runs that go on, by graph and chat, so that another request can join one.
 * @type {WeakMap<object, Map<string, ActiveRun>>}
 */
const runsOf = new WeakMap();

export class Chat {
  #options;
  #active;

  /** @param {ChatOptions} options */
  constructor(options) {
    checkArgument(
      isObject(options) && typeof options.graph?.stream === "function",
      "a chat needs { graph }: a compiled graph with a checkpointer",
    );
    this.#options = options;
    let active = runsOf.get(options.graph);
    if (active === undefined) runsOf.set(options.graph, (active = new Map()));
    this.#active = active;
  }

  /** @param {string} chatId @returns {Fields} */
  #configOf(chatId) {
    const { config = {} } = this.#options;
    const { configurable = {} } = /** @type {{ configurable?: Fields }} */ (config);
    return { ...config, configurable: { ...configurable, thread_id: chatId } };
  }

  /**
   * @param {ChatRequest} request
   * @returns {Promise<ReadableStream<UIChunk>>}
   * @throws {ChatError} for what cannot be taken
   */
  async send(request) {
    const { chatId, messages, signal, waitUntil = () => {} } = request;
    if (typeof chatId !== "string" || chatId === "" || chatId.length > 1024)
      throw new ChatError(422, "The chat's id must be a text of up to 1024 characters.");
    if (!Array.isArray(messages) || messages.length > MOST_MESSAGES)
      throw new ChatError(422, `messages must be a list of up to ${MOST_MESSAGES}.`);
    if (this.#active.has(chatId)) throw new ChatError(409, "The chat is at work: stop it first.");
    const run = new ActiveRun();
    this.#active.set(chatId, run);
    const leave = signal && (() => run.stop(signal.reason));
    const done = () => {
      if (leave) signal.removeEventListener("abort", leave);
      this.#active.delete(chatId);
      run.end();
    };
    try {
      const { input, config, client, before } = await this.#plan(request);
      signal?.throwIfAborted();
      if (leave) signal.addEventListener("abort", leave, { once: true });
      run.before = before;
      const { graph, onError } = this.#options;
      const stream = graph.stream(input, { ...config, streamMode: MODES, signal: run.signal });
      const chunks = chunkStream(stream, client, { onError, signal: run.signal });
      waitUntil(run.drain(chunks).finally(done));
      return run.read(leave);
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Ends what goes on in a chat, whoever reads it. @param {string} chatId */
  stop(chatId) {
    this.#active.get(chatId)?.stop();
  }

  /**
   * @param {string} chatId
   * @returns {Promise<ReadableStream<UIChunk> | null>} what goes on there, or waits for an answer
   */
  async reconnect(chatId) {
    const run = this.#active.get(chatId);
    if (run !== undefined) return run.join();
    const state = await this.#options.graph.getState(this.#configOf(chatId));
    const questions = questionsOf(state.tasks);
    if (questions.length === 0) return null;
    return new ReadableStream({
      start(controller) {
        for (const chunk of turnOf(state, questions).chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
  }

  /** What a request asks for, as a call of the graph. @param {ChatRequest} request */
  async #plan(request) {
    const { chatId, messages, body = {}, trigger } = request;
    const config = this.#configOf(chatId);
    const state = await this.#options.graph.getState(config);
    const last = messages.at(-1);
    const questions = questionsOf(state.tasks);
    const answers = answersIn(last, body, questions);
    if (answers !== undefined) {
      const client = shownIn(last);
      // Who joins gets the same parts, for the outcomes that the run gives them.
      const { chunks, step } = turnOf(state, questions, client.isOwnStep);
      return {
        input: new Command({ resume: answers.resume }),
        config,
        client: {
          ...client,
          step: sameIn(client.step, step),
          denied: answers.denied,
          answers: answers.ofParts,
        },
        before: chunks.filter(({ type }) => !QUESTIONS.includes(type)),
      };
    }
    const known = new Set((state.values.messages ?? []).map(({ id }) => id));
    if (trigger === "regenerate-message") return this.#again(config, messages);
    const isEdit = request.messageId !== undefined && known.has(request.messageId);
    const fresh = messages.filter(
      (one) => one?.role === "user" && (!known.has(String(one.id)) || one.id === request.messageId),
    );
    if (fresh.length === 0) throw new ChatError(422, "There is no new message, and no answer.");
    const read = fresh.map(messageOf);
    const input = this.#options.toInput?.(read, body) ?? { messages: read };
    const place = isEdit ? await this.#before(config, String(request.messageId)) : config;
    return { input, config: place, ...newTurn(read.at(-1)?.id) };
  }

  /**
   * The checkpoint at which the last message of the user was not answered yet.
   * @param {Fields} config
   * @param {UIMessage[]} messages
   */
  async #again(config, messages) {
    const asked = messages.findLast((one) => one?.role === "user")?.id;
    const history = this.#options.graph.getStateHistory(config, { limit: MOST_HISTORY });
    for await (const state of history) {
      const isThere = state.values.messages?.at(-1)?.id === asked;
      if (isThere && state.next.length > 0 && state.next[0] !== "__start__")
        return {
          input: null,
          config: this.#at(config, state),
          ...newTurn(asked),
        };
    }
    throw new ChatError(404, "The message that is to be answered again is not in the thread.");
  }

  /** The newest checkpoint without a message. @param {Fields} config @param {string} id */
  async #before(config, id) {
    const history = this.#options.graph.getStateHistory(config, { limit: MOST_HISTORY });
    let wasThere = false;
    for await (const state of history) {
      const isThere = (state.values.messages ?? []).some((one) => one.id === id);
      if (wasThere && !isThere) return this.#at(config, state);
      wasThere ||= isThere;
    }
    return config;
  }

  /** @param {Fields} config @param {State} state @returns {Fields} */
  #at(config, state) {
    const configurable = /** @type {Fields} */ (config.configurable);
    const place = /** @type {Fields} */ (state.config.configurable);
    return { ...config, configurable: { ...configurable, checkpoint_id: place.checkpoint_id } };
  }
}

/** @param {unknown} asked id of the message that a run answers */
function newTurn(asked) {
  /** @type {ChunkOptions} */
  const client = { messageId: answerIdOf(asked) };
  return { client, before: undefined };
}

/** @param {UIMessage | undefined} last of a client @returns {ChunkOptions} what goes on there */
function shownIn(last) {
  if (last?.role !== "assistant" || typeof last.id !== "string") return {};
  const parts = partsOf(last);
  const calls = parts
    .slice(parts.findLastIndex(({ type }) => type === "step-start") + 1)
    .filter(({ toolCallId }) => typeof toolCallId === "string");
  const step = new Map();
  for (const part of calls) {
    const { toolCallId, toolName: name, input, state } = part;
    if (!String(state).startsWith("output-"))
      step.set(toolCallId, { name, text: shownText(name, input, aboutIn(part)) });
  }
  const isOwnStep =
    calls.length > 0 && calls.every(({ toolCallId, approval }) => toolCallId === approval?.id);
  return { messageId: last.id, step, isOwnStep };
}

/**
 * @param {ReadonlyMap<string, Shown>} [step] of the client that answers
 * @param {ReadonlyMap<string, Shown>} [before] what others are shown who join
 * @returns {Map<string, Shown>} the former; what only one of them shows as if neither did, so that
 *   it is shown again
 */
function sameIn(step = new Map(), before = new Map()) {
  return new Map(
    [...step].map(([id, { name, text }]) => [
      id,
      { name, text: before.get(id)?.text === text ? text : "" },
    ]),
  );
}

/**
 * @param {State} state
 * @param {Question[]} questions
 * @param {boolean} [areApart] they have parts of their own
 * @returns {{ chunks: UIChunk[], step: ReadonlyMap<string, Shown> }} what the last turn has shown,
 *   as one that ends there
 */
function turnOf({ values: { messages = [] } }, questions, areApart) {
  /** @type {UIChunk[]} */
  const list = [];
  const asked = messages.findLastIndex((message) => messageType(message) === "human");
  const messageId = answerIdOf(messages[asked]?.id);
  const chunks = new UIChunks((chunk) => list.push(chunk), { messageId, areApart });
  chunks.take("values", { messages: messages.slice(0, asked + 1) });
  chunks.take("values", { messages });
  if (questions.length > 0) chunks.take("values", { __interrupt__: questions });
  chunks.finish();
  return { chunks: list, step: chunks.step };
}

/**
 * What a client answers, by the ids of questions: the buttons of tool parts, or `body.resume`.
 * @param {UIMessage | undefined} last
 * @param {Fields} body
 * @param {Question[]} questions that are open
 * @returns {{ resume: Fields, denied: Set<string>, ofParts: Map<string, unknown> } | undefined}
 *   `ofParts`: of parts that are approvals alone, undefined where it was refused; undefined: it
 *   answers nothing
 * @throws {ChatError} 409 for a question that is not open
 */
function answersIn(last, body, questions) {
  const open = new Set(questions.map(({ id }) => id));
  /** @type {Fields} */
  const resume = Object.create(null);
  /** @type {Set<string>} */
  const denied = new Set();
  if (isObject(body.resume))
    for (const [id, said] of Object.entries(/** @type {Fields} */ (body.resume))) resume[id] = said;
  /** By the ids of questions about several calls. @type {Map<string, unknown[]>} */
  const batches = new Map();
  const places = new Map(questions.flatMap(placesOf));
  // What was answered in an earlier request stands in the message still. Of a question of another
  // kind a client has no buttons.
  const before = [];
  /** @type {Map<string, unknown>} */
  const ofParts = new Map();
  for (const part of partsOf(last)) {
    const { state, approval, toolCallId } = part;
    if (last?.role !== "assistant" || state !== "approval-responded") continue;
    const { id, approved, reason } = approval ?? {};
    if (typeof id !== "string" || typeof approved !== "boolean") continue;
    const message = typeof reason === "string" ? reason : undefined;
    if (!approved && typeof toolCallId === "string") denied.add(toolCallId);
    const place = places.get(id);
    if (place === undefined) {
      before.push(id);
      continue;
    }
    if (toolCallId === id) ofParts.set(id, approved ? { approved } : undefined);
    // Then it counts for what the part shows alone.
    const { digest } = aboutIn(part);
    if (place.count === 1) {
      resume[id] = { approved, digest, ...(approved ? {} : { reason: message }) };
      continue;
    }
    const list = batches.get(place.question) ?? Array(place.count).fill(undefined);
    list[place.at] = { digest, ...(approved ? { type: "approve" } : { type: "reject", message }) };
    batches.set(place.question, list);
  }
  for (const [id, decisions] of batches) {
    if (decisions.includes(undefined))
      throw new ChatError(409, "A question about several calls is answered with all of them.");
    resume[id] = { decisions };
  }
  const answered = Object.keys(resume);
  const unknown = answered.length > 0 ? answered.find((id) => !open.has(id)) : before[0];
  if (unknown !== undefined)
    throw new ChatError(409, `The question ${JSON.stringify(unknown)} is not open any more.`);
  if (answered.length === 0) return undefined;
  return { resume: { ...resume }, denied, ofParts };
}

/** @param {UIMessage | undefined} message @returns {Part[]} */
function partsOf(message) {
  return Array.isArray(message?.parts) ? message.parts.filter((part) => isObject(part)) : [];
}

/** @param {UIMessage} message of the user @returns {Fields} the graph's message */
function messageOf(message) {
  const parts = partsOf(message);
  const texts = parts.filter(({ type, text }) => type === "text" && typeof text === "string");
  const files = parts.filter(({ type, url }) => type === "file" && typeof url === "string");
  const text = texts.map((part) => part.text).join("");
  const content =
    files.length === 0
      ? text
      : [
          ...(text === "" ? [] : [{ type: "text", text }]),
          ...files.map(({ url, mediaType }) => fileBlock(String(url), mediaType)),
        ];
  return {
    role: "user",
    content,
    ...(typeof message.id === "string" && message.id !== "" ? { id: message.id } : {}),
  };
}

/** @param {string} url @param {unknown} mediaType @returns {Fields} the graph's block */
function fileBlock(url, mediaType) {
  if (typeof mediaType !== "string" || mediaType.startsWith("image/"))
    return { type: "image_url", image_url: { url } };
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
  const kind = mediaType.split("/")[0];
  return {
    type: kind === "audio" || kind === "video" ? kind : "file",
    mimeType: mediaType,
    ...(data === undefined ? { url } : { data }),
  };
}
