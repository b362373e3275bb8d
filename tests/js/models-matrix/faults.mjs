// SPDX-License-Identifier: MIT
// Cases of the matrix: errors of the service, broken streams, aborts, waits.
import { equal, fails, holds } from "../../runtime/smoke-assert.mjs";
import { HELLO, REASON, TOOLS, both, call, readUntil, say, textOf } from "./kit.mjs";
import { serviceOf } from "./service.mjs";

export async function errorBefore(column) {
  const { refused, event } = column.errors;
  await both(
    column,
    [refused],
    async ({ model, say, requests }) => {
      const error = await fails(() => say(model, "hi"), { name: "ModelError", text: REASON });
      equal([error.status, error.code, error.retryable], [refused.status, refused.code, false]);
      equal(requests.length, 1);
    },
    { maxRetries: 2 },
  );
  const service = serviceOf(column, [{ events: [event.text] }]);
  const model = column.create({ fetch: service.fetch, maxRetries: 0 });
  const { chunks, error } = await readUntil(model.stream("hi"));
  equal([textOf(chunks), error?.name, error?.code], ["", "ModelError", event.code], String(error));
}

export async function errorIn(column) {
  const { text: told, code } = column.errors.event;
  const events = column.stream(HELLO);
  const last = events.length - (column.closing ?? 1);
  const delivered = new Set();
  for (let at = 1; at <= last; at++) {
    const steps = [{ events: [...events.slice(0, at), told, ...events.slice(at)] }];
    const service = serviceOf(column, steps);
    const model = column.create({ fetch: service.fetch, maxRetries: 0 });
    const { chunks, error } = await readUntil(model.stream("hi"));
    equal([error?.name, error?.code], ["ModelError", code], `after ${at} events: ${error}`);
    holds(error.message.includes(REASON), error.message);
    holds(HELLO.text.startsWith(textOf(chunks)), "what came before is delivered as it came");
    delivered.add(textOf(chunks));
  }
  holds(delivered.size > 2, "an error came in the midst of the text");
  holds(delivered.has(HELLO.text), "an error came after the text");
  const cut = { events: [...events.slice(0, last), told] };
  const service = serviceOf(column, [cut, { answer: HELLO }]);
  const model = column.create({ fetch: service.fetch, maxRetries: 2 });
  const { chunks, error } = await readUntil(model.stream("hi"));
  const tried = [textOf(chunks), error?.code, service.requests.length];
  equal(tried, [HELLO.text, code, 1], "what has begun is not tried again:");
}

export async function brokenStream(column) {
  const events = column.stream({ ...HELLO, calls: [call("c1", "weather", { city: "Oslo" })] });
  const last = events.length - (column.closing ?? 1);
  for (let count = 0; count <= last; count++) {
    for (const end of ["close", "cut"]) {
      const half = events[count].slice(0, events[count].length / 2);
      for (const rest of [[], [half]]) {
        const steps = [{ events: [...events.slice(0, count), ...rest], end }];
        const service = serviceOf(column, steps);
        const model = column.create({ fetch: service.fetch, maxRetries: 0 });
        const { chunks, error } = await readUntil(model.bindTools(TOOLS).stream("hi"));
        const where = `${end} after ${count} events and ${rest.length} half: ${error}`;
        equal(error?.name, "ModelError", where);
        holds(HELLO.text.startsWith(textOf(chunks)), where);
      }
    }
  }
  const service = serviceOf(column, [{ events: events.slice(0, last) }, { answer: HELLO }]);
  const model = column.create({ fetch: service.fetch, maxRetries: 2 });
  const { error } = await readUntil(model.stream("hi"));
  equal([error?.code, service.requests.length], ["STREAM_CUT", 1]);
}

export async function abort(column) {
  const events = column.stream(HELLO).slice(0, -(column.closing ?? 1));
  const service = serviceOf(column, [{ events, end: "hang" }]);
  const model = column.create({ fetch: service.fetch, maxRetries: 2 });
  const controller = new AbortController();
  const pieces = model.stream("hi", { signal: controller.signal });
  const seen = [];
  const reading = fails(
    async () => {
      for await (const chunk of pieces) {
        seen.push(chunk);
        if (textOf(seen) !== HELLO.text) continue;
        // Now the service is silent.
        setTimeout(() => controller.abort(), 5);
      }
    },
    { name: "AbortError" },
  );
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("the abort took 10 s")), 10_000);
  });
  try {
    await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
  equal([textOf(seen), service.requests.length], [HELLO.text, 1]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  holds(service.requests[0].isLeft, "the service's stream is cancelled");
}

export async function limited(column) {
  const { body, headers } = column.errors.limited;
  const refusal = { status: 429, body, headers: { "retry-after": "1", ...headers } };
  const waits = [];
  const service = serviceOf(column, [refusal, { answer: HELLO }]);
  const onRetry = ({ attempt, delayMs, error }) => waits.push([attempt, delayMs, error.status]);
  const model = column.create({ fetch: service.fetch, maxRetries: 2, onRetry });
  const { message } = await say(model, "hi", true);
  equal([message.text, waits], [HELLO.text, [[1, 1000, 429]]]);
  const [first, second] = service.requests;
  holds(second.at - first.at >= 990, `it waited ${second.at - first.at} ms`);
  await both(column, [refusal], async ({ model: hasty, say: ask }) => {
    const error = await fails(() => ask(hasty, "hi"), { name: "ModelError" });
    equal([error.status, error.retryable, error.retryAfterMs], [429, true, 1000]);
  });
}
