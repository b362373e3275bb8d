// SPDX-License-Identifier: MIT
// The kinds of channel stand in C's table; JavaScript declares the same ones.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as channels from "weftgraph/channels";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const words = [...read("src/channel/kinds.def").matchAll(/^X\(\w+, "(\w+)"\)/gm)].map(
  ([, word]) => word,
);

test("the declarations name every kind of the engine that a class can have", () => {
  const [, union] = /export type ChannelKind =([^;]+);/.exec(read("js/types/state/state.d.ts"));
  const declared = [...union.matchAll(/"(\w+)"/g)].map(([, word]) => word);
  // "messages" is a reducer's, not a class's: channelDefinition makes it of "binop".
  assert.deepEqual([...declared, "messages"].sort(), [...words].sort());
});

test("each exported channel has a kind that the engine knows", () => {
  const made = [
    new channels.LastValue(),
    new channels.BinaryOperatorAggregate((left, right) => left + right),
    new channels.EphemeralValue(),
    new channels.AnyValue(),
    new channels.Topic(),
    new channels.Topic({ unique: true }),
    new channels.UntrackedValueChannel(),
    new channels.NamedBarrierValue(new Set(["a"])),
  ];
  for (const channel of made)
    assert.ok(words.includes(channel.kind), `${channel.lc_graph_name} is "${channel.kind}"`);
});

test("the engine's documentation lists the kinds", () => {
  const [, list] = /"name", "kind": ([^,]+),/.exec(read("wasm/README.md"));
  const listed = [...list.matchAll(/"(\w+)"/g)].map(([, word]) => word);
  assert.deepEqual(listed.sort(), [...words].sort());
});
