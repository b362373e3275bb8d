// SPDX-License-Identifier: MIT
// An agent behind HTTP, for every runtime with Request and Response:
//   POST /threads/:id/runs      { message }        starts a run: a stream of server-sent events
//   POST /threads/:id/approval  { id, response }   answers what the thread waits for; the stream of
//   what follows
//   GET  /threads/:id/state                        messages, what runs next, what waits for a
//   person
// Events: token { node, text }, update { node, messages }, approval [{ id, value }], done { next },
// error { code, message }. A run that cannot even start is answered by a status: 400, 404, 409
// (BUSY, FENCED), 500.
import {
  Command,
  HumanMessage,
  textOf,
  type AIMessage,
  type BaseMessage,
  type Interrupt,
  type ToolMessage,
} from "weftgraph";
import type { Agent } from "./agent.ts";

const ROUTE = /^\/threads\/([\w.-]{1,128})\/(runs|state|approval)$/;
const STATUS: Record<string, number> = { FENCED: 409, BUSY: 409, UNKNOWN_APPROVAL: 404 };

/** What is sent as server-sent events, each with its data. */
type Event =
  | ["token", { node: string; text: string }]
  | ["update", { node: string; messages: ShownMessage[] }]
  | ["approval", Interrupt[]]
  | ["done", { next: string[] }]
  | ["error", Failure];
type ShownMessage = ReturnType<typeof show>;
type Failure = { code: string; message: string };

export function readRoute(url: URL): { threadId: string; what: string } | undefined {
  const match = ROUTE.exec(url.pathname);
  return match === null ? undefined : { threadId: match[1], what: match[2] };
}

export function refuse(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}

function describe(error: any): Failure {
  return { code: error?.code ?? error?.name ?? "Error", message: String(error?.message ?? error) };
}

/** Serves the threads of one agent. One run of a thread at a time. */
export class AgentService {
  readonly agent: Agent;

  constructor(agent: Agent) {
    this.agent = agent;
  }

  async handle(request: Request): Promise<Response> {
    const route = readRoute(new URL(request.url));
    if (route === undefined) return refuse(404, "NOT_FOUND", "There is no such address.");
    const { threadId, what } = route;
    if (request.method !== (what === "state" ? "GET" : "POST"))
      return refuse(405, "METHOD", `${what} does not take ${request.method}.`);
    try {
      if (what === "state") return Response.json(await this.#state(threadId));
      const body = await request.json().catch(() => undefined);
      return what === "runs"
        ? await this.#start(threadId, body)
        : await this.#approve(threadId, body);
    } catch (error) {
      const { code, message } = describe(error);
      return refuse(STATUS[code] ?? 500, code, message);
    }
  }

  async #state(threadId: string) {
    const { values, next, tasks } = await this.agent.getState({
      configurable: { thread_id: threadId },
    });
    return {
      messages: (values.messages ?? []).map(show),
      next,
      approvals: tasks.flatMap(({ interrupts }) => interrupts),
    };
  }

  async #start(threadId: string, body: any) {
    const message = body?.message;
    if (typeof message !== "string" || message === "")
      return refuse(400, "BAD_BODY", 'The body is { "message": "…" }.');
    return this.#run(threadId, { messages: [new HumanMessage(message)] });
  }

  async #approve(threadId: string, body: any) {
    const { id, response } = body ?? {};
    if (typeof id !== "string" || typeof response?.type !== "string") {
      return refuse(
        400,
        "BAD_BODY",
        'The body is { "id": "…", "response": { "type": "accept" | "edit" | "ignore" | "response", "args": … } }.',
      );
    }
    const { approvals } = await this.#state(threadId);
    if (!approvals.some((approval) => approval.id === id))
      return refuse(404, "UNKNOWN_APPROVAL", "The thread does not wait for this approval.");
    return this.#run(threadId, new Command({ resume: { [id]: response } }));
  }

  /**
   * The response begins with the first event, so that a run which fails before it has a status of
   * its own.
   */
  async #run(threadId: string, input: Parameters<Agent["stream"]>[0]) {
    const events = this.#events(threadId, input);
    const { value } = await events.next();
    return new Response(eventStream(value as Event, events), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  }

  async *#events(
    threadId: string,
    input: Parameters<Agent["stream"]>[0],
  ): AsyncGenerator<Event, void, void> {
    const config = { configurable: { thread_id: threadId } };
    const chunks = await this.agent.stream(input, {
      ...config,
      multitaskStrategy: "reject",
      durability: "sync",
      streamMode: ["messages", "updates"],
    });
    for await (const [mode, chunk] of chunks) {
      if (mode === "updates") yield* showUpdate(chunk);
      else yield* showToken(chunk);
    }
    yield ["done", { next: (await this.agent.getState(config)).next }];
  }
}

/** A message as the client gets it: what no message of its kind has is left out. */
function show(message: BaseMessage) {
  const { content, name } = message;
  const { tool_calls } = message as Partial<AIMessage>;
  const { tool_call_id, status } = message as Partial<ToolMessage>;
  return { type: message.type, content, name, tool_calls, tool_call_id, status };
}

function* showToken([message, metadata]: [BaseMessage, Record<string, any>]): Generator<
  Event,
  void,
  void
> {
  const text = message.type === "ai" ? textOf(message.content) : "";
  if (text !== "") yield ["token", { node: metadata.langgraph_node, text }];
}

function* showUpdate(chunk: Record<string, any>): Generator<Event, void, void> {
  for (const [node, update] of Object.entries(chunk)) {
    if (node === "__interrupt__") yield ["approval", update];
    else yield ["update", { node, messages: [update?.messages ?? []].flat().map(show) }];
  }
}

/**
 * Server-sent events. A reader that goes away would stop the run: here it is read on to its end.
 */
function eventStream(
  first: Event,
  events: AsyncGenerator<Event, void, void>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const frame = ([event, data]: Event) =>
    encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
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

async function drain(events: AsyncGenerator<Event, void, void>) {
  try {
    while (!(await events.next()).done);
  } catch {
    // The run's error stays in its thread: GET state shows it as the task that runs next.
  }
}
