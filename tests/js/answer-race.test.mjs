// SPDX-License-Identifier: MIT
// Two writers answer one question at the same time: one answer counts, the other is fenced before
// anything acts on it, also where they do not wait for each other. Serves: docs/reliability.md 1
// (promises 1 and 4) (a decision is single use), T7 (loser gets FENCED, no call executed twice).
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import {
  AIMessage,
  Annotation,
  Command,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
  tool,
} from "weftgraph";
import { ToolNode } from "weftgraph/prebuilt";
import { FileSaver } from "weftgraph/savers/file";

const State = Annotation.Root({
  log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});

function appOn(path, effects, saver = new FileSaver({ path })) {
  return new StateGraph(State)
    .addNode("order", async () => {
      const answer = interrupt("place it?");
      effects.push(answer);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { log: [`ordered ${answer}`] };
    })
    .addEdge(START, "order")
    .compile({ checkpointer: saver, multitaskStrategy: "concurrent" });
}

/** Savers of one folder that have all read the thread before the first of them writes. */
function saversAtOnce(path, count) {
  let arrived = 0;
  let open;
  const all = new Promise((resolve) => (open = resolve));
  return Array.from({ length: count }, () => {
    const saver = new FileSaver({ path });
    const append = saver.store.append.bind(saver.store);
    let met = false;
    saver.store.append = async (...given) => {
      if (!met && ++arrived === count) open();
      met = true;
      await all;
      return append(...given);
    };
    return saver;
  });
}

async function race(resumeFor) {
  const path = mkdtempSync(join(tmpdir(), "weft-race-"));
  const config = { configurable: { thread_id: "shop" } };
  try {
    const effects = [];
    const asked = await appOn(path, effects).invoke({ log: [] }, config);
    const [{ id }] = asked.__interrupt__;
    // Each compiled graph has a saver of its own: to the store they are two processes.
    const savers = saversAtOnce(path, 2);
    const ends = await Promise.allSettled(
      ["left", "right"].map((side, index) =>
        appOn(path, effects, savers[index]).invoke(
          new Command({ resume: resumeFor(id, side) }),
          config,
        ),
      ),
    );
    const won = ends.filter((end) => end.status === "fulfilled");
    const lost = ends.filter((end) => end.status === "rejected");
    assert.equal(won.length, 1, "one answer counts");
    assert.equal(lost[0].reason.code, "FENCED");
    assert.equal(effects.length, 1, "the effect happened once");
    assert.deepEqual(won[0].value.log, [`ordered ${effects[0]}`]);
    const state = await appOn(path, effects).getState(config);
    assert.deepEqual(state.values.log, [`ordered ${effects[0]}`]);
    assert.deepEqual(state.next, []);
  } finally {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

test("a plain answer from two writers at once acts once, ten times of ten", async () => {
  for (let i = 0; i < 10; i++) await race((id, side) => side);
});

test("an answer by id from two writers at once acts once, ten times of ten", async () => {
  for (let i = 0; i < 10; i++) await race((id, side) => ({ [id]: side }));
});

test("an answer that comes while the approved call runs elsewhere runs nothing; what became of the call is asked about", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-race-"));
  const config = { configurable: { thread_id: "shop" } };
  const accept = new Command({ resume: { type: "accept" } });
  const ran = [];
  const processOf = (name, work) => {
    const pay = tool(async () => (ran.push(name), await work?.(), `paid by ${name}`), {
      name: "pay",
      schema: { type: "object" },
      approval: "ask",
    });
    return new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode([pay]))
      .addEdge(START, "tools")
      .compile({ checkpointer: new FileSaver({ path }), multitaskStrategy: "concurrent" });
  };
  try {
    await processOf("asker").invoke(
      {
        messages: [
          new AIMessage({
            id: "ai",
            content: "",
            tool_calls: [{ name: "pay", args: {}, id: "1" }],
          }),
        ],
      },
      config,
    );
    let begun, end;
    const [working, ended] = [
      new Promise((resolve) => (begun = resolve)),
      new Promise((resolve) => (end = resolve)),
    ];
    const first = processOf("first", () => (begun(), ended)).invoke(accept, config);
    await working;
    const second = processOf("second");
    // The approval was used; a new one does not run what may have taken effect.
    await second.invoke(accept, config);
    const [{ id, value }] = (await second.invoke(accept, config)).__interrupt__;
    assert.equal(value.kind, "unknown_tool_call");
    end();
    await assert.rejects(first, { code: "FENCED" });
    assert.deepEqual(ran, ["first"]);
    const { messages } = await second.invoke(
      new Command({ resume: { [id]: { type: "response", args: "it was paid" } } }),
      config,
    );
    assert.deepEqual([messages.at(-1).content, ran], ["it was paid", ["first"]]);
  } finally {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
});
