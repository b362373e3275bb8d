// SPDX-License-Identifier: MIT
// The demo's parts that need no browser: arithmetic, text made visible (T17), edited arguments,
// and its server.
import { test } from "node:test";
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { spellJson } from "weftgraph/approval";
import { buildDemo } from "../../web-demo/build.mjs";
import { serveDemo } from "../../web-demo/serve.mjs";
import { calculate } from "../../web-demo/src/models/planner/calculator.js";
import { Card } from "../../web-demo/src/studio/questions/card.js";
import {
  acceptCall,
  editCall,
  readRequest,
  wordsOf,
} from "../../web-demo/src/studio/questions/request.js";
import { layOut, mixedWords, reveal } from "../../web-demo/src/studio/reveal.js";

const script = fileURLToPath(new URL("../../web-demo/serve.mjs", import.meta.url));

test("arithmetic: precedence, signs, powers; what is none is refused", () => {
  const right = {
    "2+3*4": 14,
    "(2+3)*4": 20,
    "2^3^2": 512,
    "-2^2": -4,
    "2^-1": 0.5,
    "10%4": 2,
    "1-2-3": -4,
    "8/4/2": 1,
    "sqrt(16) + .5": 4.5,
    "sqrt(2)^2": 2,
    "0.1+0.2": 0.3,
    "1e3": 1000,
    "pi*0": 0,
    " - - 3": 3,
  };
  for (const [text, value] of Object.entries(right)) assert.equal(calculate(text), value, text);
  for (const [text, fault] of [
    ["1/0", /division by zero/],
    ["2+", /ends too early/],
    ["(1", /parenthesis is missing/],
    ["2 2", /not expected/],
    ["alert(1)", /not arithmetic/],
    ["10^999", /not a finite/],
    ["", /ends too early/],
    [")", /not expected/],
    ["1".repeat(501), /at most 500/],
  ]) {
    assert.throws(() => calculate(text), fault, text);
  }
});

test("what cannot be seen is spelled out, everything else stays", () => {
  const shown = (text) =>
    reveal(text)
      .map((part) => (part.hidden ? `<${part.text}>` : part.text))
      .join("");
  assert.equal(shown("plain é 漢字 😀\n  two"), "plain é 漢字 😀\n  two");
  const hidden = [
    "\u202E",
    "\u2066",
    "\u200B",
    "\u200D",
    "\u00AD",
    "\uFEFF",
    "\u00A0",
    "\u3000",
    "\u2028",
    "\u0007",
    "\u001B",
    "\u3164",
    "\u2800",
    "\uE000",
    "\u{E0041}",
    "\u{E0100}",
    "\uFE0F",
    "\u0378",
    "\uD800",
    "\t",
    "\r",
  ];
  for (const character of hidden)
    assert.equal(
      shown(`a${character}b`),
      `a<\\u{${character.codePointAt(0).toString(16).toUpperCase()}}>b`,
    );
  assert.deepEqual(
    mixedWords("paypal p\u0430ypal \u03BFmega привет").map(({ word, scripts }) => [word, scripts]),
    [
      ["p\u0430ypal", ["Latin", "Cyrillic"]],
      ["\u03BFmega", ["Latin", "Greek"]],
    ],
  );
});

test("JSON is laid out without changing a token", () => {
  const texts = [
    '{"a":"x, {y}: [\\"z\\\\","b":[1,2.50,1e400,{}],"c":{"d":[]},"e":12345678901234567890}',
    "[]",
    '"text"',
    "[[1],[{}]]",
    '{"same":1,"same":2}',
  ];
  for (const text of texts) assert.equal(withoutSpaces(layOut(text)), withoutSpaces(text));
  assert.equal(layOut('{"item":"a b","n":[1]}'), '{\n  "item": "a b",\n  "n": [\n    1\n  ]\n}');
  const spelled = spellJson(layOut('{"a":"x\u202Ey\u{E0041}"}'));
  assert.match(spelled, /x\\u202ey\\udb40\\udc41/);
  assert.deepEqual(JSON.parse(spelled), { a: "x\u202Ey\u{E0041}" });
});

/** White space outside of strings left out. */
const withoutSpaces = (json) => json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");

test("edited arguments are held against the schema", () => {
  const schema = {
    properties: {
      item: { type: "string", minLength: 1, maxLength: 5 },
      count: { type: "integer", minimum: 1, maximum: 9 },
      fast: { type: "boolean" },
      price: { type: "number" },
    },
    required: ["item"],
    additionalProperties: false,
  };
  const edited = (text, given = schema) => {
    const made = new Card("order", () => {});
    made.edit("{}", given);
    made.set({ tab: "json", draft: text });
    return made.edited(given);
  };
  const fault = (text) => edited(text).fault;
  assert.deepEqual(edited('{"item":"tea","count":2,"fast":true,"price":1.5}'), {
    args: { item: "tea", count: 2, fast: true, price: 1.5 },
  });
  assert.match(fault("{item}"), /not JSON/);
  for (const text of ["null", "[]", "1"]) assert.match(fault(text), /must be an object/);
  const wrong = {
    '{"count":1}': /"item" is missing/,
    '{"item":1}': /text in quotes/,
    '{"item":""}': /not be empty/,
    '{"item":"123456"}': /5 characters/,
    '{"item":"a","count":1.5}': /whole number/,
    '{"item":"a","count":10}': /9 or less/,
    '{"item":"a","fast":1}': /true or false/,
    '{"item":"a","price":"1"}': /must be a number/,
    '{"item":"a","toString":1}': /not an argument/,
    '{"item":"a","__proto__":1}': /not an argument/,
  };
  for (const [text, expected] of Object.entries(wrong)) assert.match(fault(text), expected, text);
  assert.deepEqual(edited('{"any":1}', true), { args: { any: 1 } });
});

test("an edit goes from fields to JSON and back; what cannot be read stays where it is", () => {
  const schema = {
    type: "object",
    properties: { item: { type: "string" }, count: { type: "integer", minimum: 1 } },
    required: ["item", "count"],
  };
  const made = new Card("order", () => {});
  made.edit('{"item":"t\u202Eea","count":2}', schema);
  assert.equal(made.tab, "fields");
  assert.deepEqual(made.edited(schema), { args: { item: "t\u202Eea", count: 2 } });
  made.set({ values: { "/count": "x" } });
  assert.deepEqual(
    made.edited(schema).problems.map(({ path }) => path),
    ["/count"],
  );
  made.turnTo("json", schema);
  assert.equal(made.tab, "fields");
  made.set({ values: { "/count": "3" } });
  made.turnTo("json", schema);
  assert.equal(made.draft, '{\n  "item": "t\\u202eea",\n  "count": 3\n}');
  made.set({ draft: '{"item":"cups","count":0}' });
  assert.match(made.edited(schema).fault, /1 or more/);
  made.turnTo("fields", schema);
  assert.deepEqual([made.tab, made.form.fields[0].value], ["fields", "cups"]);
  made.turnTo("json", schema);
  made.set({ draft: "{" });
  made.turnTo("fields", schema);
  assert.equal(made.tab, "json");
  for (const canonical of ["{}", "[1]", "1"]) {
    made.edit(canonical, undefined);
    assert.equal(made.tab, "json");
  }
});

test("a card decides about what was seen of it, and not by the second click of two or by one that began before", () => {
  const value = {
    action_request: { action: "pay", args: { sum: 5 } },
    canonical: '{"sum":5}',
    digest: "d",
    approval_id: "a",
    config: { allow_edit: true },
  };
  const words = wordsOf(readRequest(value));
  const seen = () => {
    const made = new Card("pay", () => {});
    made.press(words);
    for (const part of ["end", "button"]) {
      assert.equal(made.canDecide(words), false);
      made.see(part, "in", words);
      assert.equal(made.canDecide(words), false);
      made.see(part, "seen", words);
    }
    return made;
  };
  assert.ok(seen().canDecide(words));
  for (const other of [
    { canonical: '{"sum":6}' },
    { digest: "e" },
    { approval_id: "b" },
    { problem: "no" },
    { action_request: { action: "wipe", args: { sum: 5 } } },
  ])
    assert.equal(
      seen().canDecide(wordsOf(readRequest({ ...value, ...other }))),
      false,
      JSON.stringify(other),
    );
  assert.ok(seen().accepts(words, 0), "the keyboard");
  assert.equal(seen().accepts(words, 1), false, "it began before");
  const pressed = seen();
  pressed.press(words);
  assert.equal(pressed.accepts(words, 2), false);
  pressed.press(words);
  assert.ok(pressed.accepts(words, 1));
  pressed.arm();
  assert.equal(pressed.canDecide(words), false, "the page has just come back");
  pressed.close();
});

test("an answer names its question, and an edit what was shown", () => {
  const request = readRequest({
    action_request: { action: "pay", args: { sum: 5 } },
    canonical: '{"sum":5}',
    digest: "d",
    approval_id: "a",
  });
  assert.deepEqual(acceptCall(request), {
    type: "accept",
    args: null,
    digest: "d",
    approval_id: "a",
  });
  assert.deepEqual(editCall(request, { sum: 6 }), {
    type: "edit",
    args: { action: "pay", args: { sum: 6 } },
    shown: '{"sum":5}',
    digest: "d",
    approval_id: "a",
  });
});

test("the server: strict headers, only what was built, only reading", async () => {
  const folder = await mkdtemp(join(tmpdir(), "weft-demo-"));
  const server = await serveDemo({
    folder: await buildDemo({ out: folder, connect: ["http://192.168.1.5:11434"] }),
    port: 0,
    connect: ["http://192.168.1.5:11434"],
  });
  try {
    const page = await fetch(server.url);
    const policy = page.headers.get("content-security-policy");
    for (const rule of [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "require-trusted-types-for 'script'",
      "frame-ancestors 'none'",
    ])
      assert.ok(policy.split("; ").includes(rule), rule);
    assert.match(
      policy,
      /connect-src 'self' https: http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\* http:\/\/192\.168\.1\.5:11434;/,
    );
    assert.doesNotMatch(policy, /'unsafe-(inline|eval)'/);
    assert.equal(page.headers.get("x-frame-options"), "DENY");
    // A static host reads the same from a file.
    const [all, assets] = (await readFile(join(folder, "_headers"), "utf8")).split(
      /^(?=\/assets)/m,
    );
    const [path, ...lines] = all.trimEnd().split("\n");
    assert.equal(path, "/*");
    assert.deepEqual(
      lines
        .map((line) => /^ {2}([a-z-]+): (.+)$/.exec(line).slice(1))
        .filter(([name, value]) => page.headers.get(name) !== value),
      [],
    );
    assert.deepEqual(
      lines.map((line) => line.trim().split(":")[0]),
      [
        "content-security-policy",
        "x-frame-options",
        "cross-origin-opener-policy",
        "referrer-policy",
        "x-content-type-options",
      ],
    );
    const text = await page.text();
    assert.match(text, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; /);
    assert.doesNotMatch(text, /{{|frame-ancestors/);
    const [script] = /assets\/main-\w+\.js/.exec(text);
    const asset = await fetch(server.url + script);
    assert.match(asset.headers.get("content-type"), /javascript/);
    const kept = /^\/assets\/\*\n {2}cache-control: (.*)\n$/.exec(assets)[1];
    assert.match(kept, /immutable/);
    assert.equal(asset.headers.get("cache-control"), kept);
    assert.equal(page.headers.get("cache-control"), "no-cache");
    for (const path of ["../package.json", "%2e%2e/package.json", "src/main.js", "constructor"])
      assert.equal((await fetch(server.url + path)).status, 404, path);
    assert.equal((await fetch(server.url, { method: "POST", body: "x" })).status, 405);
    await assert.rejects(serveDemo({ folder, port: Number(new URL(server.url).port) }), {
      code: "EADDRINUSE",
    });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, maxRetries: 5 });
  }
});

test("the command prints its address and serves it; wrong options are told", async () => {
  for (const [args, fault] of [
    [["--port", "x"], /--port takes a number/],
    [["--port", "70000"], /--port takes a number/],
    [["--connect", "here"], /--connect takes an address/],
    [["--colour"], /colour/],
  ]) {
    await assert.rejects(
      promisify(execFile)(process.execPath, [script, ...args]),
      (error) => fault.test(error.stderr) && error.code === 1,
    );
  }
  const command = spawn(process.execPath, [script, "--port", "0"]);
  const [first] = await once(command.stdout.setEncoding("utf8"), "data");
  const url = /The Weft demo is at (http:\/\/127\.0\.0\.1:\d+\/)/.exec(first)[1];
  assert.equal((await fetch(url)).status, 200);
  command.kill("SIGINT");
  await once(command, "exit");
});
