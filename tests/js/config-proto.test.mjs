// SPDX-License-Identifier: MIT
// Serves: R12 (input is hostile): a config that was read from JSON may have a key "__proto__". It
// is a key like any other: it sets no prototype, wherever configs, their metadata and their limits
// are merged.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
import { ScriptedModel } from "weftgraph/models/scripted";
import { mergeConfigs } from "../../js/base/merge-configs.js";

const hostile = (text) => JSON.parse(`{ "__proto__": ${text} }`);
const State = Annotation.Root({ a: Annotation() });
const one = (node) =>
  new StateGraph(State)
    .addNode("x", node)
    .addEdge(START, "x")
    .compile({ checkpointer: new MemorySaver() });

test("a key __proto__ sets no prototype of the merged config, nor of what is in it", () => {
  const merged = mergeConfigs(
    { configurable: { a: 1 } },
    {
      ...hostile('{ "recursionLimit": 1, "signal": 1 }'),
      configurable: hostile('{ "thread_id": "other" }'),
      metadata: hostile('{ "x": 1 }'),
    },
  );
  assert.equal(Object.getPrototypeOf(merged), Object.prototype);
  assert.equal(merged.recursionLimit, undefined);
  assert.equal(merged.configurable.thread_id, undefined);
  assert.equal(merged.metadata.x, undefined);
});

test("a call with such a config runs on its own thread, with its own limits and metadata", async () => {
  const seen = [];
  const app = one((state, config) => {
    seen.push(
      config.recursionLimit,
      config.configurable.thread_id,
      config.metadata.sly,
      config.configurable.sly,
      config.context,
    );
    return {};
  }).withConfig({ metadata: { mine: 1 } });
  const told = [];
  const handler = {
    handleChainStart: (_chain, _input, _id, _parent, _tags, metadata) =>
      told.push(metadata.sly, Object.getPrototypeOf(metadata)),
  };
  const config = {
    ...hostile('{ "recursionLimit": 1, "context": "sly" }'),
    configurable: { thread_id: "1", ...hostile('{ "sly": 1 }') },
    metadata: hostile('{ "sly": 1 }'),
    callbacks: [handler],
  };
  await app.invoke({ a: 1 }, config);
  assert.deepEqual(seen, [25, "1", undefined, undefined, undefined]);
  assert.ok(told.length >= 4);
  for (const [at, value] of told.entries())
    assert.equal(value, at % 2 === 0 ? undefined : Object.prototype);
  const { metadata } = await app.getState({ configurable: { thread_id: "1" } });
  assert.equal(metadata.sly, undefined);
});

test("such limits are refused, not taken from a prototype", async () => {
  const app = one(() => ({}));
  await assert.rejects(
    app.invoke(
      { a: 1 },
      { configurable: { thread_id: "1" }, limits: hostile('{ "modelCalls": "none" }') },
    ),
    { code: "BAD_ARGUMENT" },
  );
});

test("a model called in a node with such options keeps the node's config", async () => {
  const llm = new ScriptedModel({ responses: ["x"], loop: true });
  const app = one(
    async () => (await llm.invoke("x", hostile('{ "signal": "sly", "sly": 1 }')), {}),
  );
  await app.invoke({ a: 1 }, { configurable: { thread_id: "1" } });
  const [{ options }] = llm.calls;
  assert.equal(Object.getPrototypeOf(options), Object.prototype);
  assert.equal(options.sly, undefined);
});
