// SPDX-License-Identifier: MIT
// One client of a thread on one socket: answers its commands, and sends it the events that its
// subscriptions ask for, each once, as fast as the socket takes them. Ends with the socket.
import { answerCommand, failure, success } from "./commands.js";
import { objectIn, objectOf, parseJson, textIn } from "./http/fields.js";
import { invalid } from "./http/replies.js";
import { toJson } from "./http/wire.js";
import { refusalOf } from "./router.js";
import { openLog, readSubscription } from "./subscriptions.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./http/event-log.js").EventLog} EventLog */
/** @typedef {import("./http/event-log.js").RunEvent} RunEvent */
/** @typedef {import("./server.js").ServerState} ServerState */
/**
 * What is used of a WebSocket. Without `bufferedAmount` its reader is taken for a fast one.
 * @typedef {{ send: (text: string) => unknown, close: (code?: number, reason?: string) => unknown,
 *   addEventListener: (type: string, listener: (event: { data?: unknown }) => void) => unknown,
 *   bufferedAmount?: number }} Socket
 */
/** @typedef {{ next: number, isWanted: (event: RunEvent) => boolean }} Subscription */

const MOST_SUBSCRIPTIONS = 100;
/** Bytes that a socket may have before it to send. */
const MOST_WAITING = 1024 * 1024;
const DRAIN_MS = 10;
/** Clients come again after it. */
const TRY_AGAIN = 4503;

export class Connection {
  #state;
  #socket;
  #threadId;
  #user;
  /** @type {EventLog} */
  #log;
  #mayHear;
  /** @type {Map<string, Subscription>} */
  #subscriptions = new Map();
  #count = 0;
  #isOver = false;
  /** Ends the pump's waiting. */
  #waking = new AbortController();

  /**
   * @param {ServerState} state
   * @param {Socket} socket
   * @param {string} threadId
   * @param {string | undefined} user
   * @throws {Refusal} 404 for another user's thread
   */
  constructor(state, socket, threadId, user) {
    this.#state = state;
    this.#socket = socket;
    this.#threadId = threadId;
    this.#user = user;
    const { log, mayHear } = openLog(state, threadId, user);
    this.#log = log;
    this.#mayHear = mayHear;
    this.#pump().catch((error) => {
      this.close();
      state.tell(error);
    });
  }

  /** @param {unknown} data of a message */
  async receive(data) {
    /** @type {unknown} */
    let id = null;
    try {
      if (typeof data !== "string" || data.length > this.#state.mostBytes)
        throw invalid(`A message must be a text of up to ${this.#state.mostBytes} characters.`);
      const command = objectOf(parseJson(data));
      id = command.id ?? null;
      const params = objectIn(command, "params") ?? {};
      if (command.method === "subscription.subscribe") this.#subscribe(id, params);
      else if (command.method === "subscription.unsubscribe") this.#unsubscribe(id, params);
      else this.#send(await answerCommand(this.#state, this.#threadId, command, this.#user));
    } catch (error) {
      const refusal = refusalOf(error, this.#state.onError);
      const { detail } = await refusal.json();
      this.#send(failure(id, refusal.status < 500 ? "invalid_argument" : "unknown_error", detail));
    }
  }

  close() {
    this.#isOver = true;
    this.#waking.abort();
  }

  /** @param {unknown} id @param {Json} params */
  #subscribe(id, params) {
    const { since, isWanted } = readSubscription(params);
    if (this.#subscriptions.size >= MOST_SUBSCRIPTIONS)
      throw invalid(`A socket has up to ${MOST_SUBSCRIPTIONS} subscriptions.`);
    const name = `subscription-${++this.#count}`;
    const replayed = this.#log.from(since + 1).filter((one) => isWanted(one) && this.#mayHear());
    // Its client knows a subscription's name before its first event.
    this.#succeed(id, { subscription_id: name, replayed_events: replayed.length });
    this.#subscriptions.set(name, { next: since + 1, isWanted });
    this.#waking.abort();
  }

  /** @param {unknown} id @param {Json} params */
  #unsubscribe(id, params) {
    const name = textIn(params, "subscription_id") ?? "";
    if (this.#subscriptions.delete(name)) this.#succeed(id, {});
    else this.#send(failure(id, "no_such_subscription", `There is no ${JSON.stringify(name)}.`));
  }

  /** @param {unknown} id @param {Json} result */
  #succeed(id, result) {
    this.#send(success(id, result, this.#threadId, this.#log.next - 1));
  }

  /** Sends events until the connection or the log ends. */
  async #pump() {
    while (!this.#isOver) {
      const subscriptions = [...this.#subscriptions.values()];
      const at = Math.min(...subscriptions.map(({ next }) => next));
      const event = at < this.#log.next ? this.#log.at(at) : undefined;
      if (event !== undefined) await this.#pass(event, subscriptions);
      else if (this.#log.isClosed) {
        this.close();
        this.#socket.close(TRY_AGAIN, "The thread's events are gone.");
      } else {
        this.#waking = new AbortController();
        await this.#log.wait(this.#log.next, this.#waking.signal);
      }
    }
  }

  /** @param {RunEvent} event @param {Subscription[]} subscriptions */
  async #pass(event, subscriptions) {
    const reached = subscriptions.filter(({ next }) => next <= event.id);
    for (const subscription of reached) subscription.next = event.id + 1;
    if (!reached.some(({ isWanted }) => isWanted(event)) || !this.#mayHear()) return;
    this.#sendText(event.data);
    while (!this.#isOver && (this.#socket.bufferedAmount ?? 0) > MOST_WAITING)
      await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
  }

  /** @param {Json} message */
  #send(message) {
    this.#sendText(toJson(message));
  }

  /** @param {string} text */
  #sendText(text) {
    if (this.#isOver) return;
    try {
      this.#socket.send(text);
    } catch {
      // It is closed; its event comes later.
      this.close();
    }
  }
}
