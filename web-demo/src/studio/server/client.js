// SPDX-License-Identifier: MIT
// Asks an Agent Server: its graphs, threads, states and runs. Must not know: what is shown.
import { Line } from "./line.js";
import { readEvents } from "./read-events.js";
import { drawingOf, listOf, stateOf } from "./shapes.js";

/** @typedef {(input: string, init?: RequestInit) => Promise<Response>} Fetch */
/** @typedef {import("./read-events.js").ServerEvent} ServerEvent */
/** @typedef {{ thread_id: string, checkpoint_id: string, checkpoint_ns: string }} Checkpoint */
/**
 * @typedef {{ id: string, name: string, error: string | null, interrupts: { id: string, value:
 *   unknown }[], result?: unknown }} Task
 */
/**
 * @typedef {{ values: Record<string, unknown>, next: string[], tasks: Task[], metadata: { source:
 *   string, step: number }, created_at: string, checkpoint: Checkpoint, parent_checkpoint:
 *   Checkpoint | null }} ThreadState
 */
/**
 * @typedef {{ thread_id: string, updated_at: string, status: string, metadata: Record<string,
 *   unknown>, interrupts: Record<string, Interrupt[]>, error?: unknown }} Thread
 */
/** @typedef {{ id: string, value: unknown, response_schema?: unknown }} Interrupt */
/** @typedef {{ assistant_id: string, graph_id: string, name: string }} Assistant */
/**
 * @typedef {{ nodes: { id: string, data: unknown }[], edges: { source: string, target: string,
 *   data?: string, conditional: boolean }[] }} Drawing
 */

/** Modes of the runs that the studio starts; from these it knows what each node does. */
export const RUN_MODES = ["tasks", "checkpoints", "updates", "messages-tuple", "custom"];

/** A request that was refused or not answered. */
export class RequestError extends Error {
  /** @param {string} message @param {number} [status] */
  constructor(message, status) {
    super(message);
    this.name = "RequestError";
    this.status = status;
  }
}

export class Client {
  #fetch;
  #url;
  #headers;

  /** @param {{ fetch: Fetch, url: string, headers?: Record<string, string> }} options */
  constructor({ fetch, url, headers = {} }) {
    this.#fetch = fetch;
    this.#url = url.replace(/\/+$/, "");
    this.#headers = headers;
    this.line = new Line(this.#url);
  }

  /** @returns {Promise<Assistant[]>} the graphs that are served */
  async graphs() {
    const found = await this.#json("/assistants/search", {
      limit: 100,
      // As the server was given them: the first one is opened.
      sort_by: "created_at",
      sort_order: "asc",
    });
    return listOf(found).filter(({ graph_id }) => typeof graph_id === "string");
  }

  /**
   * @param {string} assistant
   * @param {boolean} [xray] with the graphs inside
   * @returns {Promise<Drawing>}
   */
  async drawing(assistant, xray = true) {
    return drawingOf(
      await this.#json(`/assistants/${encodeURIComponent(assistant)}/graph?xray=${xray}`),
    );
  }

  /**
   * @param {string} assistant
   * @returns {Promise<string[] | undefined>} the channels that an input may have; none: it may be
   *   any value; undefined: the server does not know
   */
  async inputs(assistant) {
    const { input_schema } = await this.#json(
      `/assistants/${encodeURIComponent(assistant)}/schemas`,
    );
    const isKnown = typeof input_schema === "object" && input_schema !== null;
    return isKnown ? Object.keys(input_schema.properties ?? {}) : undefined;
  }

  /**
   * @param {{ limit: number, offset?: number, status?: string, ids?: string[], select?: string[] }}
   *   query
   * @returns {Promise<Thread[]>} newest first
   */
  async threads(query) {
    const found = await this.#json("/threads/search", {
      sort_by: "updated_at",
      sort_order: "desc",
      select: ["thread_id", "updated_at", "status", "metadata", "interrupts", "error"],
      ...query,
    });
    return listOf(found).filter(({ thread_id }) => typeof thread_id === "string");
  }

  /** @param {string} thread @returns {Promise<Thread>} */
  thread(thread) {
    return this.#json(this.#path(thread));
  }

  /** @param {string} thread @returns {Promise<boolean>} it is there, or is not known not to be */
  async has(thread) {
    try {
      await this.#request(this.#path(thread));
    } catch (error) {
      return /** @type {RequestError} */ (error).status !== 404;
    }
    return true;
  }

  /** @param {string} graph @param {string} title @returns {Promise<Thread>} */
  createThread(graph, title) {
    return this.#json("/threads", { metadata: { graph_id: graph, title } });
  }

  /** @param {string} thread @param {string} title */
  async rename(thread, title) {
    await this.#request(this.#path(thread), { metadata: { title } }, { method: "PATCH" });
  }

  /** @param {string} thread */
  async remove(thread) {
    await this.#request(this.#path(thread), undefined, { method: "DELETE" });
  }

  /**
   * @param {string} thread
   * @param {number} limit
   * @param {string} [before] a checkpoint
   * @returns {Promise<ThreadState[]>} newest first
   */
  async history(thread, limit, before) {
    return listOf(await this.#json(this.#path(thread, "history"), { limit, before })).map(stateOf);
  }

  /**
   * Reads what people decided about calls of a thread.
   * @param {string} thread
   * @returns {Promise<import("../questions/decisions.js").Decision[]>} the oldest first
   */
  async decisions(thread) {
    return listOf(await this.#json(this.#path(thread, "decisions")));
  }

  /** Waits until a run is over. @param {string} thread @param {string} run */
  async join(thread, run) {
    await this.#request(this.#path(thread, `runs/${encodeURIComponent(run)}/join`));
  }

  /**
   * Writes a state: a fork, where the checkpoint is not the newest one.
   * @param {string} thread
   * @param {{ values: unknown, checkpoint_id?: string, as_node?: string }} update
   * @returns {Promise<{ checkpoint: Checkpoint }>}
   */
  updateState(thread, update) {
    return this.#json(this.#path(thread, "state"), update);
  }

  /**
   * Starts a run, whose events come by `follow`.
   * @param {string} thread
   * @param {{ assistant_id: string, input?: unknown, command?: unknown, checkpoint_id?: string |
   *   undefined, interrupt_before?: string[], multitask_strategy?: string }} run
   * @returns {Promise<{ run_id: string }>}
   */
  startRun(thread, run) {
    return this.#json(this.#path(thread, "runs"), {
      stream_mode: RUN_MODES,
      stream_subgraphs: true,
      ...run,
    });
  }

  /** @param {string} thread @param {string} run */
  async cancel(thread, run) {
    await this.#request(this.#path(thread, `runs/${encodeURIComponent(run)}/cancel?wait=true`), {});
  }

  /**
   * Follows a thread: the run under way from its start, and all later ones.
   * @param {string} thread
   * @param {(event: ServerEvent) => void} tell
   * @param {AbortSignal} signal
   * @param {() => void} [opened] from here on nothing is missed
   * @returns {Promise<void>} the stream has ended
   */
  async follow(thread, tell, signal, opened) {
    const modes = "stream_mode=run_modes&stream_mode=lifecycle&stream_mode=state_update";
    const response = await this.#request(this.#path(thread, `stream?${modes}`), undefined, {
      signal,
    });
    opened?.();
    if (response.body !== null) await readEvents(response.body, tell);
  }

  /** @param {string} thread @param {string} [below] */
  #path(thread, below) {
    const path = `/threads/${encodeURIComponent(thread)}`;
    return below === undefined ? path : `${path}/${below}`;
  }

  /** @param {string} path @param {unknown} [body] @returns {Promise<any>} */
  async #json(path, body) {
    const response = await this.#request(path, body);
    try {
      return await response.json();
    } catch {
      throw new RequestError("The server's answer is no JSON: is this the address of a server?");
    }
  }

  /**
   * @param {string} path
   * @param {unknown} [body]
   * @param {{ method?: string, signal?: AbortSignal }} [how]
   * @throws RequestError
   */
  async #request(path, body, { method = body === undefined ? "GET" : "POST", signal } = {}) {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const fetch = this.#fetch;
    let response;
    try {
      response = await fetch(this.#url + path, {
        ...init,
        headers: { "content-type": "application/json", ...this.#headers },
        redirect: "error",
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      this.line.become("down");
      throw new RequestError(
        `No answer from ${this.#url}. Is the server running, and may this page ask it?`,
      );
    }
    this.line.become(response.status === 401 ? "refused" : "open");
    if (response.ok) return response;
    throw new RequestError(this.line.trouble ?? (await detailOf(response)), response.status);
  }
}

/** @param {Response} response @returns {Promise<string>} why it was refused */
async function detailOf(response) {
  try {
    const { detail, message } = await response.json();
    const text = detail ?? message;
    if (typeof text === "string") return text;
  } catch {
    // The status says it.
  }
  return `The server refused it (status ${response.status}).`;
}
