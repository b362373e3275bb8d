// SPDX-License-Identifier: MIT
// An agent behind HTTP, for every runtime with Request and Response:
//   POST /threads/:id/runs      { message }        starts a run: a stream of server-sent events
//   POST /threads/:id/approval  { id, response }   answers what the thread waits for; the stream of what follows
//   GET  /threads/:id/state                        messages, what runs next, what waits for a person
// Events: token { node, text }, update { node, messages }, approval [{ id, value }], done { next }, error { code, message }.
// A run that cannot even start is answered by a status: 400, 404, 409 (BUSY, FENCED), 500.
import { Command, HumanMessage, textOf } from "weftgraph";

const ROUTE = /^\/threads\/([\w.-]{1,128})\/(runs|state|approval)$/;
const STATUS = { FENCED: 409, BUSY: 409, UNKNOWN_APPROVAL: 404 };

/** @param {URL} url @returns {{ threadId: string, what: string } | undefined} */
export function readRoute(url) {
  const match = ROUTE.exec(url.pathname);
  return match === null ? undefined : { threadId: match[1], what: match[2] };
}

/** @param {number} status @param {string} code @param {string} message */
export function refuse(status, code, message) {
  return Response.json({ error: { code, message } }, { status });
}

/** @param {any} error */
function describe(error) {
  return { code: error?.code ?? error?.name ?? "Error", message: String(error?.message ?? error) };
}

/** Serves the threads of one agent. One run of a thread at a time. */
export class AgentService {
  /** @param {any} agent compiled, with a checkpointer */
  constructor(agent) {
    this.agent = agent;
  }

  /** @param {Request} request @returns {Promise<Response>} */
  async handle(request) {
    const route = readRoute(new URL(request.url));
    if (route === undefined) return refuse(404, "NOT_FOUND", "There is no such address.");
    const { threadId, what } = route;
    if (request.method !== (what === "state" ? "GET" : "POST")) return refuse(405, "METHOD", `${what} does not take ${request.method}.`);
    try {
      if (what === "state") return Response.json(await this.#state(threadId));
      const body = await request.json().catch(() => undefined);
      return what === "runs" ? await this.#start(threadId, body) : await this.#approve(threadId, body);
    } catch (error) {
      const { code, message } = describe(error);
      return refuse(STATUS[code] ?? 500, code, message);
    }
  }

  /** @param {string} threadId */
  async #state(threadId) {
    const { values, next, tasks } = await this.agent.getState({ configurable: { thread_id: threadId } });
    return { messages: (values.messages ?? []).map(show), next, approvals: tasks.flatMap(({ interrupts }) => interrupts) };
  }

  /** @param {string} threadId @param {any} body */
  async #start(threadId, body) {
    const message = body?.message;
    if (typeof message !== "string" || message === "") return refuse(400, "BAD_BODY", 'The body is { "message": "…" }.');
    return this.#run(threadId, { messages: [new HumanMessage(message)] });
  }

  /** @param {string} threadId @param {any} body */
  async #approve(threadId, body) {
    const { id, response } = body ?? {};
    if (typeof id !== "string" || typeof response?.type !== "string") {
      return refuse(400, "BAD_BODY", 'The body is { "id": "…", "response": { "type": "accept" | "edit" | "ignore" | "response", "args": … } }.');
    }
    const { approvals } = await this.#state(threadId);
    if (!approvals.some((approval) => approval.id === id)) return refuse(404, "UNKNOWN_APPROVAL", "The thread does not wait for this approval.");
    return this.#run(threadId, new Command({ resume: { [id]: response } }));
  }

  /**
   * The response begins with the first event, so that a run which fails before it has a status of its own.
   * @param {string} threadId @param {any} input
   */
  async #run(threadId, input) {
    const events = this.#events(threadId, input);
    const { value } = await events.next();
    return new Response(eventStream(value, events), { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
  }

  /** @param {string} threadId @param {any} input @returns {AsyncGenerator<[string, any], void, void>} */
  async *#events(threadId, input) {
    const config = { configurable: { thread_id: threadId } };
    const options = { ...config, multitaskStrategy: "reject", durability: "sync", streamMode: ["messages", "updates"] };
    for await (const [mode, chunk] of await this.agent.stream(input, options)) {
      if (mode === "updates") yield* tellUpdate(chunk);
      else yield* tellToken(chunk);
    }
    yield ["done", { next: (await this.agent.getState(config)).next }];
  }
}

/** @param {any} message */
function show(message) {
  const { content, tool_calls, tool_call_id, name, status } = message;
  return { type: message.getType(), content, name, tool_calls, tool_call_id, status };
}

/** @param {[any, any]} chunk @returns {Generator<[string, any], void, void>} */
function* tellToken([message, metadata]) {
  const text = message.getType() === "ai" ? textOf(message.content) : "";
  if (text !== "") yield ["token", { node: metadata.langgraph_node, text }];
}

/** @param {Record<string, any>} chunk @returns {Generator<[string, any], void, void>} */
function* tellUpdate(chunk) {
  for (const [node, update] of Object.entries(chunk)) {
    if (node === "__interrupt__") yield ["approval", update];
    else yield ["update", { node, messages: [update?.messages ?? []].flat().map(show) }];
  }
}

/**
 * Server-sent events. A reader that goes away would stop the run: here it is read on to its end.
 * @param {[string, any]} first
 * @param {AsyncGenerator<[string, any], void, void>} events
 */
function eventStream(first, events) {
  const encoder = new TextEncoder();
  const frame = ([event, data]) => encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  return new ReadableStream({
    start: (controller) => controller.enqueue(frame(first)),
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (done) return controller.close();
        controller.enqueue(frame(value));
      } catch (error) {
        controller.enqueue(frame(["error", describe(error)]));
        controller.close();
      }
    },
    cancel: () => drain(events),
  });
}

/** @param {AsyncGenerator<[string, any], void, void>} events */
async function drain(events) {
  try {
    while (!(await events.next()).done);
  } catch {
    // The run's error stays in its thread: GET state shows it as the task that runs next.
  }
}
