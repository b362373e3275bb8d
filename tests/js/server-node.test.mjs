// SPDX-License-Identifier: MIT
// The listener for Node's http: requests and answers cross it whole and piece by piece, as fast as
// the other side takes them; who goes away is told to the server.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { toNodeHandler } from "weftgraph/server/node";

/** @param {import("node:test").TestContext} t @param {(request: Request) => any} answer */
async function listen(t, answer, options) {
  const server = createServer(toNodeHandler({ fetch: answer }, options));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: server.address().port, url: `http://127.0.0.1:${server.address().port}` };
}

/** Resolves when it is so. */
async function until(isSo) {
  for (let tries = 0; !(await isSo()); tries++) {
    assert.ok(tries < 500, "it does not come to it");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("method, address, headers and body of a request and of an answer arrive", async (t) => {
  const { url } = await listen(t, async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers({ "x-asked": request.headers.get("x-ask") });
    headers.append("set-cookie", "a=1; Path=/");
    headers.append("set-cookie", "b=2");
    const said = [request.method, pathname, search, await request.text()].join(" ");
    return new Response(said, { status: 201, headers });
  });
  const answer = await fetch(`${url}//a%20b?c=1&c=2`, {
    method: "PUT",
    headers: { "x-ask": "why" },
    body: "body",
  });
  assert.equal(answer.status, 201);
  assert.equal(await answer.text(), "PUT //a%20b ?c=1&c=2 body");
  assert.equal(answer.headers.get("x-asked"), "why");
  assert.deepEqual(answer.headers.getSetCookie(), ["a=1; Path=/", "b=2"]);
});

test("an answer without a body, and one to HEAD, are empty", async (t) => {
  let isCancelled = false;
  const { url } = await listen(t, (request) =>
    request.method === "HEAD"
      ? new Response(
          new ReadableStream({ cancel: () => (isCancelled = true) }, { highWaterMark: 0 }),
        )
      : new Response(null, { status: 204 }),
  );
  const answer = await fetch(url, { method: "DELETE" });
  assert.deepEqual([answer.status, await answer.text()], [204, ""]);
  assert.equal(await (await fetch(url, { method: "HEAD" })).text(), "");
  assert.ok(isCancelled);
});

test("headers arrive before the first piece, and each piece at once", async (t) => {
  let push;
  const { url } = await listen(
    t,
    () => new Response(new ReadableStream({ start: (controller) => (push = controller) })),
  );
  const answer = await fetch(url);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (const word of ["one", "two"]) {
    push.enqueue(new TextEncoder().encode(word));
    assert.equal((await reader.read()).value, word);
  }
  push.close();
  assert.equal((await reader.read()).done, true);
});

test("who reads slowly is not overtaken; when it goes, signal and body hear of it", async (t) => {
  let pieces = 0;
  let left;
  let signal;
  const { port } = await listen(t, (request) => {
    signal = request.signal;
    return new Response(
      new ReadableStream(
        {
          pull: (controller) => {
            pieces++;
            controller.enqueue(new Uint8Array(64 * 1024));
          },
          cancel: (reason) => (left = reason),
        },
        { highWaterMark: 0 },
      ),
    );
  });
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(socket, "readable");
  let seen = -1;
  await until(async () => {
    if (seen === pieces) return true;
    seen = pieces;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return false;
  });
  t.diagnostic(`${pieces} pieces of 64 KiB wait for the reader`);
  assert.ok(pieces < 400, `${pieces} pieces`);
  assert.equal(signal.aborted, false);
  socket.destroy();
  await until(() => left !== undefined);
  assert.equal(signal.aborted, true);
  assert.equal(signal.reason.name, "AbortError");
});

test("a body is read as fast as it is asked for, and its answer may come before its end", async (t) => {
  const { port } = await listen(t, async (request) => {
    const reader = request.body.getReader();
    await reader.read();
    await reader.cancel();
    return new Response("enough", { status: 413 });
  });
  const client = httpRequest({ port, host: "127.0.0.1", method: "POST" });
  client.on("error", () => {});
  client.write("x".repeat(1000));
  const [answer] = await once(client, "response");
  assert.equal(answer.statusCode, 413);
  assert.equal(String((await once(answer, "data"))[0]), "enough");
  client.destroy();
});

test("a client that goes before the answer aborts the signal", async (t) => {
  let asked;
  const { port } = await listen(t, (request) => {
    asked = request;
    return new Promise((_, reject) =>
      request.signal.addEventListener("abort", () => reject(request.signal.reason)),
    );
  });
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await until(() => asked !== undefined);
  socket.destroy();
  await until(() => asked.signal.aborted);
});

test("what fetch throws is a 500 without its insides; a body that breaks off breaks the connection", async (t) => {
  const heard = [];
  const { url } = await listen(
    t,
    (request) => {
      if (request.url.endsWith("/throws")) throw new Error("password=secret");
      return new Response(
        new ReadableStream({
          async pull(controller) {
            controller.enqueue(new TextEncoder().encode("half"));
            await new Promise((resolve) => setTimeout(resolve, 20));
            controller.error(new Error("no more"));
          },
        }),
      );
    },
    { onError: (error) => heard.push(error.message) },
  );
  const thrown = await fetch(`${url}/throws`);
  assert.equal(thrown.status, 500);
  assert.doesNotMatch(await thrown.text(), /secret/);
  await assert.rejects((await fetch(`${url}/half`)).text());
  assert.deepEqual(heard, ["password=secret", "no more"]);
});

test("what is no request of the Web's is refused", async (t) => {
  const { port } = await listen(t, () => new Response("never"));
  for (const head of [
    "TRACE / HTTP/1.1\r\nHost: a",
    "GET http://other.test/ HTTP/1.1\r\nHost: a",
    "GET / HTTP/1.1\r\nHost: a b",
    "GET / HTTP/1.1\r\nHost: name@other.test",
  ]) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`${head}\r\nConnection: close\r\n\r\n`);
    let text = "";
    for await (const piece of socket) text += piece;
    assert.match(text, /^HTTP\/1\.1 400 /, head);
  }
});

test("a server without fetch is refused by name", () => {
  for (const server of [undefined, {}, () => {}])
    assert.throws(() => toNodeHandler(server), { code: "BAD_ARGUMENT", message: /toNodeHandler/ });
});
