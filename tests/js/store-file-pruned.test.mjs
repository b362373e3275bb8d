// SPDX-License-Identifier: MIT
// A writer whose commit is the log's already, and that others prune away, continue and prune, or
// put together with others, before it has looked: it is told that it won, or that nobody can tell,
// never that nothing was stored.
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Annotation, START, StateGraph } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import { sealSaver } from "weftgraph/savers/sealed";
import { putWith } from "./put-with.mjs";

const on = { configurable: { thread_id: "1" } };
const { link } = fs;
const graphOn = (checkpointer) =>
  new StateGraph(
    Annotation.Root({
      log: Annotation({ reducer: (all, more) => all.concat(more), default: () => [] }),
    }),
  )
    .addNode("node", () => ({}))
    .addEdge(START, "node")
    .compile({ checkpointer });

/** Others do not wait for it. */
const unasked = { ...on, multitaskStrategy: "concurrent" };

/** Lets `meanwhile` happen when the next commit has its name, and before its writer looks. */
function atLink(meanwhile) {
  fs.link = async (...args) => {
    fs.link = link;
    syncBuiltinESMExports();
    await link(...args);
    await meanwhile();
  };
  syncBuiltinESMExports();
}

const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, [
  "sign",
  "verify",
]);
const SAVERS = {
  plain: (path) => new FileSaver({ path }),
  signed: (path) => sealSaver(new FileSaver({ path }), { key }),
};

for (const [kind, open] of Object.entries(SAVERS)) {
  for (const [name, knows, meanwhile] of [
    ["pruned", kind === "plain", (other) => other.prune("1", { last: 1 })],
    [
      "continued and pruned",
      false,
      async (other) => (
        await graphOn(other).updateState(on, { log: ["other"] }), other.prune("1", { last: 1 })
      ),
    ],
  ]) {
    for (const [way, write] of [
      ["a graph", (saver) => graphOn(saver).updateState(unasked, { log: ["mine"] })],
      ["put", putWith(["first", "mine"])],
    ]) {
      test(`a commit of ${way} that is ${name} before its writer looks, ${kind}`, async (t) => {
        const path = await fs.mkdtemp(join(tmpdir(), "weft-pruned-"));
        t.after(() => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }));
        const saver = open(path);
        await graphOn(saver).updateState(on, { log: ["first"] });
        await graphOn(saver).updateState(on, { log: [] });
        atLink(() => meanwhile(open(path)));
        const told = await write(saver).then(
          () => "stored",
          (error) => [error.code, error.unknown],
        );
        assert.deepEqual(told, knows ? "stored" : ["STORE", true]);
        const { values } = await graphOn(open(path)).getState(on);
        assert.deepEqual(values.log, ["first", "mine", ...(name === "pruned" ? [] : ["other"])]);
        await graphOn(saver).updateState(on, { log: ["last"] });
        assert.deepEqual((await graphOn(open(path)).getState(on)).values.log, [
          ...values.log,
          "last",
        ]);
      });
    }
  }
}
