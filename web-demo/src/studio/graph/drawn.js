// SPDX-License-Identifier: MIT
// Owns the graphs of a server and what is known of the open one. Must not know: runs, threads.
import { Looking } from "../time/looking.js";

/** @typedef {import("../server/client.js").Client} Client */

export class Drawn extends Looking {
  /** @type {import("../server/client.js").Assistant[]} */
  graphs = [];
  graph = "";
  /** @type {import("../server/client.js").Drawing} */
  drawing = { nodes: [], edges: [] };
  /** Channels that an input of the graph may have, as far as they are known. @type {string[]} */
  inputs = [];
  /**
   * What an input is: `unknown` ones are taken for messages. Of `any` kind is that of a workflow of
   * functions, for example.
   * @type {"messages" | "channels" | "any" | "unknown"}
   */
  takes = "unknown";
  /** Graphs inside are shown, too. */
  isXray = true;
  /** Graphs that are being opened: until then the open one may not be that of the thread. */
  opening = 0;
  #client;

  /** @param {Client} client */
  constructor(client) {
    super(client);
    this.#client = client;
  }

  /** Shows graphs inside, or each as one node. @param {boolean} isXray */
  async setXray(isXray) {
    this.isXray = isXray;
    await this.attempt(async () => {
      this.drawing = await this.#client.drawing(this.graph, isXray);
    });
  }

  /** @param {string} graph */
  async openGraph(graph) {
    this.opening++;
    try {
      const asked = this.#client.inputs(graph).catch(() => undefined);
      this.drawing = await this.#client.drawing(graph, this.isXray);
      const inputs = await asked;
      this.inputs = inputs ?? [];
      this.takes = takenBy(inputs);
      this.graph = graph;
    } finally {
      this.opening--;
    }
  }
}

/** @param {string[] | undefined} inputs channels */
function takenBy(inputs) {
  if (inputs === undefined) return "unknown";
  if (inputs.length === 0) return "any";
  return inputs.includes("messages") ? "messages" : "channels";
}
