// SPDX-License-Identifier: MIT
// Says why the open thread's last run failed, or what is wrong with its last answer, and what
// helps: also after a reload. The table of failures and the element that shows one are loaded when
// there is one.
import { explainAnswer } from "../../models/answers.js";
import { Client } from "../../studio/server/client.js";

/** @typedef {import("./bench.js").Bench} Bench */
/** @typedef {import("../../worker/engine.js").Engine} Engine */

const LOCAL = "http://weft.local";

export class FailureNotice {
  /** In the talk, where the studio would say it in general words. */
  #item = document.createElement("li");
  /** @type {import("../../models/notice.js").WeftNotice | undefined} */
  #notice;
  #studio;
  #go;
  #engine;
  #bench;
  /** What was looked at: a thread, and whether a run of it went on. */
  #seen = "";
  /** Whether the next run is another try. */
  #isRetry = false;

  /**
   * @param {Engine} engine
   * @param {Bench} bench
   * @param {HTMLElement} studio
   * @param {{ go: (address: string) => void }} context
   */
  constructor(engine, bench, studio, { go }) {
    this.#engine = engine;
    this.#bench = bench;
    this.#studio = studio;
    this.#go = go;
    this.#item.slot = "failure";
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
    if (!isQuiet) {
      this.#show(undefined);
      // What a person began has all its tries.
      if (!this.#isRetry) this.#notice = undefined;
      if (ledger.run !== undefined) this.#isRetry = false;
      return;
    }
    const problem = await this.#problemOf(thread).catch(() => undefined);
    if (seen === this.#seen) this.#show(problem);
  }

  /** @param {import("../../models/problems.js").Problem | undefined} problem */
  async #show(problem) {
    if (problem === undefined) {
      if (this.#notice !== undefined) this.#notice.problem = undefined;
      return this.#item.remove();
    }
    const seen = this.#seen;
    const notice = (this.#notice ??= await this.#makeNotice());
    if (seen !== this.#seen) return;
    notice.problem = problem;
    this.#studio.append(this.#item);
    this.#item.scrollIntoView({ block: "nearest" });
  }

  async #makeNotice() {
    const { WeftNotice, defineNotice } = await import("../../models/notice.js");
    defineNotice();
    const notice = new WeftNotice();
    notice.addEventListener("weft-act", (event) => {
      const { act } = /** @type {CustomEvent} */ (event).detail;
      if (act === "models") this.#go("#/models");
      else if (act === "new") this.#go(`#/work/${this.#bench.graph}`);
      else if (act === "threads") this.#go("#/recordings");
      else if (act === "load") location.reload();
      else this.#tryAgain();
    });
    this.#item.replaceChildren(notice);
    return notice;
  }

  /** @param {string} thread */
  async #problemOf(thread) {
    const record = await this.#read(`/threads/${thread}`);
    // A limit has a notice of its own.
    if (this.#bench.reached !== undefined) return undefined;
    if (record?.status === "error") {
      const { explain } = await import("../../models/problems.js");
      return explain((await this.#engine.ask("failure", thread)) ?? record.error ?? {});
    }
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
    this.#isRetry = true;
    try {
      await client.startRun(thread, { assistant_id: graph, input: null });
    } catch (error) {
      const { explain } = await import("../../models/problems.js");
      this.#show(explain({ message: /** @type {Error} */ (error).message }));
    }
  }
}
