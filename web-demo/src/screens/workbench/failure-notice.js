// SPDX-License-Identifier: MIT
// Says why the open thread's last run failed, or what is wrong with its last answer, and what
// helps: also after a reload.
import { explainAnswer } from "../../models/answers.js";
import { WeftNotice, defineNotice } from "../../models/notice.js";
import { explain } from "../../models/problems.js";
import { Client } from "../../studio/client.js";

/** @typedef {import("./bench.js").Bench} Bench */
/** @typedef {import("../../worker/engine.js").Engine} Engine */

const LOCAL = "http://weft.local";

export class FailureNotice {
  /** In the talk, where the studio would say it in general words. */
  #item = document.createElement("li");
  #notice;
  #studio;
  #engine;
  #bench;
  /** What was looked at: a thread, and whether a run of it went on. */
  #seen = "";

  /**
   * @param {Engine} engine
   * @param {Bench} bench
   * @param {HTMLElement} studio
   * @param {{ go: (address: string) => void }} context
   */
  constructor(engine, bench, studio, { go }) {
    defineNotice();
    this.#engine = engine;
    this.#bench = bench;
    this.#studio = studio;
    this.#notice = new WeftNotice();
    this.#item.slot = "failure";
    this.#item.append(this.#notice);
    this.#notice.addEventListener("weft-act", (event) => {
      const { act } = /** @type {CustomEvent} */ (event).detail;
      if (act === "models") go("#/models");
      else if (act === "new") go(`#/work/${bench.graph}`);
      else if (act === "load") location.reload();
      else this.#tryAgain();
    });
  }

  /** Looks at the open thread, and again whenever a run of it ended. */
  follow() {
    this.#bench.addEventListener("change", () => this.#look());
    this.#look();
  }

  async #look() {
    const { thread, ledger, state } = this.#bench;
    const seen = `${thread} ${ledger.run ?? ""} ${state}`;
    if (seen === this.#seen) return;
    this.#seen = seen;
    const isQuiet = thread !== "" && ledger.run === undefined && state === "ready";
    if (!isQuiet) return this.#show(undefined);
    const problem = await this.#problemOf(thread).catch(() => undefined);
    if (seen === this.#seen) this.#show(problem);
  }

  /** @param {import("../../models/problems.js").Problem | undefined} problem */
  #show(problem) {
    this.#notice.problem = problem;
    if (problem === undefined) return this.#item.remove();
    this.#studio.append(this.#item);
    this.#item.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} thread */
  async #problemOf(thread) {
    const record = await this.#read(`/threads/${thread}`);
    // A limit has a notice of its own.
    if (this.#bench.reached !== undefined) return undefined;
    if (record?.status === "error")
      return explain((await this.#engine.ask("failure", thread)) ?? record.error ?? {});
    if (record?.status !== "idle") return undefined;
    const { messages } = record.values ?? {};
    return Array.isArray(messages) ? explainAnswer(messages.at(-1)) : undefined;
  }

  /** @param {string} path */
  async #read(path) {
    const response = await this.#engine.server.fetch(LOCAL + path);
    return response.ok ? await response.json() : undefined;
  }

  /** Goes on from the last step that was kept. */
  async #tryAgain() {
    const { thread, graph } = this.#bench;
    const client = new Client({ fetch: this.#engine.server.fetch, url: LOCAL });
    try {
      await client.startRun(thread, { assistant_id: graph, input: null });
    } catch (error) {
      this.#show(explain({ message: /** @type {Error} */ (error).message }));
    }
  }
}
