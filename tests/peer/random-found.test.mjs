// SPDX-License-Identifier: MIT
// What random graphs found, kept: each was a difference once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compare } from "./harness.mjs";
import { programOf } from "./random-graphs.mjs";

const plain = { writes: [], form: "object", goto: [], asks: 0, isAsync: false, defer: false };
const one = { writes: false, asks: 0, isAsync: false, fails: 0 };
const graph = {
  entries: [0],
  edges: [],
  joins: [],
  branches: [],
  saved: true,
  subgraphs: false,
  operations: [],
};
const own = (more) => ({ nodes: [{ ...one, ...more }], how: "node", saver: true, beside: false });
const handled = { fails: 1, isSlow: false, handler: { asks: 0, isAsync: false } };

const healed = { fails: 2, attempts: 3, isSlow: false };

const found = {
  "two handled failures in one turn, with tasks shown": {
    ...graph,
    entries: [0, 1],
    nodes: [
      { ...plain, fault: handled },
      { ...plain, fault: handled },
    ],
  },
  "the handler of what a Send called is shown with the Send's argument": {
    ...graph,
    nodes: [
      { ...plain, goto: [{ send: 1, k: 0 }] },
      { ...plain, fault: handled },
    ],
  },
  "after an answer by id, a graph with a namespace of its own takes its input in the next step": {
    ...graph,
    nodes: [{ ...plain, inside: own({ asks: 1 }) }],
    edges: [[0, 0]],
    operations: [{ op: "resume by id", of: 0 }],
  },
  "an answer that failed to reach its question is there when another one is answered by id": {
    ...graph,
    nodes: [
      { ...plain, inside: own({ asks: 2 }) },
      { ...plain, asks: 1 },
    ],
    entries: [0, 1],
    failing: 1,
    operations: [{ op: "resume" }, { op: "resume by id", of: 0 }],
  },
  "time travel to an edited checkpoint shows what its tasks asked": {
    ...graph,
    nodes: [{ ...plain, asks: 1 }],
    operations: [{ op: "update" }, { op: "go on" }, { op: "replay", back: 0 }],
  },
  "time travel to a fork shows what its tasks wrote": {
    ...graph,
    entries: [2],
    nodes: [plain, plain, { ...plain, asks: 1 }],
    operations: [{ op: "update" }, { op: "replay", back: 2 }, { op: "replay", back: 1 }],
  },
  "a checkpoint inside under durability exit is the one that its run began with": {
    ...graph,
    nodes: [{ ...plain, inside: { ...own(), saver: undefined } }],
    subgraphs: true,
    durability: "exit",
  },
  "a task that took an answer and left for the parent shows its updates": {
    ...graph,
    nodes: [
      { ...plain, defer: true, inside: { ...own({ asks: 1, parent: 0 }), saver: undefined } },
    ],
    subgraphs: true,
    operations: [{ op: "resume by id", of: 0 }],
  },
  "in time travel each call of one task goes back by itself": {
    ...graph,
    nodes: [{ ...plain, inside: { ...own(), how: "call", beside: true } }],
    subgraphs: true,
    before: [0],
    operations: [{ op: "resume" }, { op: "input" }, { op: "go on" }, { op: "replay", back: 4 }],
  },
  "answers of a finished task are given again when the newest checkpoint is named": {
    ...graph,
    nodes: [
      { ...plain, writes: ["last"], asks: 2 },
      { ...plain, writes: ["last"] },
    ],
    entries: [0, 1],
    operations: [{ op: "resume" }, { op: "go on" }, { op: "replay", back: 0 }],
  },
  "a graph in a second attempt has a namespace of its own": {
    ...graph,
    nodes: [
      {
        ...plain,
        asks: 1,
        inside: { ...own({ asks: 1, fails: 1 }), saver: undefined },
        fault: { fails: 1, attempts: 3, isSlow: false },
      },
    ],
    after: "*",
    subgraphs: true,
    operations: [{ op: "go on" }, { op: "resume" }],
  },
  "messages of many nodes that end together": {
    ...graph,
    nodes: [plain, plain, { ...plain, writes: ["messages"] }],
    failing: 2,
    operations: [{ op: "resume" }],
    edges: [[1, 0]],
    branches: [
      { from: 1, options: [[{ to: 2 }]], salt: 0 },
      { from: 2, options: [[{ send: 0, k: 0 }]], salt: 0 },
      { from: 0, options: [[{ send: 0, k: 0 }, { to: 1 }]], salt: 0 },
    ],
  },
  "messages of many nodes before a breakpoint": {
    ...graph,
    nodes: [
      {
        ...plain,
        writes: ["messages"],
        goto: [
          { send: 0, k: 0 },
          { send: 0, k: 0 },
        ],
      },
    ],
    branches: [{ from: 0, options: [[{ send: 0, k: 0 }]], salt: 0 }],
    before: [0],
    operations: [{ op: "go on" }, { op: "resume" }, { op: "command" }],
  },
  "of many Sends, those that go on end later": {
    ...graph,
    nodes: [{ ...plain, goto: [{ to: 0 }, { send: 0, k: 0 }] }],
    branches: [{ from: 0, options: [[{ send: 0, k: 0 }]], salt: 0 }],
  },
  "a neighbour that asks later is asked about in its place": {
    ...graph,
    nodes: [
      { ...plain, asks: 1 },
      { ...plain, asks: 1, isAsync: true },
      plain,
      { ...plain, asks: 1 },
    ],
    entries: [0, 3, 1],
  },
  "questions come before what neighbours wrote": {
    ...graph,
    nodes: [{ ...plain, asks: 1 }, plain, { ...plain, asks: 1 }, plain, { ...plain, asks: 1 }],
    entries: [2, 0, 4],
    operations: [{ op: "command", to: 1 }],
  },
  "a Command that waited ends behind an object that waited": {
    ...graph,
    entries: [1],
    nodes: [
      plain,
      {
        ...plain,
        goto: [
          { send: 0, k: 0 },
          { send: 3, k: 0 },
        ],
        isAsync: true,
      },
    ],
    joins: [{ from: [0, 5], to: 3 }],
    branches: [{ from: 0, options: [[]], salt: 0 }],
  },
  "of many that go on, each is shown in its own turn": {
    ...graph,
    entries: [0],
    nodes: [plain, { ...plain, isAsync: true }, { ...plain, goto: [{ send: 1, k: 0 }] }, plain],
    edges: [
      [5, 0],
      [0, 2],
    ],
    branches: [{ from: 1, options: [[{ send: 5, k: 0 }]], salt: 0 }],
  },
  "another attempt does not wait for the neighbours": {
    ...graph,
    nodes: [{ ...plain, fault: healed }, plain, plain, plain],
    entries: [0, 5],
    failing: 1,
  },
  "another attempt does not wait for a neighbour that an edit called": {
    ...graph,
    nodes: [plain, { ...plain, fault: healed }],
    entries: [3],
    failing: 0,
    before: [1],
    operations: [{ op: "command", to: 0 }],
  },
  "another attempt of a later node does not wait either": {
    ...graph,
    nodes: [plain, { ...plain, fault: healed }, plain],
    entries: [1, 5],
    failing: 5,
  },
  "a Send and a node that a condition called": {
    ...graph,
    nodes: [{ ...plain, goto: [{ send: 0, k: 0 }] }, plain],
    branches: [{ from: 0, options: [[{ to: 0 }, { to: 3 }]], salt: 0 }],
    failing: 0,
    operations: [{ op: "resume" }],
  },
  "what waited has its place among neighbours with conditions": {
    ...graph,
    entries: [5],
    nodes: [
      plain,
      {
        ...plain,
        goto: [
          { send: 2, k: 0 },
          { send: 0, k: 0 },
        ],
      },
      plain,
      { ...plain, isAsync: true },
    ],
    branches: [
      { from: 0, options: [[]], salt: 0 },
      { from: 1, options: [[{ send: 1, k: 0 }]], salt: 0 },
      { from: 2, options: [[{ to: 0 }, { send: 3, k: 0 }]], salt: 0 },
    ],
  },
  "of two that end in one turn the first is shown first": {
    ...graph,
    entries: [3],
    nodes: [
      plain,
      plain,
      { ...plain, form: "null", isAsync: true },
      { ...plain, goto: [{ to: 1 }, { to: 3 }] },
    ],
    edges: [[1, 2]],
  },
  "a list and a Command that end in one turn": {
    ...graph,
    entries: [2, 5],
    nodes: [
      plain,
      { ...plain, form: "list" },
      { ...plain, goto: [{ to: 0 }], isAsync: true },
      plain,
    ],
    edges: [
      [2, 0],
      [5, 0],
    ],
  },
  "a handler ends before a neighbour with a condition": {
    ...graph,
    entries: [0, 1, 2],
    nodes: [plain, { ...plain, fault: handled }, { ...plain, isAsync: true }, plain],
    branches: [{ from: 0, options: [[{ to: 3 }]], salt: 0 }],
  },
  "a handler that waits has its place among neighbours": {
    ...graph,
    entries: [0, 1, 2],
    nodes: [
      plain,
      { ...plain, fault: { ...handled, handler: { asks: 0, isAsync: true } } },
      { ...plain, isAsync: true },
      plain,
    ],
    branches: [{ from: 2, options: [[{ to: 3 }]], salt: 0 }],
    edges: [[0, 3]],
  },
};

for (const [title, spec] of Object.entries(found)) {
  test(title, async () => {
    const difference = await compare(programOf(spec));
    if (difference !== undefined)
      assert.fail(`Weft (+) differs from LangGraph.js (-):\n${difference}`);
  });
}
