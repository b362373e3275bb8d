// SPDX-License-Identifier: MIT
// What random programs of the rooms found, kept: each was a difference once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compare } from "./harness.mjs";
import * as state from "./random-state.mjs";
import * as subgraphs from "./random-subgraphs.mjs";
import * as travel from "./random-travel.mjs";
import * as work from "./random-work.mjs";

const task = { isAsync: false, asks: 0, fails: 0, isCached: false, returns: "text" };
const asking = { ...task, asks: 1 };
const failing = { ...task, fails: 1 };
const [zero, one, two] = [0, 1, 2].map((number) => ({ task: number, k: 0 }));
const all = (...of) => ({ do: "all", of });
const workflow = {
  tasks: [task, task, task],
  statements: [],
  fails: 0,
  saved: true,
  subgraphs: false,
  operations: [],
};

const node = { writes: [], isCached: false, isAsync: false, defer: false, asks: 0 };
const graph = {
  nodes: [node],
  edges: [],
  isHandled: false,
  frequency: 1,
  saved: true,
  operations: [],
};

const leaf = { writes: true, asks: 0, isAsync: false };
const inside = (nodes, more) => ({ inside: { nodes, isBeside: false, ...more }, how: "node" });
const tree = { subgraphs: true, operations: [] };

const stop = {
  nodes: [{ writes: ["log"], asks: 0, isAsync: false, fails: 0 }],
  edges: [],
  operations: [],
};

const found = [
  [
    travel,
    {
      "history of a named checkpoint is that one, if it is before the other": {
        ...stop,
        operations: [0, 1, 2].flatMap((back) =>
          [0, 1, 2].map((before) => ({ back, what: { op: "history", before } })),
        ),
      },
    },
  ],
  [
    subgraphs,
    {
      "of two calls of a graph each has its own graph with one namespace": {
        ...tree,
        root: {
          nodes: [{ ...inside([inside([leaf], { saver: true })]), how: "twice" }],
          isBeside: false,
        },
        operations: [{ op: "input" }],
      },
      "who goes on from a checkpoint inside travels in time, from the newest one too": {
        ...tree,
        root: { nodes: [inside([leaf, { ...leaf, asks: 1 }])], isBeside: false },
        operations: [{ op: "fork", of: 0, back: 0 }],
      },
      "of two Sends that ask inside, the last is asked above": {
        ...tree,
        root: {
          nodes: [
            inside([inside([{ ...leaf, up: { to: 0, isSend: true } }]), { ...leaf, asks: 1 }]),
          ],
          isBeside: false,
        },
        operations: [{ op: "resume" }, { op: "answer", which: 1 }],
      },
    },
  ],
  [
    state,
    {
      "an untracked value ends with its run": {
        ...graph,
        nodes: [{ ...node, writes: ["untracked"] }],
        operations: [
          { op: "resume" },
          { op: "update", as: 0 },
          { op: "input", thread: 0, same: true },
        ],
      },
      "an Overwrite that waited for a neighbour's answer is shown as one": {
        ...graph,
        nodes: [node, { ...node, overwrites: "log" }, { ...node, asks: 1 }],
        edges: [
          [0, 1],
          [0, 2],
        ],
        operations: [{ op: "go on" }, { op: "resume" }],
      },
      "two Overwrites of a channel behind one that the host was asked about": {
        ...graph,
        nodes: [
          { ...node, sends: 0 },
          { ...node, writes: ["own"], overwrites: "log", asks: 1 },
          { ...node, isCached: true, sends: 1 },
        ],
        edges: [
          [1, 0],
          [0, 2],
        ],
        isHandled: true,
      },
    },
  ],
  [
    work,
    {
      "the state of an entrypoint that returned nothing is null": { ...workflow, final: "save" },
      "who goes on after one call begins the next before the first one is shown": {
        ...workflow,
        statements: [
          { do: "call", ...zero },
          { do: "call", ...one },
        ],
      },
      "calls that end together are shown one by one": {
        ...workflow,
        statements: [all(zero, one, two), all(zero, one)],
      },
      "a call that asks ends with its caller": {
        ...workflow,
        tasks: [asking, task, task],
        statements: [{ do: "work", of: zero }],
        subgraphs: true,
        operations: [{ op: "resume" }],
      },
      "a call that asks ends with its caller, also inside another call": {
        ...workflow,
        tasks: [asking, { ...task, calls: 0 }, task],
        statements: [all(one, zero)],
        operations: [{ op: "resume" }, { op: "resume" }],
      },
      "calls that fail together are thrown together": {
        ...workflow,
        tasks: [failing, { ...failing, isAsync: true }, task],
        statements: [all(zero, one)],
      },
      "calls that fail together, beside one that asks": {
        ...workflow,
        tasks: [asking, task, failing],
        statements: [all(two, two, zero)],
      },
      "what returns while a call beside it fails is kept": {
        ...workflow,
        tasks: [task, failing, task],
        statements: [all(zero, one, two)],
        operations: [{ op: "go on" }],
      },
      "what a call of an entrypoint inside returned before is shown as kept": {
        ...workflow,
        tasks: [task, task, { ...asking, calls: 0 }],
        statements: [{ do: "work", of: two }],
        subgraphs: true,
        operations: [{ op: "resume" }],
      },
      "an answer counts for the first step of an entrypoint inside too": {
        ...workflow,
        tasks: [asking, task, task],
        statements: [
          { do: "call", ...zero },
          { do: "work", of: zero },
        ],
        operations: [{ op: "resume" }],
      },
      "of two calls that call, the one whose call asks is heard before the one whose call returns":
        {
          ...workflow,
          tasks: [asking, task, { ...asking, calls: 0 }],
          statements: [all(two, two)],
          operations: [{ op: "resume by id", of: 0 }],
        },
      "answers of calls are given again when the newest checkpoint is named": {
        ...workflow,
        tasks: [asking, task, task],
        statements: [all(zero, zero)],
        operations: [
          { op: "resume by id", of: 0 },
          { op: "replay", back: 0 },
        ],
      },
    },
  ],
];

for (const [room, specs] of found) {
  for (const [title, spec] of Object.entries(specs)) {
    test(title, async () => {
      const difference = await compare(room.programOf(spec));
      if (difference !== undefined)
        assert.fail(`Weft (+) differs from LangGraph.js (-):\n${difference}`);
    });
  }
}
