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
  /** Channels that an input of the graph may have; none: unknown. @type {string[]} */
  inputs = [];
  /** Graphs inside are shown, too. */
  isXray = true;
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
    const inputs = this.#client.inputs(graph).catch(() => []);
    this.drawing = await this.#client.drawing(graph, this.isXray);
    this.inputs = await inputs;
    this.graph = graph;
  }
}
