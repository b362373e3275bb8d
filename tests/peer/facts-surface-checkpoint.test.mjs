// SPDX-License-Identifier: MIT
// What weftgraph/checkpoint has besides savers and stores: texts at paths, snapshots of
// DeltaChannels.
import * as langgraph from "@langchain/langgraph-checkpoint";
import * as weft from "weftgraph/checkpoint";
import { same } from "./surface.mjs";

const of = (t) => (t.isPeer ? langgraph : weft);
const OBJECT = {
  a: { b: [{ c: "c0", s: { t: "t0" }, f: ["f0", "f1"] }, { c: "c1" }], e: "s", g: ["g0", "g1"] },
  n: "n",
  five: 5,
  z: null,
  no: false,
  em: "",
  empty: [],
  list: ["p", "q", ["r"], { x: "lx" }],
  mixed: [null, "", 0, "x"],
  "{a": "brace",
  "": "empty",
  "*": "star",
  "a[0]": "lit",
  "x y": "sp",
  date: new Date(0),
};
const PATHS = [
  "",
  "$",
  "a",
  "n",
  "five",
  "z",
  "no",
  "em",
  "a.e",
  "a.b[0].c",
  "a.b[-1].c",
  "a.b[9].c",
  "a.b[*].c",
  "a.b[0].f[1]",
  "a.b[0].f[*]",
  "a.b[0].s.t",
  "a.g",
  "a.g[0]",
  "a.g[*]",
  "{n,em}",
  "{a.e,n}",
  "{a",
  "list[*]",
  "list[*].x",
  "list[*]x",
  "list[0",
  "list[0]x",
  "list[1e0]",
  "list[ 1 ]",
  "list[x]",
  "list[]",
  "list[]1]",
  "list[[1]]",
  "list[2][0]",
  "list.0",
  "list.*",
  "*",
  "a.*",
  "[0]",
  "a[0]",
  "a[*]",
  "five[*]",
  "z.x",
  "z[0]",
  "z[*]",
  "no[*]",
  "nope",
  "nope.x",
  "nope[0]",
  "nope[*]",
  "n[0]",
  "n[*]",
  "n.length",
  "x y",
  "date",
  "mixed[*]",
  "mixed[1]",
  "mixed[0].x",
  "a..e",
  ".n",
  "n.",
  undefined,
  null,
  5,
  {},
  ["a"],
];

same("texts at paths", async (_, t) => {
  const { getTextAtPath, tokenizePath } = of(t);
  for (const path of PATHS)
    await t.try(`parts of ${JSON.stringify(path)}`, async () => tokenizePath(path));
  for (const path of PATHS)
    await t.try(`texts at ${JSON.stringify(path)}`, async () => getTextAtPath(OBJECT, path));
  for (const value of [null, undefined, 5, "str", ["x", ["y"]]])
    for (const path of ["$", "0", "[0]", "0[0]", "0[*]"])
      await t.try(`${path} of ${value}`, async () => getTextAtPath(value, path));
});

same("snapshots of DeltaChannels", async (_, t) => {
  const { DeltaSnapshot, MemorySaver, isDeltaSnapshot } = of(t);
  const { serde } = new MemorySaver();
  const snapshot = new DeltaSnapshot([1, new Map([[2, 3]])]);
  t.note("fields", [Object.keys(snapshot), JSON.stringify(snapshot)]);
  t.note(
    "which",
    [
      snapshot,
      new DeltaSnapshot(),
      { lg_name: "DeltaSnapshot" },
      { lg_name: "x" },
      null,
      undefined,
      5,
      "DeltaSnapshot",
    ].map(isDeltaSnapshot),
  );
  const [type, bytes] = await serde.dumpsTyped({ at: snapshot });
  const back = await serde.loadsTyped(type, bytes);
  t.note("stored", [
    type,
    new TextDecoder().decode(bytes),
    back.at.value,
    back.at instanceof DeltaSnapshot,
  ]);
});

same("copies of half a checkpoint", async (_, t) => {
  for (const half of [
    {},
    { versions_seen: null, channel_values: null },
    { versions_seen: { a: null } },
    { versions_seen: { a: { b: 1 } }, channel_values: { x: 1 }, more: 1 },
  ]) {
    t.note(JSON.stringify(half), Object.entries(of(t).copyCheckpoint(half)));
  }
});

same("AsyncBatchedStore of another", async (_, t) => {
  const { AsyncBatchedStore, InMemoryStore } = of(t);
  const store = new InMemoryStore();
  t.note("the same", new AsyncBatchedStore(new AsyncBatchedStore(store)).store === store);
});
