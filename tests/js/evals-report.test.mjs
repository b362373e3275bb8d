// SPDX-License-Identifier: MIT
// Reports of evaluations: a table that texts of models cannot break, Markdown, JSON, and a JUnit
// file with the elements and attributes of its schema.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HumanMessage } from "weftgraph";
import { TestClock, evaluate } from "weftgraph/testing";

const pass = () => true;

/** A report of texts: the case passes if its input is "ok". */
const reportOf = (inputs, options) =>
  evaluate((input) => input, {
    cases: inputs.map((input) => (typeof input === "string" ? { name: input, input } : input)),
    scorers: { fine: ({ output }) => ({ score: output === "ok", reason: `said ${output}` }) },
    clock: new TestClock("2030-01-02T03:04:05.678Z"),
    ...options,
  });

test("the table is aligned, and says why a case failed and how many passed", async () => {
  const report = await reportOf(["ok", "no", { name: "later", input: 1, skip: "too dear" }], {
    scorers: { fine: ({ output }) => output === "ok", half: () => 0.5 },
  });
  assert.equal(
    report.toTable(),
    `case   status   runs  fine  half  ms
------------------------------------
ok     passed    1/1  1.00  0.50   0
no     failed    1/1  0.00  0.50   0
later  skipped     -     -     -   -

✖ no: fine (0.00): no reason
- later: skipped: too dear

failed: 1 of 2 cases, 1 of 2 runs (50%), 1 skipped`.replace("failed    1/1", "failed    0/1"),
  );
  const repeated = await reportOf(["ok"], { repeat: 3 });
  assert.match(
    repeated.toTable(),
    /passed: 1 of 1 cases, 3 of 3 runs \(100%\), pass@3 100%, pass\^3 100%$/,
  );
  const runs = await reportOf(["no"], { repeat: 2 });
  assert.match(runs.toTable(), /✖ no: run 1: fine \(0.00\): said no\n✖ no: run 2: fine/);
});

test("wide characters, marks and control characters keep the columns", async () => {
  const names = [
    "日本語",
    "👩‍👩‍👧 family",
    "e\u0301te\u0301",
    "\u001b[31mred\u0007",
    "a\nb\tc",
    "x".repeat(300),
    "\u202egnp.exe",
    "漢".repeat(50),
  ];
  const lines = (await reportOf(names, { scorers: { pass } })).toTable().split("\n").slice(2, 10);
  assert.deepEqual(
    lines.map((line) => line.replace(/ +passed.*/, "")),
    [
      "日本語",
      "👩‍👩‍👧 family",
      "e\u0301te\u0301",
      "\ufffd[31mred\ufffd",
      "a b c",
      `${"x".repeat(39)}…`,
      "\ufffdgnp.exe",
      `${"漢".repeat(19)}…`,
    ],
  );
  // 40 columns and a gap: two columns per wide character, none per mark.
  const spaces = lines.slice(0, 3).map((line) => / +(?=passed)/.exec(line)[0].length);
  assert.deepEqual(spaces, [42 - 6, 42 - 9, 42 - 3]);
});

test("Markdown keeps texts of models inside their cell and their fence", async () => {
  const names = ["a|b", "![x](http://evil.test)", "<img src=x>", "```\n# title", "`a` *b* @c"];
  const markdown = (await reportOf(names, { name: "my *evals*" })).toMarkdown();
  const lines = markdown.split("\n");
  assert.equal(lines[0], "### my \\*evals\\*");
  assert.deepEqual(
    lines.slice(4, 9).map((line) => line.split(" | failed")[0]),
    [
      "| a\\|b",
      "| \\!\\[x\\]\\(http://evil.test\\)",
      "| &lt;img src=x\\>",
      "| \\`\\`\\` \\# title",
      "| \\`a\\` \\*b\\* @c",
    ],
  );
  assert.equal(lines.filter((line) => line === "````").length, 1);
  assert.equal(lines.filter((line) => line === "````text").length, 1);
  assert.match(markdown, /failed: 0 of 5 cases/);
});

test("JSON has values that have no JSON as texts, and errors with their code", async () => {
  const round = {};
  round.self = round;
  const outputs = { round, big: 5n, message: new HumanMessage({ content: "hi", id: "1" }) };
  const report = await evaluate(
    (input) => {
      if (input === "error") throw new RangeError("too far");
      return outputs[input];
    },
    { cases: [...Object.keys(outputs), "error"].map((input) => ({ input })) },
  );
  const plain = JSON.parse(JSON.stringify(report));
  assert.deepEqual(
    plain.cases.map(({ runs: [{ output }] }) => (typeof output === "object" ? "object" : output)),
    ["[object Object]", "[object BigInt]", "object", undefined],
  );
  assert.deepEqual(plain.cases[3].runs[0].error, { name: "RangeError", message: "too far" });
  assert.equal(plain.summary.failedRuns, 1);
});

/** Reads XML strictly, as elements with text and children: throws if it is not well-formed. */
function readXml(text) {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  assert.ok(text.startsWith(head));
  assert.doesNotMatch(text, /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u);
  const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"' };
  const decode = (raw) => {
    assert.doesNotMatch(raw, /[<>]/);
    return raw.replace(/&([^;\s]*);?/g, (whole, name) => {
      const number = /^#(\d+)$/.exec(name)?.[1];
      assert.ok(whole.endsWith(";") && (number !== undefined || name in ENTITIES), whole);
      return number === undefined ? ENTITIES[name] : String.fromCodePoint(Number(number));
    });
  };
  const top = { name: "", attributes: {}, children: [], text: "" };
  const open = [top];
  const TAG = /<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>/y;
  for (let at = head.length; at < text.length; ) {
    const next = text.indexOf("<", at);
    const words = text.slice(at, next < 0 ? undefined : next);
    open.at(-1).text += decode(words);
    if (next < 0) break;
    TAG.lastIndex = next;
    const found = TAG.exec(text);
    assert.ok(found !== null, `no tag: ${text.slice(next, next + 80)}`);
    const [whole, closes, name, given, isEmpty] = found;
    if (closes) assert.equal(open.pop().name, name);
    else {
      const pairs = [...given.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, raw]) => [
        key,
        decode(raw),
      ]);
      const element = { name, attributes: Object.fromEntries(pairs), children: [], text: "" };
      assert.equal(pairs.length, Object.keys(element.attributes).length, "an attribute twice");
      open.at(-1).children.push(element);
      if (!isEmpty) open.push(element);
    }
    at = next + whole.length;
  }
  assert.equal(open.length, 1);
  assert.equal(top.children.length, 1);
  assert.equal(top.text.trim(), "");
  return top.children[0];
}

/** Attributes and children of each element, as the JUnit schema of Jenkins has them. */
const SHAPE = {
  testsuites: [["name", "tests", "failures", "errors", "time"], ["testsuite"]],
  testsuite: [
    ["name", "timestamp", "tests", "failures", "errors", "skipped", "time"],
    ["testcase"],
  ],
  testcase: [
    ["name", "classname", "time"],
    ["skipped", "error", "failure", "system-out"],
  ],
  skipped: [["message"], []],
  error: [["message", "type"], []],
  failure: [["message", "type"], []],
  "system-out": [[], []],
};

/** Throws unless an element and all below have the shape. */
function checkShape({ name, attributes, children }) {
  assert.ok(name in SHAPE, name);
  for (const attribute of Object.keys(attributes)) assert.ok(SHAPE[name][0].includes(attribute));
  for (const child of children) {
    assert.ok(SHAPE[name][1].includes(child.name), `${child.name} in ${name}`);
    checkShape(child);
  }
}

test("the JUnit file is well-formed whatever models say, and has a test per case", async () => {
  const evil = [
    "]]>",
    '<b a="1">&amp;</b>',
    "\u0000\u0008\u001b[0m",
    "\ud800 lone",
    "\uffff",
    "a\r\nb\tc",
    "'\"&<>",
    "-->",
    "😀",
  ];
  const report = await reportOf(
    [
      "ok",
      ...evil,
      { name: "later", input: 1, skip: "too <dear>" },
      { name: "asks", input: "throw" },
    ],
    {
      name: 'my "evals" & <more>',
      scorers: { fine: ({ output }) => ({ score: output === "ok", reason: `said ${output}` }) },
    },
  );
  const suites = readXml(report.toJUnit());
  checkShape(suites);
  const [suite] = suites.children;
  assert.equal(suite.attributes.name, 'my "evals" & <more>');
  assert.equal(suite.attributes.timestamp, "2030-01-02T03:04:05");
  const { tests, failures, errors, skipped, time } = suite.attributes;
  assert.deepEqual([tests, failures, errors, skipped, time], ["12", "10", "0", "1", "0.000"]);
  assert.deepEqual(suites.attributes.tests, tests);
  const [ok, ...others] = suite.children;
  assert.deepEqual(
    ok.children.map(({ name, text }) => [name, text]),
    [["system-out", "1 of 1 runs passed\nfine: mean 1.00, min 1.00, max 1.00"]],
  );
  const clean = (text) =>
    text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd");
  evil.forEach((text, index) => {
    const {
      attributes,
      children: [failure],
    } = others[index];
    assert.deepEqual([attributes.name, attributes.classname], [clean(text), 'my "evals" & <more>']);
    assert.equal(failure.name, "failure");
    assert.equal(failure.attributes.message, clean(`fine (0.00): said ${text}`));
    assert.equal(failure.text, clean(`fine (0.00): said ${text}`));
  });
  assert.deepEqual(others.at(-2).children[0].attributes, { message: "too <dear>" });
});

test("a JUnit file tells failed runs and aborted cases as errors, with every run's reason", async () => {
  const control = new AbortController();
  let calls = 0;
  const report = await evaluate(
    (input) => {
      if (input === "stop") control.abort();
      if (++calls % 2 === 0) throw new TypeError("even");
      return input;
    },
    {
      cases: [{ input: 1 }, { input: "stop" }],
      repeat: 2,
      concurrency: 1,
      signal: control.signal,
    },
  );
  const suites = readXml(report.toJUnit());
  checkShape(suites);
  const [first, second] = suites.children[0].children;
  assert.equal(suites.attributes.errors, "2");
  assert.deepEqual(first.children[0].attributes, { message: "TypeError: even", type: "run" });
  assert.equal(first.children[0].text, "run 2: TypeError: even");
  assert.equal(second.children[0].attributes.type, "EVAL_ABORTED");
});
