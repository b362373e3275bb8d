// SPDX-License-Identifier: MIT
// RemoteGraph and a server that answers wrongly, breaks off or is not there: what both packages say
// of it, and what they ask again.
import { createServer } from "node:http";
import { RemoteGraph as Theirs } from "@langchain/langgraph/remote";
import { RemoteGraph as Ours } from "weftgraph/remote";
import { chain, thread } from "./harness.mjs";
import { drain, same } from "./surface.mjs";

const { setTimeout } = globalThis;
const THREAD = thread("t");

/** A server that answers the nth request by the nth answer, or the last. */
async function serve(answers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    requests.push([
      request.method,
      request.url,
      request.headers["last-event-id"],
      body === "" ? undefined : JSON.parse(body),
    ]);
    (answers[requests.length - 1] ?? answers.at(-1))(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

/** Runs a program against such a server; nobody waits before it is asked again. */
function remote(title, answers, program) {
  same(title, async (lib, t) => {
    const server = await serve([answers].flat());
    globalThis.setTimeout = (call, ms, ...rest) => setTimeout(call, ms >= 800 ? 1 : ms, ...rest);
    try {
      await program(
        new (t.isPeer ? Theirs : Ours)({ graphId: "agent", url: server.url }),
        t,
        lib,
        server,
      );
      t.note("asked", server.requests);
    } finally {
      globalThis.setTimeout = setTimeout;
      server.close();
    }
  });
}

const answer =
  (text, { status = 200, type = "application/json" } = {}) =>
  (response) =>
    response.writeHead(status, { "content-type": type }).end(text);
const events = (text, headers) => (response) =>
  response.writeHead(200, { "content-type": "text/event-stream", ...headers }).end(text);
const breaking = (text, headers) => (response) => {
  response.writeHead(200, { "content-type": "text/event-stream", ...headers }).write(text);
  setTimeout(() => response.destroy(), 5);
};
const event = (name, data) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** JSON that cannot be read is no slip of the program. @param {any} error */
function told(error) {
  throw error instanceof SyntaxError ? new Error(`no JSON: ${error.message}`) : error;
}

/** What is asked of a graph on a server. */
const ASK = {
  invoke: (graph) => graph.invoke({ a: 1 }, THREAD),
  stream: (graph) => drain(graph.stream({ a: 1 }, THREAD)),
  getState: (graph) => graph.getState(THREAD),
  updateState: (graph) => graph.updateState(THREAD, { a: 1 }).catch((error) => error.name),
  history: (graph) => drain(graph.getStateHistory(THREAD)),
};

const BODIES = {
  "nothing of it": "{}",
  "half a state": '{"values":{"a":1},"tasks":[]}',
  "bad JSON": "{bad",
  "a text": "hello",
  "an empty checkpoint": '{"checkpoint":{},"values":{},"tasks":[],"parent_checkpoint":{}}',
  "a checkpoint of a thread":
    '{"checkpoint":{"thread_id":"z"},"values":{},"tasks":[{"id":"1","name":"n","interrupts":[],"checkpoint":{"checkpoint_id":"c"}}]}',
  "no tasks": '{"values":null}',
  "tasks without interrupts": '{"values":{},"tasks":[{"id":"1","name":"n"}]}',
};
for (const [name, ask] of Object.entries(ASK)) {
  for (const status of [400, 403, 422])
    remote(`${name}: status ${status}`, answer("no", { status }), (graph, t) =>
      t.try("gives", () => ask(graph)),
    );
  for (const [title, body] of Object.entries(BODIES))
    remote(`${name}: ${title}`, answer(body), (graph, t) =>
      t.try("gives", () => ask(graph).catch(told)),
    );
  remote(
    `${name}: nobody is there`,
    (response) => response.destroy(),
    (graph, t) => t.try("gives", () => ask(graph)),
  );
}
remote(
  "a stream without a body",
  (response) => response.writeHead(204).end(),
  (graph, t) => t.try("gives", () => ASK.invoke(graph)),
);

const PLACES = [
  { thread_id: "t" },
  { thread_id: "t", checkpoint_ns: "" },
  { thread_id: "t", checkpoint_id: "k" },
  { thread_id: "t", checkpoint_map: { q: 1 } },
  { foo: 1 },
];
const CHECKPOINTS = [
  null,
  {},
  { checkpoint_ns: "n" },
  { checkpoint_map: null },
  { thread_id: "z", checkpoint_ns: "", checkpoint_id: "c", other: 1 },
];
for (const checkpoint of CHECKPOINTS) {
  remote(`configs of the checkpoint ${JSON.stringify(checkpoint)}`, answer(""), async (_, t) => {
    const state = {
      values: 1,
      next: [],
      tasks: [{ id: "1", name: "n", interrupts: [], checkpoint }],
      checkpoint,
      parent_checkpoint: checkpoint,
    };
    const threads = {
      getState: async () => state,
      getHistory: async () => [state],
      updateState: async () => ({ checkpoint }),
    };
    const graph = new (t.isPeer ? Theirs : Ours)({
      graphId: "a",
      client: /** @type {any} */ ({ threads }),
    });
    for (const configurable of PLACES) {
      await t.try("state", () => graph.getState({ configurable }));
      await t.try("history", () => drain(graph.getStateHistory({ configurable })));
      await t.try("update", () =>
        graph.updateState({ configurable }, {}, "n").catch((error) => error.name),
      );
    }
  });
}

const STREAMS = {
  "a name without data": "event: values\n\n",
  "data without a name": 'data: {"a":1}\n\n',
  null: event("values", null),
  "an error without data": "event: error\n\n",
  "an error that is null": event("error", null),
  "an error that is a number": event("error", 5),
  "an update that is null": event("updates", null),
  "a question that is null": event("updates", { __interrupt__: null }),
  "a list of lines": 'event: values\ndata: {"a":\ndata: 1}\n\n',
  "a byte order mark": `\ufeff${event("values", { a: 1 })}`,
  "no last line": 'event: values\ndata: {"a":1}',
  "a retry": `retry: 5\n${event("values", { a: 1 })}`,
};
for (const [title, text] of Object.entries(STREAMS)) {
  remote(`a stream with ${title}`, events(text), async (graph, t, lib) => {
    for (const streamMode of ["values", ["values", "updates"], undefined])
      await t.stream(graph, { a: 1 }, { ...THREAD, streamMode }, { fallible: true });
    await t.invoke(graph, { a: 1 }, THREAD);
    await t.invoke(chain(lib, { r: graph }), { a: 1 }, THREAD);
  });
}

remote("a stream with bad JSON", events("event: values\ndata: {bad\n\n"), (graph, t) =>
  t.try("gives", () => graph.invoke({ a: 1 }, THREAD).catch(told)),
);

const AT = { location: "/threads/t/runs/r/stream" };
const ONE = 'id: 1\nevent: values\ndata: {"a":1}\n\n';
const REST = [events('id: 2\nevent: values\ndata: {"a":2}\n\n')];
const BROKEN = {
  "is taken up again": [breaking(ONE, AT), ...REST],
  "broke within an event": [breaking(`${ONE}id: 2\nevent: values\ndata: {"a"`, AT), ...REST],
  "before its first event": [breaking(": hi\n\n", AT), ...REST],
  "breaks again, elsewhere": [
    breaking(ONE, AT),
    breaking('id: 2\nevent: values\ndata: {"a":2}\n\n', { location: "/other" }),
    ...REST,
  ],
  "breaks each time before it tells anything new": [breaking(ONE, AT), breaking(": hi\n\n", AT)],
  "breaks again and again, and goes on": [
    ...Array.from({ length: 9 }, (_, index) =>
      breaking(`id: ${index}\nevent: values\ndata: {"a":${index}}\n\n`, AT),
    ),
    ...REST,
  ],
  "is gone": [breaking(ONE, AT), answer("gone", { status: 404 })],
  "goes on after a failure": [breaking(ONE, AT), answer("busy", { status: 503 }), ...REST],
  "goes on as something else": [breaking(ONE, AT), answer("{}")],
  "and ends while the run goes on": [
    breaking(ONE, AT),
    ...REST,
    answer('{"status":"running"}'),
    events('id: 3\nevent: values\ndata: {"a":3}\n\n'),
    answer('{"status":"success"}'),
  ],
  "and ends, by its own words": [breaking(ONE, AT), events("id: 2\nevent: end\ndata: null\n\n")],
  "and ends again and again while the run waits": [
    breaking(ONE, AT),
    ...Array.from({ length: 6 }, () => [events(""), answer('{"status":"pending"}')]).flat(),
  ],
  "and ends, of a run that nobody knows": [
    breaking(ONE, AT),
    ...REST,
    answer("{}", { status: 404 }),
  ],
  "nobody says where it goes on": [breaking(ONE), ...REST],
};
for (const [title, answers] of Object.entries(BROKEN)) {
  remote(`a stream that broke off ${title}`, answers, async (graph, t) => {
    const seen = [];
    await t.try("ends", async () => {
      for await (const chunk of await graph.stream({ a: 1 }, { ...THREAD, streamMode: "values" }))
        seen.push(chunk);
    });
    t.note("seen", seen);
  });
}

for (const timeout of [0, -1, null])
  remote(`a timeout of ${timeout}`, events(""), (graph, t) =>
    t.invoke(graph, { a: 1 }, { timeout }),
  );
remote("fields that are null", events(event("values", { a: 1 })), async (graph, t) => {
  await t.invoke(graph, { a: 1 }, { context: null, recursionLimit: null });
  await t.try("state", () => graph.getState(THREAD, null).catch((error) => error.name));
  t.note("name", [graph.name, new graph.constructor({ graphId: "g", name: "mine" }).getName()]);
});
