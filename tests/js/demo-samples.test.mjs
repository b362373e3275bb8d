// SPDX-License-Identifier: MIT
// The studio's sample graphs, in Node as they are: each is short, and its stories fit it.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Command, MemorySaver } from "weftgraph";
import { DemoModel } from "weftgraph/models/demo";
import { plannerModel } from "../../web-demo/src/models/planner.js";
import { SAMPLES } from "../../web-demo/src/samples/index.js";
import { flaky } from "../../web-demo/src/samples/flaky.js";
import { makeOrders } from "../../web-demo/src/samples/orders.js";
import { research } from "../../web-demo/src/samples/research.js";
import { review } from "../../web-demo/src/samples/review.js";
import { team } from "../../web-demo/src/samples/team.js";

const MOST_LINES = 60;
const planned = makeOrders(plannerModel());
const GRAPHS = { orders: planned, research, review, flaky, team };
const EXPECTED = {
  "Order 3 teapots": /^asks {"item":"teapots","quantity":3}$/,
  "Two orders at once": /^asks {"item":"lamps","quantity":2} {"item":"candles","quantity":5}$/,
  "Read up on tea": /^20 sources were read$/,
  "Read up on bridges": /^20 sources were read$/,
  "A note on tea": /^asks A few words about tea\.$/,
  "A note on the sea": /^asks A few words about the sea\.$/,
  "A usual day": /try 3; 7 in stock/,
  "An outage": /try 3; about 5 in stock/,
  "A trip to Lisbon": /10:40 to Lisbon/,
  "A trip to Trieste": /10:40 to Trieste/,
};
let threads = 0;
const newThread = () => ({ configurable: { thread_id: String(++threads) } });

for (const { graph, file, stories } of SAMPLES)
  test(`${graph} is short, and each of its stories comes to what it shows`, async () => {
    const source = readFileSync(new URL(`../../web-demo/src/${file}`, import.meta.url), "utf8");
    assert.ok(source.trimEnd().split("\n").length < MOST_LINES, file);
    const sample = GRAPHS[graph];
    sample.checkpointer = new MemorySaver();
    await Promise.all(
      stories.map(async ({ title, input }) => {
        const { __interrupt__: asked, ...values } = await sample.invoke(input, newThread());
        const questions = asked?.map(({ value }) => value.canonical ?? value.draft).join(" ");
        const said = values.answer ?? values.result ?? values.messages?.at(-1).content;
        assert.match(asked === undefined ? said : `asks ${questions}`, EXPECTED[title], title);
      }),
    );
  });

test("the order desk runs without the demo's planner, too", async () => {
  const orders = makeOrders(new DemoModel());
  orders.checkpointer = new MemorySaver();
  const out = await orders.invoke({ messages: "Please order 3 cups" }, newThread());
  assert.deepEqual(out.__interrupt__[0].value.action_request.args, { item: "cups", quantity: 3 });
});

test("the writer changes its text as it is told, until it is published", async () => {
  review.checkpointer = new MemorySaver();
  const thread = newThread();
  await review.invoke({ topic: "tea" }, thread);
  const changed = await review.invoke(new Command({ resume: "mention honey" }), thread);
  assert.match(changed.__interrupt__[0].value.draft, /Now mention honey\.$/);
  const { draft } = await review.invoke(new Command({ resume: "Publish" }), thread);
  assert.match(draft, /^Published: .* Now mention honey\.$/);
});

test("the team's next turn begins with the writer, who hands it back to the desk", async () => {
  team.checkpointer = new MemorySaver();
  const thread = newThread();
  await team.invoke({ messages: "Plan a trip to Lisbon" }, thread);
  const { messages } = await team.invoke({ messages: "Plan a trip to Trieste" }, thread);
  assert.match(messages.at(-1).content, /10:40 to Trieste/);
});
