// SPDX-License-Identifier: MIT
// Answers clients of the revisions 2025-03-26 to 2025-11-25. A session is only a name, which says
// what its client can do: nothing is kept for it, so that any instance of a server knows it. A
// call that asks something waits for the answer, which comes as a request of its own.
import { isRecord } from "../../base/check-arguments.js";
import { UNSUPPORTED_VERSION } from "../mcp-error.js";
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  RpcRefusal,
  invalidRequest,
  isId,
  methodNotFound,
} from "./json-rpc.js";
import { canAsk, lackingFor, readAnswer } from "./questions.js";
import { failure, withoutLists } from "./tool-results.js";

/** @typedef {import("./json-rpc.js").Json} Json */
/** @typedef {import("./json-rpc.js").Message} Message */
/** @typedef {import("./serve.js").Core} Core */
/** @typedef {import("./serve.js").Context} Context */
/** @typedef {import("./questions.js").Request} Request */
/**
 * `owner`: session and user.
 * @typedef {{ owner: string, answer: (message: Message) => void }} Waiting
 */

const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26"];
const SESSION = "mcp-session-id";
/** How often a question is asked whose answers do not fit. */
const MOST_TRIES = 3;
/** How often one call asks. */
const MOST_ROUNDS = 100;
/** A random name, and letters for what the client can do: fill in forms, open addresses. */
const SESSION_FORM = /^[0-9a-f-]{36}-(f?)(u?)$/;

export class LegacyEra {
  /** Questions that wait for an answer, by their ids. @type {Map<string, Waiting>} */
  #asked = new Map();
  /** What takes a call at work back, by session, user and id. @type {Map<string, () => void>} */
  #running = new Map();
  #core;

  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  /**
   * @param {Context} context
   * @throws {RpcRefusal} 400 for a version that is none, 404 for a session that is none
   */
  check({ request }) {
    const version = request.headers.get("mcp-protocol-version");
    if (version !== null && !VERSIONS.includes(version))
      throw new RpcRefusal(UNSUPPORTED_VERSION, "Unsupported protocol version", {
        status: 400,
        data: { supported: VERSIONS, requested: version.slice(0, 100) },
      });
    const session = request.headers.get(SESSION);
    if (session !== null && !SESSION_FORM.test(session))
      throw new RpcRefusal(INVALID_PARAMS, "There is no such session", { status: 404 });
  }

  /**
   * Takes what needs no answer: a notification, or the answer to a question.
   * @param {Message} message @param {Context} context
   */
  take({ id, method, params, result, error }, context) {
    if (method === "notifications/cancelled" && isId(params.requestId))
      this.#running.get(keyOf(context, params.requestId))?.();
    if (method !== undefined) return;
    const waiting = this.#asked.get(String(id));
    if (waiting === undefined || waiting.owner !== ownerOf(context))
      throw invalidRequest("Nothing was asked under this id");
    waiting.answer({ params: {}, result, error });
  }

  /**
   * @param {Message} message @param {Context} context
   * @returns {AbortSignal | undefined} aborted when the client takes its call back
   */
  open({ id, method }, context) {
    // Without a session nobody knows whose id it is.
    if (method !== "tools/call" || !context.request.headers.has(SESSION)) return undefined;
    const key = keyOf(context, id);
    if (this.#running.has(key)) throw invalidRequest("This id is in use");
    const controller = new AbortController();
    // In workerd a request can settle a promise that another one made, but not abort its signal.
    /** @type {Promise<void>} */
    const isTakenBack = new Promise((resolve) => this.#running.set(key, resolve));
    isTakenBack.then(() =>
      controller.abort(new DOMException("The client takes its request back.", "AbortError")),
    );
    return controller.signal;
  }

  /** @param {Message} message @param {Context} context */
  close({ id }, context) {
    this.#running.delete(keyOf(context, id));
  }

  /** @param {Message} message @param {Context} context @returns {Promise<Json>} */
  async answer({ method, params }, context) {
    const core = this.#core;
    switch (method) {
      case "initialize":
        return this.#initialize(params);
      case "ping":
        return {};
      case "tools/list":
        return withoutOtherSchemas(core.list(params));
      case "tools/call":
        return withoutLists(await this.#call(params, context));
      default:
        throw methodNotFound(method);
    }
  }

  /** @param {Json} params @returns {Json} */
  #initialize({ protocolVersion }) {
    const { serverInfo, instructions } = this.#core;
    if (typeof protocolVersion !== "string")
      throw new RpcRefusal(INVALID_PARAMS, "initialize needs a protocolVersion");
    return {
      protocolVersion: VERSIONS.includes(protocolVersion) ? protocolVersion : VERSIONS[0],
      capabilities: { tools: {} },
      serverInfo,
      ...(instructions === undefined ? undefined : { instructions }),
    };
  }

  /** @param {Json} params @param {Context} context @returns {Promise<Json>} */
  async #call(params, context) {
    const { calls } = this.#core;
    const call = this.#core.readCall(params, context);
    let outcome = await calls.begin(call);
    for (let rounds = 0; !("result" in outcome); rounds++) {
      const { questions, thread } = outcome;
      try {
        if (rounds === MOST_ROUNDS)
          throw new RpcRefusal(INTERNAL_ERROR, `The call asked more than ${MOST_ROUNDS} times`);
        if (lackingFor(questions, capabilitiesOf(context)) !== undefined || !context.takesEvents) {
          await calls.drop(thread);
          return failure("The call asks a person, which the client cannot do.");
        }
        /** @type {Json} */
        const responses = Object.create(null);
        for (const [key, request] of questions.flatMap(({ requests }) => Object.entries(requests)))
          responses[key] = await this.#ask(request, context);
        outcome = await calls.answer(call, outcome, responses);
      } catch (error) {
        await calls.drop(thread);
        throw error;
      }
    }
    return outcome.result;
  }

  /**
   * Asks until an answer fits the form, but not without end.
   * @param {Request} request @param {Context} context
   */
  async #ask(request, context) {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { result, error } = await this.#send(request, context);
      const answer = isRecord(error) ? undefined : readAnswer(request, result);
      if (answer !== undefined) return answer;
      if (isRecord(error)) break;
    }
    return { action: "cancel" };
  }

  /** @param {Request} request @param {Context} context @returns {Promise<Message>} */
  #send({ method, params }, context) {
    const { send, signal } = context;
    const id = crypto.randomUUID();
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#asked.delete(id);
        reject(signal.reason);
      };
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      const answer = (/** @type {Message} */ message) => {
        this.#asked.delete(id);
        signal.removeEventListener("abort", stop);
        resolve(message);
      };
      this.#asked.set(id, { owner: ownerOf(context), answer });
      // Revision 2025-11-25 wants a name for an address.
      const name = params.mode === "url" ? { elicitationId: crypto.randomUUID() } : undefined;
      send({ jsonrpc: "2.0", id, method, params: { ...params, ...name } });
    });
  }
}

/** @param {Message} message @returns {Record<string, string>} headers of the answer */
export function sessionHeaders({ method, params }) {
  if (method !== "initialize") return {};
  const { capabilities } = params;
  const modes = `${canAsk(capabilities, "form") ? "f" : ""}${canAsk(capabilities, "url") ? "u" : ""}`;
  return { [SESSION]: `${crypto.randomUUID()}-${modes}` };
}

/** @param {Context} context @returns {Json} */
function capabilitiesOf({ request }) {
  const [, form, url] = SESSION_FORM.exec(request.headers.get(SESSION) ?? "") ?? [];
  const modes = { ...(form ? { form: {} } : undefined), ...(url ? { url: {} } : undefined) };
  return form || url ? { elicitation: modes } : {};
}

/** @param {Context} context @returns {string} */
function ownerOf({ request, user }) {
  return JSON.stringify([request.headers.get(SESSION), user ?? null]);
}

/** @param {Context} context @param {unknown} id */
function keyOf(context, id) {
  return `${ownerOf(context)}${JSON.stringify(id)}`;
}

/**
 * Older revisions take only objects as structured content.
 * @param {{ tools: Json[], nextCursor?: string }} page
 * @returns {Json}
 */
function withoutOtherSchemas({ tools, ...rest }) {
  return {
    tools: tools.map(({ outputSchema, ...tool }) =>
      isRecord(outputSchema) && outputSchema.type === "object" ? { ...tool, outputSchema } : tool,
    ),
    ...rest,
  };
}
