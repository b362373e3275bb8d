// SPDX-License-Identifier: MIT
// Knows: what a person can do on the page, and hands it on: to the conversations, the desk, the
// settings, the other tabs. Owns what is open. Must not know: how it is drawn.
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { watchThreads } from "weftgraph/savers/watch";
import { toolJsonSchema } from "weftgraph/tools";
import { makeAgent } from "./agent.js";
import { Card } from "./card.js";
import { Conversation } from "./conversation.js";
import { DeskStore, ThreadCards, openDesk } from "./desk.js";
import { callIdOf, readRequest } from "./request.js";
import { check, keepSettings, readSettings } from "./settings.js";
import { TOOLS } from "./tools.js";

const MOST_ITEMS = 100;

/** @typedef {import("./conversation.js").Pending} Pending */

export class App {
  /** @type {import("./desk.js").ThreadCard[]} */
  threads = [];
  /** @type {Map<string, Conversation>} */
  conversations = new Map();
  /** @type {Map<string, Card>} */
  cards = new Map();
  /** @type {import("./desk.js").Item[]} */
  notes = [];
  /** @type {import("./desk.js").Item[]} */
  orders = [];
  storage = { persistence: "unknown", bytes: 0 };
  settings = readSettings();
  /** A thread that is about to be deleted. @type {string | undefined} */
  doomed = undefined;
  isMenuOpen = false;
  #agent;

  /** @param {{ database: import("idb").IDBPDatabase, changed: () => void }} parts */
  constructor({ database, changed }) {
    this.changed = changed;
    this.saver = new IdbfsSaver({ prefix: "weft-demo" });
    // A conversation that another tab works on is shown step by step.
    watchThreads(this.saver, ({ threadId }) => this.conversations.get(threadId)?.refresh());
    this.store = new DeskStore(database);
    this.threadCards = new ThreadCards(database);
    this.channel = new BroadcastChannel("weft-demo");
    this.channel.onmessage = ({ data }) => this.#hear(data);
    this.#agent = makeAgent(this.settings, this);
  }

  /** @param {() => void} changed */
  static async open(changed) {
    const app = new App({ database: await openDesk(), changed });
    await Promise.all([app.#readThreads(), app.#readDesk(), app.#readStorage(false)]);
    return app;
  }

  /** The thread in the address, or a new one. */
  follow() {
    const id = /^#\/t\/([\w-]{8,64})$/.exec(location.hash)?.[1];
    if (!id) return this.newThread();
    this.threadId = id;
    this.isMenuOpen = false;
    if (!this.conversation.isNew) this.conversation.load();
    this.changed();
  }

  /** On a narrow page. @param {boolean} isOpen */
  showMenu(isOpen) {
    this.isMenuOpen = isOpen;
    this.changed();
  }

  newThread() {
    const id = crypto.randomUUID();
    this.#open(id).begin();
    location.hash = `#/t/${id}`;
  }

  get conversation() {
    return this.#open(/** @type {string} */ (this.threadId));
  }

  /** @param {string} id */
  #open(id) {
    let found = this.conversations.get(id);
    if (!found) {
      found = new Conversation(id, {
        agent: () => this.#agent,
        decisions: (thread) => this.saver.decisions(thread),
        readDesk: () => this.#readDesk(),
        changed: () => this.#conversationChanged(id),
        announce: (kind) => this.#tell(kind, id),
      });
      this.conversations.set(id, found);
    }
    return found;
  }

  /** Requests that wait in the open threads. */
  get waiting() {
    return [...this.conversations.values()].reduce((sum, { pending }) => sum + pending.length, 0);
  }

  /**
   * The card of a request of the open thread. When the call is asked about again it is the same
   * one; when another call is asked about it is not.
   * @param {Pending} request
   */
  card(request) {
    const key = keyOf(this.conversation.id, request);
    const { tool, canonical } = readRequest(request.value);
    const about = JSON.stringify([tool, canonical]);
    let found = this.cards.get(key);
    if (found?.about !== about) {
      found?.close();
      found = new Card(about, this.changed);
      this.cards.set(key, found);
    }
    return found;
  }

  /** @param {string} name of a tool */
  schemaOf(name) {
    const found = TOOLS.find((tool) => tool.name === name);
    return found && toolJsonSchema(found);
  }

  /** @param {string} text @param {{ insist?: boolean }} [options] */
  async send(text, options) {
    const { conversation } = this;
    if (text.trim() === "" || conversation.status !== "idle" || conversation.pending.length > 0)
      return;
    const run = conversation.send(text.trim(), options);
    await this.threadCards.touch(conversation.id, text);
    this.#readThreads();
    this.#readStorage(true);
    await run;
    this.#afterRun(conversation.id);
  }

  /** @param {Pending} request @param {any} response @param {import("./card.js").Verdict} verdict */
  async decide(request, response, verdict) {
    const { conversation } = this;
    const card = this.card(request);
    if (card.isSent || conversation.status !== "idle") return;
    Object.assign(card, { isSent: true, verdict });
    await conversation.decide(request, response);
    card.isSent = false;
    if (conversation.pending.some((one) => callIdOf(one) === callIdOf(request)))
      card.verdict = undefined;
    this.#conversationChanged(conversation.id);
    this.#afterRun(conversation.id);
  }

  async resume() {
    const { conversation } = this;
    await conversation.resume();
    this.#afterRun(conversation.id);
  }

  /** @param {string} id */
  #afterRun(id) {
    this.#readStorage(false);
    this.#tell("desk", id);
  }

  /** @param {string} id */
  async deleteThread(id) {
    this.doomed = undefined;
    this.conversations.get(id)?.stop();
    await this.saver.deleteThread(id);
    await this.threadCards.remove(id);
    this.conversations.delete(id);
    this.#tell("deleted", id);
    await this.#readThreads();
    if (id === this.threadId) this.newThread();
    this.#readStorage(false);
  }

  /** @param {import("./desk.js").Item} item */
  async deleteItem({ namespace, key }) {
    await this.store.delete(namespace, key);
    await this.#readDesk();
    this.#tell("desk", key);
  }

  /**
   * @param {import("./settings.js").Settings} settings
   * @returns {import("./settings.js").Complaint | undefined}
   */
  applySettings(settings) {
    const complaint = check(settings);
    if (complaint) return complaint;
    this.settings = settings;
    keepSettings(settings);
    this.#agent = makeAgent(settings, this);
    this.changed();
    return undefined;
  }

  /** The page is in front again: cards wait anew, and what other tabs did is read. */
  returned() {
    for (const card of this.cards.values()) card.arm();
    this.conversation.refresh();
    this.changed();
  }

  /** @param {{ kind: string, id: string }} message */
  #hear({ kind, id }) {
    const known = this.conversations.get(id);
    if (kind === "running") known?.waitForOther();
    if (kind === "changed" && known) known.refresh();
    if (kind === "changed" || kind === "deleted") this.#readThreads();
    if (kind === "desk") this.#readDesk();
    if (kind === "deleted") {
      this.conversations.delete(id);
      if (id === this.threadId) this.newThread();
    }
    this.changed();
  }

  /** @param {"running" | "changed" | "desk" | "deleted"} kind @param {string} id */
  #tell(kind, id) {
    this.channel.postMessage({ kind, id });
  }

  /** @param {string} id */
  #conversationChanged(id) {
    const shown = new Set(
      [...this.conversations.values()].flatMap((one) =>
        one.requests.map((request) => keyOf(one.id, request)),
      ),
    );
    for (const [key, card] of this.cards) {
      if (shown.has(key) || card.isSent) continue;
      card.close();
      this.cards.delete(key);
    }
    if (id === this.threadId || this.conversations.has(id)) this.changed();
  }

  async #readThreads() {
    this.threads = await this.threadCards.list(await this.saver.listThreads());
    this.changed();
  }

  async #readDesk() {
    [this.notes, this.orders] = await Promise.all(
      ["notes", "orders"].map((name) => this.store.search([name], { limit: MOST_ITEMS })),
    );
    this.changed();
  }

  /** @param {boolean} ask the browser to keep what is stored */
  async #readStorage(ask) {
    const [persistence, bytes] = await Promise.all([
      this.saver.persistence({ ask }),
      this.saver.byteLength(),
    ]);
    this.storage = { persistence, bytes };
    this.changed();
  }
}

/** @param {string} thread @param {Pending} request */
const keyOf = (thread, request) => JSON.stringify([thread, callIdOf(request)]);
