// SPDX-License-Identifier: MIT
// Reduces the events of a thread's runs to what the workbench tells: what is stored, what runs, why
// a run ended. Must not know: how it is shown.

/** @typedef {{ name: string, message: string }} Failure */

/** Ids that are remembered of each kind: more is no thread that a person looks at. */
const MAX_IDS = 50_000;

export class Ledger {
  /** The run that goes on. @type {string | undefined} */
  run = undefined;
  /** Why the newest run failed. @type {Failure | undefined} */
  failure = undefined;
  /** Checkpoints that are stored, as the run told. @type {Set<string>} */
  stored = new Set();
  /** Tasks whose results are stored. @type {Set<string>} */
  done = new Set();
  /** Nodes of tasks that run, by task. @type {Map<string, string>} */
  running = new Map();
  /** Checkpoints that were told since the last task began. @type {string[]} */
  #told = [];
  /** Tasks that ended since then, by graph. @type {Map<string, string[]>} */
  #ended = new Map();

  /** @param {import("../../studio/server/client.js").ServerEvent} event */
  take({ event, data }) {
    const [mode, ...namespace] = event.split("|");
    if (mode === "metadata") this.#takeRun(data);
    else if (mode === "error") this.failure = failureOf(data);
    else if (mode === "checkpoints" && namespace.length === 0) this.#takeCheckpoint(data);
    else if (mode === "tasks") this.#takeTask(namespace.join("|"), data);
  }

  /** Nothing runs any more, whatever was told. */
  end() {
    this.running.clear();
    this.run = undefined;
    this.#told = [];
    this.#ended.clear();
  }

  /** @param {any} data */
  #takeRun(data) {
    if (typeof data?.run_id !== "string") return;
    if (data.status !== "run_done") {
      if (this.run === data.run_id) return;
      this.end();
      this.run = data.run_id;
      this.failure = undefined;
    } else {
      this.#keep();
      for (const namespace of this.#ended.keys()) this.#keepEnded(namespace);
      this.end();
    }
  }

  /** @param {any} data */
  #takeCheckpoint(data) {
    const id = data?.config?.configurable?.checkpoint_id ?? data?.checkpoint?.checkpoint_id;
    if (typeof id === "string") this.#told.push(id);
  }

  /** @param {string} namespace @param {any} data */
  #takeTask(namespace, data) {
    if (typeof data?.id !== "string" || typeof data.name !== "string") return;
    if ("input" in data) {
      // A step begins when all before it is stored.
      this.#keep();
      this.#keepEnded(namespace);
      if (this.running.size < MAX_IDS) this.running.set(data.id, data.name);
    } else {
      this.running.delete(data.id);
      const hasResult = !data.error && !(data.interrupts?.length > 0);
      if (hasResult) this.#ended.set(namespace, [...(this.#ended.get(namespace) ?? []), data.id]);
    }
  }

  #keep() {
    for (const id of this.#told) if (this.stored.size < MAX_IDS) this.stored.add(id);
    this.#told = [];
  }

  /** @param {string} namespace */
  #keepEnded(namespace) {
    for (const id of this.#ended.get(namespace) ?? [])
      if (this.done.size < MAX_IDS) this.done.add(id);
    this.#ended.delete(namespace);
  }
}

/** @param {any} data @returns {Failure} */
function failureOf(data) {
  return { name: String(data?.error ?? "Error"), message: String(data?.message ?? "") };
}
