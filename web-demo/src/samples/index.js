// SPDX-License-Identifier: MIT
// Lists the sample graphs and the stories that run in them. The graphs themselves are loaded by
// the worker alone.

/**
 * `file`: below src/. `input`: of a run in a new thread. `made`: statements that make the graph
 * where it runs alone, if its module does not: with a model that the studio has no use for.
 * @typedef {{ title: string, input: unknown }} Story
 * @typedef {{ graph: string, title: string, about: string, file: string, stories: Story[], made?:
 *   string }} Sample
 */

const say = (/** @type {string} */ content) => ({ messages: [{ role: "user", content }] });

/** @type {readonly Sample[]} */
export const SAMPLES = [
  {
    graph: "orders",
    title: "Order desk",
    about: "An agent asks you before it orders anything.",
    file: "samples/orders.js",
    made: 'import { DemoModel } from "weftgraph/models/demo";\nconst orders = makeOrders(new DemoModel());',
    stories: [
      { title: "Order 3 teapots", input: say("Please order 3 teapots") },
      { title: "Two orders at once", input: say("Order 2 lamps, then order 5 candles") },
    ],
  },
  {
    graph: "research",
    title: "Research",
    about: "Twenty searches run side by side, one node joins them.",
    file: "samples/research.js",
    stories: [
      { title: "Read up on tea", input: { question: "tea" } },
      { title: "Read up on bridges", input: { question: "bridges" } },
    ],
  },
  {
    graph: "review",
    title: "Writer and editor",
    about: "A text waits for your words, and is written again until you accept it.",
    file: "samples/review.js",
    stories: [
      { title: "A note on tea", input: { topic: "tea" } },
      { title: "A note on the sea", input: { topic: "the sea" } },
    ],
  },
  {
    graph: "flaky",
    title: "Flaky services",
    about: "One fails twice and is tried again, one hangs and another node stands in.",
    file: "samples/flaky.js",
    stories: [
      { title: "A usual day", input: { outage: false } },
      { title: "An outage", input: { outage: true } },
    ],
  },
  {
    graph: "team",
    title: "Team of agents",
    about: "Three agents, each a graph of its own, hand a conversation on.",
    file: "samples/team.js",
    stories: [
      { title: "A trip to Lisbon", input: say("Plan a trip to Lisbon") },
      { title: "A trip to Trieste", input: say("Plan a trip to Trieste") },
    ],
  },
];
