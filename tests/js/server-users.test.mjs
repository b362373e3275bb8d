// SPDX-License-Identifier: MIT
// Serves docs/guides/server.md: with `authenticate` each user has a store of their own, the same
// one by requests and in graphs.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { InMemoryStore as PeerStore } from "@langchain/langgraph-checkpoint";
import { Annotation, InMemoryStore, START, StateGraph, getStore, tool } from "weftgraph";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { FileSaver } from "weftgraph/savers/file";
import { createServer } from "weftgraph/server";
import { SaverStore } from "weftgraph/stores/saver";
import { URL_OF_SERVER } from "./server-graphs.mjs";

const State = Annotation.Root({
  write: Annotation,
  read: Annotation,
  found: Annotation,
});

/** Writes a value if it is given one, and tells what it finds in the store. */
const notes = (options) =>
  new StateGraph(State)
    .addNode("note", async ({ write, read = "mine" }, config) => {
      const store = config.store ?? getStore();
      if (write !== undefined) await store.put(["notes"], "mine", { text: write });
      const [item, items] = await Promise.all([store.get(["notes"], read), store.search([])]);
      return {
        read: item && [item.namespace, item.value.text],
        found: items.map(({ namespace, value }) => [...namespace, value.text]),
      };
    })
    .addEdge(START, "note")
    .compile(options);

/** Ann, Bob and others of a server whose clients say who they are. */
function usersOf(options) {
  const server = createServer({
    graphs: { notes: notes() },
    registry: new InMemoryStore(),
    authenticate: (request) => request.headers.get("x-user"),
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  return (user) => {
    const ask = async (method, path, body) => {
      const response = await server.fetch(`${URL_OF_SERVER}${path}`, {
        method,
        headers: { "x-user": user },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, body: text && JSON.parse(text) };
    };
    return {
      ask,
      run: async (input = {}, more = {}) =>
        (await ask("POST", "/runs/wait", { assistant_id: "notes", input, ...more })).body,
      put: (text, key = "mine", namespace = ["notes"]) =>
        ask("PUT", "/store/items", { namespace, key, value: { text } }),
      get: async () => (await ask("GET", "/store/items?namespace=notes&key=mine")).body,
      all: async (prefix = []) =>
        (await ask("POST", "/store/items/search", { namespace_prefix: prefix })).body.items,
      namespaces: async (more = {}) =>
        (await ask("POST", "/store/namespaces", more)).body.namespaces,
    };
  };
}

const folder = mkdtempSync(join(tmpdir(), "weft-users-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A store that has the methods, and no batches. */
function methodsOf(store) {
  const names = ["get", "put", "delete", "search", "listNamespaces"];
  return Object.fromEntries(names.map((name) => [name, store[name].bind(store)]));
}

for (const [name, makeStore] of [
  ["in memory", () => new InMemoryStore()],
  ["in files", () => new SaverStore(new FileSaver({ path: folder }))],
  ["of LangGraph.js", () => new PeerStore()],
  ["with methods alone", () => methodsOf(new InMemoryStore())],
])
  test(`a store ${name}: what a graph keeps for one user, that user finds by requests, and no other`, async () => {
    const store = makeStore();
    const as = usersOf({ store });
    const [ann, bob] = [as("ann"), as("bob@example.com")];
    const kept = await ann.run({ write: "ann's" });
    assert.deepEqual(kept.found, [["notes", "ann's"]]);
    assert.deepEqual(await bob.run(), { read: null, found: [] });
    assert.equal(await bob.get(), null);
    assert.deepEqual(await bob.all(), []);
    assert.deepEqual(await bob.namespaces(), []);
    const found = await ann.get();
    assert.deepEqual([found.namespace, found.value], [["notes"], { text: "ann's" }]);
    // And the other way round.
    assert.equal((await bob.put("bob's")).status, 204);
    assert.deepEqual(await bob.run(), {
      read: [["notes"], "bob's"],
      found: [["notes", "bob's"]],
    });
    assert.deepEqual((await ann.run()).found, [["notes", "ann's"]]);
    assert.equal((await ann.get()).value.text, "ann's");
    const [item] = await bob.all(["notes"]);
    assert.deepEqual([item.namespace, item.key], [["notes"], "mine"]);
    await bob.ask("DELETE", "/store/items", { namespace: ["notes"], key: "mine" });
    assert.equal((await bob.run()).read, null);
    assert.equal((await ann.run()).read[1], "ann's");
  });

test("a graph's own store, and one that a function makes for each call, have users too", async () => {
  for (const graphs of [
    { notes: notes({ store: new InMemoryStore() }) },
    { notes: () => notes() },
  ]) {
    const as = usersOf({ graphs, store: new InMemoryStore() });
    await as("ann").run({ write: "ann's" });
    assert.deepEqual((await as("bob").run()).found, []);
    assert.deepEqual((await as("ann").run()).found, [["notes", "ann's"]]);
  }
});

test("a graph inside a graph has the user's store", async () => {
  const outer = new StateGraph(State).addNode("inner", notes()).addEdge(START, "inner").compile();
  const as = usersOf({ graphs: { notes: outer }, store: new InMemoryStore() });
  await as("ann").run({ write: "ann's" });
  assert.deepEqual((await as("bob").run()).found, []);
  assert.equal((await as("ann").get()).value.text, "ann's");
});

test("no name, namespace or condition leads to another user's items", async () => {
  const store = new InMemoryStore();
  const as = usersOf({ store });
  const ann = as("ann");
  await ann.put("secret");
  await ann.put("deep", "deep", ["users", "bob", "notes"]);
  for (const name of [
    "*",
    "ann.notes",
    "ann%2enotes",
    "%2a",
    "an",
    "Ann",
    "..",
    "__proto__",
    ".",
  ]) {
    const other = as(name);
    assert.deepEqual(await other.all(), [], name);
    for (const condition of [{}, { prefix: ["*"] }, { prefix: ["*", "*"] }, { suffix: ["notes"] }])
      assert.deepEqual(await other.namespaces(condition), [], name);
    assert.equal((await other.put(name)).status, 204);
    assert.deepEqual((await other.run()).found, [["notes", name]], name);
  }
  assert.deepEqual(await as("bob").all(), []);
  for (const prefix of [["users"], ["users", "ann"], ["*", "ann"]])
    assert.deepEqual(await as("bob").all(prefix), [], String(prefix));
  assert.deepEqual(
    (await ann.all()).map(({ namespace }) => namespace),
    [["notes"], ["users", "bob", "notes"]],
  );
  assert.deepEqual(await ann.namespaces({ max_depth: 1 }), [["notes"], ["users"]]);
  assert.deepEqual(await ann.namespaces({ prefix: ["users", "*"], suffix: ["notes"] }), [
    ["users", "bob", "notes"],
  ]);
  // Who the user is a client cannot say.
  const config = { configurable: { langgraph_auth_user_id: "ann" } };
  assert.deepEqual((await as("eve").run({}, { config })).found, []);
});

test("what a store cannot keep is refused, for a user with any name", async () => {
  const as = usersOf({ store: new InMemoryStore() });
  for (const user of ["ann", "a.b"])
    for (const namespace of [["langgraph", "x"], ["a.b"], [""], "text", [1], [["a"]]])
      assert.equal(
        (await as(user).put("x", "k", namespace)).status,
        422,
        JSON.stringify(namespace),
      );
  assert.equal((await as("ann").put("x", "k", [])).status, 400);
});

test("without authenticate, or where all share everything, a graph has the whole store", async () => {
  for (const authenticate of [undefined, () => true]) {
    const store = new InMemoryStore();
    const as = usersOf({ store, authenticate });
    await as("ann").run({ write: "shared" });
    assert.equal((await as("bob").get()).value.text, "shared");
    assert.equal((await store.get(["notes"], "mine")).value.text, "shared");
  }
});

test("decisions about a thread's calls are told to who owns it, and of other savers there are none", async () => {
  const ask = (server, user, path, body) =>
    server.fetch(`http://weft.local${path}`, {
      headers: { "x-user": user },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
  const pay = tool(() => "paid", { name: "pay", schema: { type: "object" }, approval: "ask" });
  const graph = createReactAgent({
    llm: new ScriptedModel({
      responses: [{ content: "", tool_calls: [{ name: "pay", id: "1", args: {} }] }, "Done."],
    }),
    tools: [pay],
  });
  const server = createServer({
    graphs: { graph },
    authenticate: (request) => request.headers.get("x-user"),
  });
  const run = (body) =>
    ask(server, "ann", "/threads/t/runs/wait", { assistant_id: "graph", ...body });
  await ask(server, "ann", "/threads", { thread_id: "t" });
  const asked = await (
    await run({ input: { messages: [{ role: "user", content: "pay" }] } })
  ).json();
  const [{ id }] = asked.__interrupt__;
  await (
    await run({ command: { resume: { [id]: { type: "response", args: "too dear" } } } })
  ).text();
  const [decision] = await (await ask(server, "ann", "/threads/t/decisions")).json();
  assert.equal(decision.type, "response");
  assert.equal(decision.answer.args, "too dear");
  assert.equal((await ask(server, "bob", "/threads/t/decisions")).status, 404);
});

const plain = () =>
  new StateGraph(State)
    .addNode("keep", ({ write }) => ({ found: write }))
    .addEdge(START, "keep")
    .compile();

test("a thread that has a state and no record is nobody's: no other user takes it over", async () => {
  const path = join(folder, "restarted");
  const make = () =>
    usersOf({ graphs: { notes: plain(), others: plain() }, saver: new FileSaver({ path }) });
  const run = { assistant_id: "notes", input: { write: "ann's" }, if_not_exists: "create" };
  const started = await make()("ann").ask("POST", "/threads/anns/runs/wait", run);
  assert.equal(started.status, 200);
  // Its list of threads was in memory.
  const again = make();
  for (const user of ["bob", "ann"]) {
    const { ask } = again(user);
    for (const [method, address, body] of [
      ["POST", "/threads", { thread_id: "anns" }],
      ["POST", "/threads", { thread_id: "anns", metadata: { graph_id: "others" } }],
      ["POST", "/threads", { thread_id: "anns", if_exists: "do_nothing" }],
      ["POST", "/threads/anns/runs/wait", { ...run, input: {} }],
      ["POST", "/threads/anns/commands", { id: 1, method: "run.start", params: run }],
      ["GET", "/threads/anns/state"],
    ]) {
      const { status, body: said } = await ask(method, address, body);
      assert.ok(status === 404 || said.type === "error", `${method} ${address}: ${status}`);
      assert.doesNotMatch(JSON.stringify(said), /ann's/);
    }
    assert.equal((await ask("POST", "/threads", { thread_id: `${user} new` })).status, 200);
  }
});

test("of two users who take a new thread's id at once one has it", async () => {
  const as = usersOf({
    graphs: { notes: plain() },
    saver: new FileSaver({ path: join(folder, "at-once") }),
  });
  const run = { assistant_id: "notes", input: {}, if_not_exists: "create" };
  const said = await Promise.all(
    ["ann", "bob"].map((user) => as(user).ask("POST", "/threads/new/runs/wait", run)),
  );
  assert.deepEqual(said.map(({ status }) => status).sort(), [200, 404]);
});
