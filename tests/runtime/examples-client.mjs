// SPDX-License-Identifier: MIT
// What the tests of the examples share: a shop that counts the orders it gets, and a reader of the
// service's answers.
import { createServer } from "node:http";
import assert from "node:assert/strict";

/** A shop: every order that is posted to `url`, with its idempotency key. */
export async function openShop() {
  const orders = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    orders.push({ ...JSON.parse(body), key: request.headers["idempotency-key"] });
    response.end("{}");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    orders,
    url: `http://127.0.0.1:${server.address().port}/orders`,
    close: () => server.close(),
  };
}

/** @param {string} text server-sent events */
function readEvents(text) {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame);
      return { event, data: JSON.parse(data) };
    });
}

/** Speaks to the service through `fetcher`, a fetch that takes a path. */
export function makeClient(fetcher) {
  const post = async (path, body) => {
    const response = await fetcher(path, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isStream = response.headers.get("content-type") === "text/event-stream";
    return {
      status: response.status,
      events: isStream ? readEvents(text) : [],
      error: isStream ? undefined : JSON.parse(text).error,
    };
  };
  return {
    run: (thread, message) => post(`/threads/${thread}/runs`, { message }),
    approve: (thread, id, response) => post(`/threads/${thread}/approval`, { id, response }),
    post,
    state: async (thread) => (await fetcher(`/threads/${thread}/state`)).json(),
  };
}

export const tokens = ({ events }) =>
  events
    .filter(({ event }) => event === "token")
    .map(({ data }) => data.text)
    .join("");

/**
 * A run whose reader goes away after the first bytes.
 * @param {(path: string, init: any) => Promise<Response>} fetcher
 */
export async function runAndLeave(fetcher, thread, message) {
  const { body } = await fetcher(`/threads/${thread}/runs`, {
    method: "POST",
    body: JSON.stringify({ message }),
  });
  const reader = body.getReader();
  await reader.read();
  await reader.cancel();
}

/** Waits until a thread has nothing left to run. */
export async function settled(client, thread) {
  for (let tries = 0; tries < 200; tries++) {
    const state = await client.state(thread);
    if (state.messages.length > 0 && state.next.length === 0) return state;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the thread ${thread} is not done`);
}

/** A run that stops before the order of three teapots; gives the approval that it waits for. */
export async function orderTeapots(client, thread) {
  const { status, events, error } = await client.run(thread, "Please order 3 teapots");
  assert.equal(status, 200, JSON.stringify(error));
  assert.deepEqual(
    events.map(({ event }) => event),
    ["update", "approval", "done"],
  );
  const [{ id, value }] = events[1].data;
  assert.deepEqual(value.action_request, {
    action: "place_order",
    args: { item: "teapots", quantity: 3 },
  });
  assert.deepEqual(events[2].data, { next: ["tools"] });
  return id;
}

/** The thread waits for the order, as it did before. */
export async function checkPending(client, thread, id) {
  const { messages, next, approvals } = await client.state(thread);
  assert.deepEqual(
    messages.map(({ type }) => type),
    ["human", "ai"],
  );
  assert.deepEqual([next, approvals.map((approval) => approval.id)], [["tools"], [id]]);
}

/** Approves; the order is placed and the agent says so. */
export async function approveTeapots(client, thread, id) {
  const answer = await client.approve(thread, id, { type: "accept" });
  assert.equal(answer.status, 200, JSON.stringify(answer.error));
  assert.match(tokens(answer), /order is placed: 3 x teapots/);
  assert.deepEqual(answer.events.at(-1), { event: "done", data: { next: [] } });
  const { messages, approvals } = await client.state(thread);
  assert.deepEqual(
    [messages.map(({ type }) => type), approvals],
    [["human", "ai", "tool", "ai"], []],
  );
}

/** What the service answers to requests that it cannot take. */
export async function checkRefusals(client, thread) {
  for (const [path, body, status, code] of [
    [`/threads/${thread}/runs`, "{", 400, "BAD_BODY"],
    [`/threads/${thread}/runs`, { message: "" }, 400, "BAD_BODY"],
    [`/threads/${thread}/approval`, { id: "x" }, 400, "BAD_BODY"],
    [
      `/threads/${thread}/approval`,
      { id: "0".repeat(32), response: { type: "accept" } },
      404,
      "UNKNOWN_APPROVAL",
    ],
    [`/threads/${thread}/state`, {}, 405, "METHOD"],
    ["/threads/a%20b/runs", { message: "hi" }, 404, "NOT_FOUND"],
  ]) {
    const answer = await client.post(path, body);
    assert.deepEqual([answer.status, answer.error?.code], [status, code], path);
  }
}
