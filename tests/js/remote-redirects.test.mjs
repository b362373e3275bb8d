// SPDX-License-Identifier: MIT
// Serves: a server that redirects leads no request to another origin that nobody named, and learns
// no key there: apiKey and headers stay with the origin of `url`.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { RemoteGraph } from "weftgraph/remote";

/** [server, method, path, x-api-key, x-own, content-type, body] of each request. */
const asked = [];
let lead = () => undefined;
const servers = [];

async function serve(name) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const { "x-api-key": key, "x-own": own, "content-type": type } = request.headers;
    asked.push([name, request.method, request.url, key, own, type, body === "" ? "" : "body"]);
    const to = lead(name, request.url);
    if (to !== undefined) return void response.writeHead(to[0], { location: to[1] }).end("moved");
    if (request.method === "GET")
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"nodes":[],"edges":[]}');
    response
      .writeHead(200, { "content-type": "text/event-stream" })
      .end('event: values\ndata: {"a":1}\n\n');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return `http://127.0.0.1:${server.address().port}`;
}

let here;
let there;
before(async () => {
  here = await serve("here");
  there = await serve("there");
});
after(() => {
  for (const server of servers) server.closeAllConnections(), server.close();
});

const graph = (redirectOrigins) =>
  new RemoteGraph({
    graphId: "g",
    url: here,
    apiKey: "secret",
    headers: { "x-own": "me" },
    redirectOrigins,
  });
const asks = async (call) => {
  asked.length = 0;
  await call();
  return asked.splice(0);
};
const KEY = ["secret", "me"];
const NONE = [undefined, undefined];
const JSON_BODY = ["application/json", "body"];
const NO_BODY = [undefined, ""];

test("within the origin the key goes along", async () => {
  lead = (_, path) => (path === "/runs/stream" ? [307, "/moved"] : undefined);
  assert.deepEqual(await asks(async () => assert.deepEqual(await graph().invoke({}), { a: 1 })), [
    ["here", "POST", "/runs/stream", ...KEY, ...JSON_BODY],
    ["here", "POST", "/moved", ...KEY, ...JSON_BODY],
  ]);
});

test("another origin is not asked at all", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    lead = (name) => (name === "here" ? [status, `${there}/x?token=1`] : undefined);
    for (const call of [
      () => graph().invoke({}),
      () => graph().getGraphAsync(),
      () => graph(["http://other.test"]).getState({ configurable: { thread_id: "t" } }),
    ]) {
      const seen = await asks(() =>
        assert.rejects(
          call,
          (error) =>
            error.code === "REDIRECT" &&
            error.message.includes(`${there}/x`) &&
            !error.message.includes("token"),
        ),
      );
      assert.deepEqual(
        seen.map(([name]) => name),
        ["here"],
      );
    }
  }
});

test("another origin that was named gets no key, nor does the first one after it", async () => {
  lead = (name, path) =>
    name === "there"
      ? [308, `${here}/back`]
      : path === "/runs/stream"
        ? [307, `${there}/x`]
        : undefined;
  assert.deepEqual(
    await asks(async () => assert.deepEqual(await graph([there]).invoke({}), { a: 1 })),
    [
      ["here", "POST", "/runs/stream", ...KEY, ...JSON_BODY],
      ["there", "POST", "/x", ...NONE, ...JSON_BODY],
      ["here", "POST", "/back", ...NONE, ...JSON_BODY],
    ],
  );
  assert.throws(() => graph("there"), { name: "TypeError", message: /redirectOrigins/ });
});

test("301, 302 and 303 would lose what is sent: of a POST they are an error, a GET follows", async () => {
  for (const status of [301, 302, 303]) {
    lead = (name) => (name === "here" ? [status, `${there}/x`] : undefined);
    assert.equal(
      (
        await asks(() =>
          assert.rejects(graph([there]).invoke({}), {
            code: "REDIRECT",
            message: /would lose what is sent/,
          }),
        )
      ).length,
      1,
    );
    assert.deepEqual(await asks(() => graph([there]).getGraphAsync()), [
      ["here", "GET", "/assistants/g/graph", ...KEY, ...NO_BODY],
      ["there", "GET", "/x", ...NONE, ...NO_BODY],
    ]);
  }
});

test("what cannot be followed is an error at once", async () => {
  for (const location of ["data:text/event-stream,x", "file:///etc/passwd", "http://"]) {
    lead = () => [307, location];
    assert.equal(
      (
        await asks(() =>
          assert.rejects(graph().invoke({}), { name: "RedirectError", code: "REDIRECT" }),
        )
      ).length,
      1,
    );
  }
  lead = () => [307, "/again"];
  assert.equal(
    (await asks(() => assert.rejects(graph().invoke({}), { message: "More than 20 redirects" })))
      .length,
    21,
  );
});

test("a page cannot see where it is led to: it says so", async () => {
  const { fetch } = globalThis;
  globalThis.fetch = async (_, { redirect }) =>
    Object.defineProperties(new Response(""), {
      type: { value: redirect === "manual" ? "opaqueredirect" : "basic" },
      status: { value: 0 },
    });
  try {
    await assert.rejects(graph().invoke({}), {
      code: "REDIRECT",
      message: /a page cannot see where to/,
    });
  } finally {
    globalThis.fetch = fetch;
  }
});
