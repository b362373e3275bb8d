// SPDX-License-Identifier: MIT
// piiMiddleware: what it finds and how it hides it, as langchain does, in texts of any length.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as middleware from "weftgraph/agent/middleware";
import { OWN, Model, call, calling, onThread, outcome, same } from "./agent-middleware-both.mjs";

const { createAgent, piiMiddleware, MemorySaver } = OWN;
const TEXT =
  "mail bob.x+1@mail.example.co.uk, ip 10.0.0.1 card 4111-1111-1111-1111 mac 00:1A:2b:3c:4d:5e url https://a.b/c?d=e end";
const TYPES = ["email", "ip", "credit_card", "mac_address", "url"];

for (const strategy of ["redact", "mask", "block"])
  test(`each type of personal data, strategy ${strategy}, in questions and answers as in langchain`, () =>
    same(async ({ createAgent, piiMiddleware: pii }) => {
      const model = new Model(["I wrote to ann@example.com"]);
      const list = TYPES.map((type) => pii(type, { strategy, applyToOutput: true }));
      const agent = createAgent({ model, tools: [], middleware: list });
      return [await outcome(agent.invoke({ messages: TEXT })), model.asked];
    }));

test("a hash is the same for the same data and another for other data", async () => {
  const model = new Model(["ok"]);
  const agent = createAgent({
    model,
    tools: [],
    middleware: [piiMiddleware("email", { strategy: "hash" })],
  });
  await agent.invoke({ messages: "a@b.org c@d.org a@b.org" });
  const [, text] = model.asked[0][0];
  const [first, second, third] = text.split(" ");
  assert.match(first, /^<email_hash:[0-9a-f]{8}>$/);
  assert.equal(first, third);
  assert.notEqual(first, second);
});

const DETECTORS = {
  email: [
    "detectEmail",
    [
      "x@y",
      "a.b@c-d.org",
      "@x.org",
      "a@b.c",
      "é@b.org",
      "a@b.org_x",
      "(q@r.io)",
      "a@b.org@c.org",
      "..a@b.org.",
    ],
  ],
  credit_card: [
    "detectCreditCard",
    ["4111 1111 1111 1111", "4111111111111112", "5500000000000004", "x4111111111111111", "1234"],
  ],
  ip: [
    "detectIP",
    ["1.2.3.4", "256.1.1.1", "1.2.3", "1.2.3.4.5", "v1.2.3.4", "255.255.255.255:80"],
  ],
  mac_address: [
    "detectMacAddress",
    ["00:1a:2B:3c:4d:5e", "00-1a-2B-3c-4d-5e", "00:1a:2B:3c:4d", "001a2b3c4d5e"],
  ],
  url: [
    "detectUrl",
    ["http://a.b/c", "see www.a.com/x here", "a.com/x", "ftp://a.com", "HTTPS://A.COM"],
  ],
};
for (const [type, [name, texts]] of Object.entries(DETECTORS))
  test(`${name} finds what langchain finds`, () =>
    same(async (api) =>
      texts.map((text) => [
        text,
        api[name](text).map(({ text, start, end }) => [text, start, end]),
      ]),
    ).then((found) =>
      assert.ok(
        found.some(([, matches]) => matches.length > 0),
        type,
      ),
    ));

test("more is found than by langchain: IPv6, American Express, an URL without the comma behind it", () => {
  const texts = (found) => found.map(({ text }) => text);
  assert.deepEqual(
    texts(middleware.detectIP("at 2001:db8::1, fe80::1 or ::1. Not a::b, 12:30:45, std::x")),
    ["2001:db8::1", "fe80::1", "::1"],
  );
  assert.deepEqual(texts(middleware.detectCreditCard("378282246310005 3782 822463 10005")), [
    "378282246310005",
    "3782 822463 10005",
  ]);
  assert.deepEqual(texts(middleware.detectUrl("(see https://a.b/c?d=e), or www.x.org.")), [
    "https://a.b/c?d=e",
    "www.x.org",
  ]);
});

test("hostile texts of 1 MB take time in proportion to their length", () => {
  const size = 1 << 20;
  const fill = (piece) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
  const pieces = [
    "a",
    "a.",
    "a@",
    "@",
    "a@a.",
    "a@b.c",
    "a.a@",
    ".@.",
    "1",
    "1.",
    "1-",
    "4111 ",
    "1.2.3.",
    ":",
    "a:",
    "::",
    "0:",
    "00:",
    "http://",
    "www.",
    "www.a",
    "https://a.b/c ",
    "(",
    "\n",
    "-@-",
  ];
  for (const name of [
    "detectEmail",
    "detectCreditCard",
    "detectIP",
    "detectMacAddress",
    "detectUrl",
  ])
    for (const piece of pieces) {
      const text = fill(piece);
      const begin = process.cpuUsage();
      middleware[name](text);
      const took = process.cpuUsage(begin).user / 1000;
      assert.ok(took < 2000, `${name} of ${JSON.stringify(piece)}…: ${took} ms`);
    }
});

test("a text of 1 MB full of addresses is cleaned whole", async () => {
  const model = new Model(["ok"]);
  const agent = createAgent({ model, tools: [], middleware: [piiMiddleware("email")] });
  const begin = performance.now();
  await agent.invoke({ messages: "ann@example.com ".repeat(65536) });
  assert.ok(performance.now() - begin < 5000);
  const [, text] = model.asked[0][0];
  assert.equal(text, "[REDACTED_EMAIL] ".repeat(65536));
});

test("a detector of the user's: a pattern, its text, a function, as in langchain", () =>
  same(async ({ createAgent, piiMiddleware: pii }) => {
    const model = new Model(["ok"]);
    const list = [
      pii("key", { detector: "sk-[a-z]{4}", strategy: "mask" }),
      pii("pin", { detector: /\d{4}/g }),
      pii("word", {
        detector: (text) => [
          { text: "foo", start: text.indexOf("foo"), end: text.indexOf("foo") + 3 },
        ],
      }),
    ];
    const agent = createAgent({ model, tools: [], middleware: list });
    return [await outcome(agent.invoke({ messages: "foo sk-abcd 1234 5678" })), model.asked];
  }));

test("a pattern without the flag g finds all, and an empty match is none", async () => {
  const model = new Model(["ok"]);
  const agent = createAgent({
    model,
    tools: [],
    middleware: [piiMiddleware("pin", { detector: /\d*/ })],
  });
  await agent.invoke({ messages: "12 a 34" });
  assert.equal(model.asked[0][0][1], "[REDACTED_PIN] a [REDACTED_PIN]");
});

test("what a detector finds in any order is replaced once, and nonsense is an error", async () => {
  const run = (found) => {
    const model = new Model(["ok"]);
    const agent = createAgent({
      model,
      tools: [],
      middleware: [piiMiddleware("x", { detector: () => found })],
    });
    return agent.invoke({ messages: "0123456789" }).then(() => model.asked[0][0][1]);
  };
  assert.equal(
    await run([
      { start: 6, end: 8 },
      { start: 1, end: 3 },
      { start: 2, end: 4 },
    ]),
    "0[REDACTED_X]45[REDACTED_X]89",
  );
  for (const found of [
    null,
    "text",
    [{ start: 1 }],
    [{ start: 5, end: 4 }],
    [{ start: 0, end: 99 }],
    [{ start: -1, end: 2 }],
  ])
    await assert.rejects(run(found), /must return a list/);
});

test("results of tools are cleaned and keep what else they have", async () => {
  const tool = OWN.tool(() => ["ann@example.com", { raw: 1 }], {
    name: "a",
    schema: { type: "object" },
    responseFormat: "content_and_artifact",
  });
  const model = new Model([calling(call("a")), "ok"]);
  const agent = createAgent({
    model,
    tools: [tool],
    middleware: [piiMiddleware("email", { applyToToolResults: true, applyToInput: false })],
  });
  const { messages } = await agent.invoke({ messages: "x@y.com" });
  assert.deepEqual(
    model.asked[1].map((one) => one[1]),
    ["x@y.com", "", "[REDACTED_EMAIL]"],
  );
  assert.deepEqual(
    [messages[2].status, messages[2].artifact, messages[2].tool_call_id],
    ["success", { raw: 1 }, "c1"],
  );
});

test("texts in blocks, and earlier messages of the user, are cleaned too", async () => {
  const model = new Model(["ok"]);
  const agent = createAgent({ model, tools: [], middleware: [piiMiddleware("email")] });
  const picture = { type: "image_url", image_url: "data:image/png;base64,AA==" };
  await agent.invoke({
    messages: [
      { role: "user", content: [{ type: "text", text: "I am a@b.org" }, picture] },
      { role: "user", content: "write to c@d.org" },
    ],
  });
  assert.deepEqual(
    model.asked[0].map((one) => one[1]),
    [[{ type: "text", text: "I am [REDACTED_EMAIL]" }, picture], "write to [REDACTED_EMAIL]"],
  );
});

test("what was left of a match is not taken for a match in the next turn", async () => {
  const model = new Model(["one", "two"]);
  const agent = createAgent({
    model,
    tools: [],
    checkpointer: new MemorySaver(),
    middleware: [piiMiddleware("pin", { detector: "[0-9]+", strategy: "mask" })],
  });
  await agent.invoke({ messages: "1234567" }, onThread);
  await agent.invoke({ messages: "and now?" }, onThread);
  assert.equal(model.asked[1][0][1], "***4567");
});

test("an error of block holds no personal data", async () => {
  const agent = createAgent({
    model: new Model(["ok"]),
    tools: [],
    middleware: [piiMiddleware("email", { strategy: "block" })],
  });
  await assert.rejects(agent.invoke({ messages: "me@home.org" }), (error) => {
    const cause = [error, error.cause].find((one) => one instanceof middleware.PIIDetectionError);
    assert.deepEqual([cause.piiType, cause.matches], ["email", [{ start: 0, end: 11 }]]);
    assert.ok(!`${error.stack}${JSON.stringify(cause)}`.includes("me@home.org"));
    return true;
  });
});

test("options that cannot be meant are refused", () => {
  for (const [type, options] of [
    ["foo", {}],
    ["constructor", {}],
    ["", { detector: "x" }],
    ["email", { strategy: "hide" }],
    ["email", { strategy: "constructor" }],
    ["x", { detector: "(" }],
    ["x", { detector: 7 }],
    ["email", { applyToInput: "yes" }],
  ])
    assert.throws(() => piiMiddleware(type, options), { code: "BAD_ARGUMENT" });
});
