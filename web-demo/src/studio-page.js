// SPDX-License-Identifier: MIT
// The studio's page: sample graphs behind an Agent Server in the tab, their threads in IndexedDB,
// and <weft-studio> over it.
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { createServer } from "weftgraph/server";
import { SaverStore } from "weftgraph/stores/saver";
import { flaky } from "./samples/flaky.js";
import { orders } from "./samples/orders.js";
import { research } from "./samples/research.js";
import { review } from "./samples/review.js";
import { WeftStudio, defineStudio } from "./studio/element.js";

const say = (/** @type {string} */ content) => ({ messages: [{ role: "user", content }] });
/** @type {[graph: string, title: string, about: string, input: unknown][]} */
const SAMPLES = [
  ["orders", "Order desk", "asks before it acts", say("Please order 3 teapots")],
  ["research", "Research", "20 searches side by side", { question: "tea" }],
  ["review", "Writer", "waits for your words", { topic: "tea" }],
  ["flaky", "Flaky service", "fails twice, is tried again", {}],
];

const saver = new IdbfsSaver({ prefix: "weft-studio" });
const server = createServer({
  graphs: { orders, research, review, flaky },
  saver,
  store: new SaverStore(saver),
  tabs: "weft-studio",
});

defineStudio();
const studio = new WeftStudio();
studio.server = server;
studio.setAttribute("graph", "orders");
document.querySelector("main")?.append(studio);

const samples = document.getElementById("samples");
for (const [graph, title, about, input] of SAMPLES) {
  const button = document.createElement("button");
  const small = document.createElement("small");
  small.textContent = about;
  button.append(title, small);
  button.addEventListener("click", () => studio.run(graph, input));
  samples?.append(button);
}
