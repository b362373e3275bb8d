// SPDX-License-Identifier: MIT
// Threads at random, as scripts of pages (script.h): graphs of every kind of channel and edge, runs
// whose tasks write, send, go on, fail, try again, ask, are stopped or die, answers, updates,
// forks, compaction. A seed's thread is always the same.
import { makeRandom } from "../proof/world.mjs";
import { play } from "./player.mjs";

const KINDS = [
  { kind: "last" },
  { kind: "binop" },
  { kind: "messages" },
  { kind: "topic", accumulate: true },
  { kind: "topic" },
  { kind: "topic", accumulate: true, unique: true },
  { kind: "any" },
  { kind: "ephemeral", guard: false },
  { kind: "untracked", guard: false },
];
const LISTS = ["messages", "topic"];
const MOST_ROUNDS = 10;

class Thread {
  lines = [];
  log = "";
  /**
   * Attempts of the tasks that are out, by their place.
   * @type {Map<number, { attempt: number, node: number }>}
   */
  out = new Map();
  isOver = true;
  isWaiting = false;
  questions = 0;

  constructor(module, seed) {
    this.module = module;
    this.random = makeRandom(seed);
    this.channels = Array.from({ length: 2 + this.random.below(4) }, (_, i) => ({
      name: `c${i}`,
      ...this.random.pick(KINDS),
    }));
    this.nodes = Array.from({ length: 2 + this.random.below(4) }, (_, i) => ({ name: `n${i}` }));
    this.lines.push(`graph ${JSON.stringify(this.#graph())}`, `thread t${seed}`);
  }

  #graph() {
    const { random, nodes } = this;
    const names = nodes.map(({ name }) => name);
    const edges = [["__start__", names[0]]];
    const branches = [];
    names
      .slice(1)
      .forEach((name, i) =>
        edges.push([random.pick(["__start__", ...names.slice(0, i + 1)]), name]),
      );
    for (const node of nodes) {
      if (random.chance(0.15)) node.defer = true;
      if (random.chance(0.3)) edges.push([node.name, random.pick([...names.slice(1), "__end__"])]);
      if (random.chance(0.3))
        branches.push({
          from: node.name,
          ends: random.chance(0.5)
            ? null
            : [
                ["one", random.pick(names)],
                ["stop", "__end__"],
              ],
        });
    }
    const joins = nodes.length > 3 && random.chance(0.4) ? [[[names[0], names[1]], names[3]]] : [];
    const handled = random.chance(0.2) ? nodes.at(-1) : undefined;
    if (handled && nodes.length > 2) nodes[0].handler = handled.name;
    const unique = [...new Set(edges.map(String))].map((edge) => edge.split(","));
    return {
      channels: this.channels,
      nodes,
      edges: unique,
      joins,
      branches,
      output: this.channels.map(({ name }) => name),
    };
  }

  /** Plays what was said so far; tells what is out now from what it printed since. */
  go() {
    this.lines.push("go");
    const whole = this.playAll();
    const news = whole.slice(this.log.length).split("\n");
    this.log = whole;
    for (const line of news) {
      const task = /^TASK (\d+) attempt (\d+) node (\d+)/.exec(line);
      if (task) this.out.set(Number(task[1]), { attempt: Number(task[2]), node: Number(task[3]) });
      if (/^(DONE|FAIL|STATUS|REFUSED)/.test(line)) this.isOver = true;
      if (line.startsWith("DONE interrupted")) this.isWaiting = true;
      if (line.startsWith("INTERRUPTS")) this.questions++;
    }
  }

  playAll() {
    const decoder = new TextDecoder();
    return play(this.module, new TextEncoder().encode(this.lines.join("\n")))
      .map((part) => decoder.decode(part, { stream: true }))
      .join("");
  }

  #value(kind) {
    const { random } = this;
    return kind === "binop" || random.chance(0.3)
      ? String(random.below(100))
      : random.pick(["true", "null", `"v${random.below(9)}"`, `{"k":[${random.below(9)},"é"]}`]);
  }

  #write() {
    const { random } = this;
    const at = random.below(this.channels.length);
    const { kind } = this.channels[at];
    if (kind === "messages" && random.chance(0.2))
      return `messages ${at} ${random.pick(["!m1", "*all", "!m2 m3"])} ;`;
    if (LISTS.includes(kind))
      return `messages ${at} ${Array.from({ length: 1 + random.below(3) }, () => `m${random.below(6)}`).join(" ")} ;`;
    return `${random.chance(0.05) ? "overwrite" : "write"} ${at} ${this.#value(kind)}`;
  }

  #entries() {
    const { random } = this;
    const entries = Array.from({ length: random.below(4) }, () => this.#write());
    const node = 1 + random.below(this.nodes.length);
    if (random.chance(0.1)) entries.push(`send ${node} ${this.#value()}`);
    if (random.chance(0.05))
      entries.push(`within ${node} ${this.#value()} ${100 * random.below(5)}`);
    if (random.chance(0.1)) entries.push(`goto ${node}`);
    return entries.join(" ");
  }

  #task(place, { attempt, node }) {
    const { random } = this;
    const which = `${place} ${attempt}`;
    const roll = node === 0 ? 0 : random.below(100);
    this.out.delete(place);
    if (node === 0) this.lines.push(`result ${which}`);
    else if (roll < 73) this.lines.push(`result ${which} ${this.#entries()}`);
    else if (roll < 75) this.lines.push(`error ${which}`);
    else if (roll < 77) this.lines.push(`failed ${which} ${this.#entries()}`);
    else if (roll < 86)
      this.lines.push(
        `ask ${which} interrupt`,
        `asked ${which} ${this.questions} "q${random.below(5)}"`,
      );
    else if (roll < 92)
      this.lines.push(`retry ${which} ${1 + random.below(4)} 0 10 2 100`, "go", `woke ${which}`);
    else if (roll < 99)
      this.lines.push(
        `intend ${which} call-${random.below(3)}`,
        "go",
        `result ${which} ${this.#entries()}`,
      );
    else this.lines.push(`bubble ${which}`);
  }

  get #hasSaved() {
    return this.log.includes("\nSAVE");
  }

  #run() {
    const { random } = this;
    const forks = this.#hasSaved && random.chance(0.2);
    const words = ["values", "updates", "tasks", "checkpoints"].filter(() => random.chance(0.3));
    words.push(
      random.pick(["sync", "exit", "async"]),
      ...(random.chance(0.1) ? ["before=all"] : []),
      ...(random.chance(0.1) ? ["limit=4"] : []),
    );
    this.isOver = false;
    this.out.clear();
    const resumes = this.isWaiting && random.chance(0.7);
    this.isWaiting = false;
    if (forks) words.push("null", `from=${random.below(6)}`);
    else if (resumes && this.questions > 0 && random.chance(0.5)) words.push("command");
    else if (!resumes && this.#hasSaved && random.chance(0.2)) words.push("null");
    this.lines.push(`start invoke ${words.join(" ")}`);
    if (resumes && !forks)
      this.lines.push(
        random.chance(0.5)
          ? `resume "r${random.below(5)}"`
          : `answers ${random.below(this.questions + 1)} "a${random.below(5)}"`,
      );
    else if (!words.includes("null"))
      this.lines.push(`input write ${this.channels.length} "in${random.below(5)}"`);
    this.go();
    for (let round = 0; round < MOST_ROUNDS && !this.isOver; round++) {
      for (const [place, task] of [...this.out]) if (random.chance(0.8)) this.#task(place, task);
      if (random.chance(0.03)) break; // the process dies here
      if (random.chance(0.03)) this.lines.push("abort");
      this.go();
    }
  }

  #between() {
    const { random } = this;
    const what = random.pick([
      "state",
      "history",
      "update",
      "rewrite",
      "reopen",
      "nothing",
      "nothing",
    ]);
    if (!this.#hasSaved) return;
    if (what === "reopen") this.lines.push("reopen");
    if (what === "rewrite")
      this.lines.push(`rewrite ${random.pick(["copy", "trim"])} last=${1 + random.below(3)}`);
    if (what === "state" || what === "history")
      this.lines.push(`start ${what}${what === "history" ? " count=5" : ""}`);
    if (what === "update")
      this.lines.push(`start update as=${1 + random.below(this.nodes.length)}`);
    if (["state", "history", "update"].includes(what)) this.go();
    if (what === "update") {
      for (const [place, { attempt }] of this.out)
        this.lines.push(`result ${place} ${attempt} ${this.#write()}`);
      this.out.clear();
      this.go();
    }
  }

  live() {
    for (let runs = 1 + this.random.below(4); runs > 0; runs--) {
      this.#run();
      this.#between();
    }
    this.lines.push("head", "stored");
    return this.lines.join("\n");
  }
}

/**
 * @param {WebAssembly.Module} module the player of pages
 * @param {number} seed
 * @returns {string} a script that ends with the hash of what the thread stored
 */
export const threadOf = (module, seed) => new Thread(module, seed).live();
