// SPDX-License-Identifier: MIT
// weftgraph/schema: results and their errors, references and drafts, formats, defaults, patterns of
// the host, limits. The verdicts themselves: schema-suite.test.mjs.
// Own process: takes Function and eval away from globalThis.
import { test } from "node:test";
import assert from "node:assert/strict";
import { standardFormats } from "../../js/schema/formats.js";
import { compileSchema, formatErrors } from "weftgraph/schema";
import { getEngine } from "../../js/engine/instance.js";

test("a valid value and a valid text come back as they are", () => {
  const compiled = compileSchema({
    type: "object",
    properties: { a: { type: "integer" } },
    required: ["a"],
  });
  const value = { a: 1, b: undefined };
  assert.deepEqual(compiled.validate(value), { valid: true, value, errors: [] });
  assert.equal(compiled.validate(value).value, value);
  assert.deepEqual(compiled.validateJson('{"a":1.0,"é":"\\ud800"}'), {
    valid: true,
    value: { a: 1, é: "\ud800" },
    errors: [],
  });
});

test("errors are the basic output, and read as text", () => {
  const compiled = compileSchema({
    $id: "https://example.com/order",
    properties: { lines: { items: { $ref: "#/$defs/line" } } },
    $defs: {
      line: {
        type: "object",
        properties: { count: { type: "integer", minimum: 1 } },
        required: ["sku"],
      },
    },
  });
  const { valid, value, errors } = compiled.validate({
    lines: [{ count: 0, sku: "a" }, { count: "x" }],
  });
  assert.equal(valid, false);
  assert.deepEqual(value, { lines: [{ count: 0, sku: "a" }, { count: "x" }] });
  assert.deepEqual(errors[0], {
    keywordLocation: "/properties/lines/items/$ref/properties/count/minimum",
    absoluteKeywordLocation: "https://example.com/order#/$defs/line/properties/count/minimum",
    instanceLocation: "/lines/0/count",
    error: "expected at least 1, found number 0",
  });
  assert.equal(
    formatErrors(errors),
    '✖ /lines/0/count: expected at least 1, found number 0\n✖ /lines/1/count: expected integer, found string "x"\n' +
      '✖ /lines/1: expected the property "sku", found none',
  );
  assert.equal(
    formatErrors(compileSchema(false).validate(1).errors),
    "✖ (root): expected no value, found number 1",
  );
});

test("a keyword behind two references is named by the way to it", () => {
  const tree = compileSchema({
    $ref: "#/$defs/a",
    $defs: { a: { properties: { next: { $ref: "#/$defs/a" }, "x/y": { const: 1 } } } },
  });
  const [{ keywordLocation, instanceLocation, ...rest }] = tree.validate({
    next: { next: { "x/y": 2 } },
  }).errors;
  assert.equal(
    keywordLocation,
    "/$ref/properties/next/$ref/properties/next/$ref/properties/x~1y/const",
  );
  assert.equal(instanceLocation, "/next/next/x~1y");
  assert.deepEqual(rest, { error: "expected 1, found number 2" });
});

test("texts that are no usable JSON are an error of the text, with its code", () => {
  const compiled = compileSchema(true);
  const cases = [
    ["", "JSON_SYNTAX", /^Not valid JSON at byte 0: the text is empty\.$/],
    ['{"a":1', "JSON_SYNTAX", /^Not valid JSON at byte 6: the text ends too early\.$/],
    ['{"a":1,"a":2}', "JSON_KEY", /twice/],
    ["[1e999]", "JSON_NUMBER", /^The number at byte 1 is not finite\.$/],
    ["[".repeat(200), "JSON_DEPTH", /^JSON nested deeper than 128 levels\.$/],
    [`[${"1,".repeat(100000)}1]`, "JSON_NODES", /^JSON text of more than 100000 values\.$/],
    [`"${"x".repeat(3 << 20)}"`, "JSON_SIZE", /^JSON text of more than 2097152 bytes\.$/],
  ];
  for (const [text, code, message] of cases) {
    const told = compiled.validateJson(text);
    assert.deepEqual(
      [told.valid, told.value, told.errors.length, told.errors[0].code],
      [false, undefined, 1, code],
    );
    assert.match(told.errors[0].error, message);
  }
  assert.throws(() => compiled.validateJson(5), { code: "BAD_ARGUMENT" });
});

test("the depth of values and schemas is bounded, not the stack", () => {
  const nested = (depth) => "[".repeat(depth) + "]".repeat(depth);
  const lists = compileSchema({ type: "array", items: { $ref: "#" } });
  assert.deepEqual(
    [127, 128, 129, 100000].map((depth) => lists.validateJson(nested(depth)).errors[0]?.code),
    [undefined, undefined, "JSON_DEPTH", "JSON_DEPTH"],
  );
  let deep = [];
  for (let i = 0; i < 100000; i++) deep = [deep];
  assert.equal(lists.validate(deep).valid, false);
  let schema = {};
  for (let i = 0; i < 100000; i++) schema = { not: schema };
  assert.throws(() => compileSchema(schema));
  assert.throws(() => compileSchema(true, { draft: "4" }), { code: "BAD_ARGUMENT" });
});

test("no code is made from text", () => {
  const { Function: made, eval: run } = globalThis;
  const refuse = () => {
    throw new Error("refused");
  };
  globalThis.Function = refuse;
  globalThis.eval = refuse;
  try {
    const compiled = compileSchema(
      { type: "string", pattern: "^(?=a)a+$", format: "date" },
      { formats: true },
    );
    assert.deepEqual(
      [compiled.validateJson('"aa"').valid, compiled.validateJson('"b"').valid],
      [false, false],
    );
  } finally {
    globalThis.Function = made;
    globalThis.eval = run;
  }
});

test("values without JSON form do not fit", () => {
  const compiled = compileSchema(true);
  const circle = {};
  circle.self = circle;
  for (const value of [undefined, () => 1, Symbol("s"), 1n, circle])
    assert.equal(compiled.validate(value).valid, false);
  assert.match(
    compiled.validate(undefined).errors[0].error,
    /^expected a JSON value, found undefined$/,
  );
});

test("other documents come from the table alone, by address, $id and relative address", () => {
  const remotes = {
    "https://example.com/a.json": { $defs: { n: { $anchor: "n", type: "number" } } },
    "part.json": { $id: "https://example.com/b.json", type: "string" },
  };
  const fits = (schema, value) => compileSchema(schema, { remotes }).validate(value).valid;
  assert.deepEqual(
    [
      fits({ $ref: "https://example.com/a.json#n" }, 1),
      fits({ $ref: "https://example.com/a.json#/$defs/n" }, ""),
    ],
    [true, false],
  );
  assert.deepEqual(
    [
      fits({ $ref: "part.json" }, "s"),
      fits({ $id: "https://example.com/x/y", $ref: "../b.json" }, 1),
    ],
    [true, false],
  );
  assert.throws(() => fits({ $ref: "https://example.com/c.json" }, 1), {
    code: "BAD_SCHEMA",
    message: /at \/\$ref: the reference names no document that is given/,
  });
  assert.equal(
    compileSchema({ $ref: "https://json-schema.org/draft/2020-12/schema" }).validate({
      type: "strin",
    }).valid,
    false,
  );
});

test("the draft is that of $schema, else of the option, else 2020-12", () => {
  const lists = { items: [{ type: "string" }], additionalItems: false };
  assert.equal(compileSchema({ prefixItems: [{ type: "string" }] }).validate([1]).valid, false);
  assert.equal(
    compileSchema({ prefixItems: [{ type: "string" }] }, { draft: "2019-09" }).validate([1]).valid,
    true,
  );
  assert.equal(compileSchema(lists, { draft: "7" }).validate(["a", 1]).valid, false);
  assert.equal(
    compileSchema({
      $schema: "http://json-schema.org/draft-07/schema#",
      $ref: "#/definitions/a",
      minimum: 5,
      definitions: { a: true },
    }).validate(1).valid,
    true,
  );
  assert.equal(
    compileSchema(
      { $recursiveAnchor: true, properties: { c: { $recursiveRef: "#" } }, required: ["id"] },
      { draft: "2019-09" },
    ).validate({ id: 1, c: {} }).valid,
    false,
  );
  assert.throws(() => compileSchema({}, { draft: "8" }), { code: "BAD_ARGUMENT" });
  assert.throws(() => compileSchema({ $schema: "https://example.com/own" }), {
    code: "BAD_SCHEMA",
    message: /an unknown dialect/,
  });
});

test("a metaschema chooses vocabularies, and an unknown one that it requires is refused", () => {
  const core = "https://json-schema.org/draft/2020-12/vocab/";
  const dialect = (vocabularies) => ({
    "https://example.com/meta": {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $vocabulary: vocabularies,
    },
  });
  const schema = {
    $schema: "https://example.com/meta",
    properties: { a: { type: "string" } },
    required: ["b"],
    format: "uuid",
  };
  const remotes = dialect({ [`${core}core`]: true, [`${core}applicator`]: true });
  assert.equal(compileSchema(schema, { remotes }).validate({ a: 1 }).valid, true);
  assert.throws(
    () => compileSchema(schema, { remotes: dialect({ "https://example.com/own": true }) }),
    { message: /an unknown vocabulary is required/ },
  );
  assert.equal(
    compileSchema(schema, { remotes: dialect({ "https://example.com/own": false }) }).validate({
      a: 1,
    }).valid,
    true,
  );
  const asserting = dialect({ [`${core}core`]: true, [`${core}format-assertion`]: true });
  assert.equal(compileSchema(schema, { remotes: asserting }).validate("no uuid").valid, false);
});

test("formats are annotations until they are asked for", () => {
  const schema = {
    properties: { d: { format: "date" }, i: { format: "ipv6" }, own: { format: "own" } },
  };
  assert.equal(compileSchema(schema).validate({ d: "x", i: "x", own: "x" }).valid, true);
  const told = compileSchema(schema, { formats: true }).validate({
    d: "2023-02-29",
    i: "::g",
    own: "x",
  });
  assert.equal(
    formatErrors(told.errors),
    '✖ /d: expected text of the format "date", found string "2023-02-29"\n✖ /i: expected text of the format "ipv6", found string "::g"',
  );
  for (const own of [/^[a-c]+$/, /^[a-c]+$/i, "^[a-c]+$", (text) => [..."abc"].includes(text)]) {
    const compiled = compileSchema(schema, { formats: { own, ipv6: false } });
    assert.deepEqual(
      [
        compiled.validate({ own: "b", i: "no" }).valid,
        compiled.validate({ own: "x" }).valid,
        compiled.validate({ d: "no" }).valid,
      ],
      [true, false, false],
    );
  }
  assert.throws(() => compileSchema(schema, { formats: { own: 5 } }), { code: "BAD_ARGUMENT" });
  assert.equal(
    compileSchema({ format: "uri" }, { formats: true }).validate(`data:,${"x".repeat(9000)}`).valid,
    true,
  );
});

test("defaults are filled in where asked, and count as present", () => {
  const schema = {
    properties: { a: { default: 1 }, b: { properties: { c: { default: [] } } } },
    required: ["a"],
  };
  assert.equal(compileSchema(schema).validate({}).valid, false);
  const compiled = compileSchema(schema, { defaults: true });
  const given = { b: {} };
  assert.deepEqual(compiled.validate(given), {
    valid: true,
    value: { b: { c: [] }, a: 1 },
    errors: [],
  });
  assert.deepEqual(given, { b: {} });
  assert.deepEqual(compiled.validateJson('{"a":2}').value, { a: 2 });
});

test("lookaround, back references and properties of letters are matched, also on long texts", () => {
  const compiled = compileSchema({ pattern: "^(?=a)[ab]+$|(.)\\1\\p{Lu}$" });
  assert.deepEqual(
    ["ab", "ba", "xxÄ", "xyÄ"].map((text) => compiled.validate(text).valid),
    [true, false, true, false],
  );
  assert.equal(compileSchema({ pattern: "^(?=a)[ab]+$" }).validate("a".repeat(50000)).valid, true);
  const password = compileSchema({ pattern: "^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{8,}$" });
  assert.deepEqual(
    ["Password1", "password1", "Pass1", "Pass word1"].map((text) => password.validate(text).valid),
    [true, false, false, false],
  );
  assert.equal(compileSchema({ pattern: "^.{1,65535}$" }).validate("a".repeat(3000)).valid, true);
  for (const pattern of ["(?=a", "\\p{Nothing}", "\\p{", "(a)\\2", "\\k<n>", "(?=a)*"])
    assert.throws(() => compileSchema({ pattern }), { code: "BAD_PATTERN" }, pattern);
});

test("no pattern is given to the host's RegExp, and none takes longer than its budget", () => {
  const { RegExp: own } = globalThis;
  const letters = `${"a".repeat(40)}!`;
  // The host may look which letters have a property, and nothing else.
  globalThis.RegExp = function (source, flags) {
    assert.match(String(source), /^\\p\{\w+\}\+$/);
    return new own(source, flags);
  };
  try {
    const evil = [
      "^(?=(a+)+$)",
      "^(?!(a+)+$)(a|aa)+$",
      "^(a+)+\\1$",
      "(?<=^(a+)+)b",
      "^(?:(a|a)*)*\\1b",
      "^(\\p{Ll}+)+$",
      "^(?:(a+)+)+\\1b$",
    ];
    for (const [at, pattern] of evil.entries()) {
      const places = [
        [{ pattern }, letters],
        [{ patternProperties: { [pattern]: false } }, { [letters]: 1 }],
        [{ propertyNames: { pattern } }, { [letters]: 1 }],
        [{ format: "own" }, letters],
      ];
      for (const [schema, value] of places.slice(0, at === 0 || at === evil.length - 1 ? 4 : 1)) {
        const compiled = compileSchema(schema, { formats: { own: pattern } });
        try {
          assert.equal(typeof compiled.validate(value).valid, "boolean");
        } catch (error) {
          assert.equal(error.code, "SCHEMA_BUDGET", `${pattern}: ${error}`);
        }
        compiled.free();
      }
    }
  } finally {
    globalThis.RegExp = own;
  }
});

test("no standard format takes long, whatever the text", () => {
  const texts = [
    "a",
    "-",
    ".",
    "1",
    ":",
    "/",
    "%",
    "%41",
    "@",
    "a.",
    "a@",
    "xn--a.",
    "é",
    "é.",
    "\u094d\u200c",
    "\u0627",
    "\u0627\u0301",
    "(",
    "[",
    "{a}",
    "~0",
    "P1D",
    "1:",
    "::",
  ].flatMap((unit) => [
    unit.repeat(5000),
    `${unit.repeat(5000)}!`,
    `a@${unit.repeat(5000)}`,
    `http://${unit.repeat(5000)}`,
  ]);
  for (const format of Object.keys(standardFormats)) {
    const compiled = compileSchema({ items: { format } }, { formats: true });
    for (const text of texts) assert.equal(typeof compiled.validate([text]).valid, "boolean");
  }
});

test("a schema that asks itself about the same value is decided by all that does not depend on it", () => {
  const own = { anyOf: [{ $ref: "#" }, { type: "null" }], maximum: 5 };
  assert.deepEqual(
    [compileSchema(own).validate(null).valid, compileSchema(own).validate(6).valid],
    [true, false],
  );
  assert.throws(() => compileSchema(own).validate(4), { code: "SCHEMA_BUDGET" });
  const defs = {
    $defs: { x: { minLength: 2, $ref: "#/$defs/x" }, n: { not: { $ref: "#/$defs/n" } } },
  };
  for (const [schema, value, valid] of [
    [{ $ref: "#/$defs/x" }, "a", false],
    [{ $ref: "#/$defs/n", type: "integer" }, "a", false],
    [{ anyOf: [{ $ref: "#/$defs/n" }, true] }, "a", true],
    [{ oneOf: [{ $ref: "#/$defs/n" }, true, { type: "string" }] }, "a", false],
    [{ not: { allOf: [{ $ref: "#/$defs/n" }, false] } }, "a", true],
    [{ contains: { $ref: "#/$defs/n" } }, [], false],
    [{ contains: { anyOf: [{ $ref: "#/$defs/n" }, { const: 1 }] } }, [2, 1], true],
    [{ prefixItems: [{ $ref: "#/$defs/n" }], maxItems: 1 }, [1, 2], false],
    [{ if: { $ref: "#/$defs/n" } }, "a", true],
    [{ if: { $ref: "#/$defs/n" }, then: true, maxLength: 0 }, "a", false],
  ]) {
    const { valid: found, errors } = compileSchema({ ...schema, ...defs }).validate(value);
    assert.deepEqual([found, errors.length > 0], [valid, !valid], JSON.stringify(schema));
  }
});

test("a value that does not fit is told so, if not of all problems, where the rest takes too long", () => {
  const doubling = { maximum: 1, $ref: "#/$defs/d0", $defs: { d25: { type: "null" } } };
  for (let i = 0; i < 25; i++)
    doubling.$defs[`d${i}`] = {
      allOf: [
        { anyOf: [{ type: "string" }, { $ref: `#/$defs/d${i + 1}` }] },
        { $ref: `#/$defs/d${i + 1}` },
      ],
    };
  const { valid, errors } = compileSchema({
    type: "string",
    allOf: [{ allOf: [doubling, doubling].map((schema) => ({ not: { not: schema } })) }],
    $defs: doubling.$defs,
  }).validate(7);
  assert.deepEqual([valid, errors[0].error], [false, "expected string, found number 7"]);
});

test("cyclic and exponential schemas end with a typed error", () => {
  const doubling = { $ref: "#/$defs/d0", $defs: { d30: { type: "null" } } };
  for (let i = 0; i < 30; i++)
    doubling.$defs[`d${i}`] = {
      allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }],
    };
  const cyclic = [
    { $ref: "#" },
    { not: { $ref: "#" } },
    { $dynamicAnchor: "a", allOf: [{ $dynamicRef: "#a" }] },
    { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
  ];
  for (const schema of [doubling, ...cyclic]) {
    const compiled = compileSchema(schema);
    const start = process.cpuUsage();
    assert.throws(() => compiled.validate(null), {
      code: "SCHEMA_BUDGET",
      message: "The validation took more than 1000000 steps.",
    });
    assert.ok(process.cpuUsage(start).user < 1000000);
  }
  assert.throws(
    () =>
      compileSchema(
        { $schema: "https://e.com/m" },
        { remotes: { "https://e.com/m": { $schema: "https://e.com/m" } } },
      ),
    { code: "BAD_SCHEMA" },
  );
});

test("schemas that cannot be used are refused with the place", () => {
  const refused = (schema, code, message) =>
    assert.throws(() => compileSchema(schema), { name: "WeftError", code, message });
  refused(
    { properties: { a: { type: "strin" } } },
    "BAD_SCHEMA",
    "The schema is not usable at /properties/a/type: an unknown type.",
  );
  refused(
    { items: { pattern: "(" } },
    "BAD_PATTERN",
    "The pattern /items/pattern is not usable: a group is not closed.",
  );
  refused({ $ref: "#/$defs/none" }, "BAD_SCHEMA", /names nothing inside this schema/);
  refused(5, "BAD_SCHEMA", /a schema is an object or a boolean/);
  refused(undefined, "BAD_ARGUMENT", /./);
  refused(null, "BAD_ARGUMENT", /./);
  let deep = {};
  for (let i = 0; i < 200; i++) deep = { not: deep };
  refused(deep, "JSON_DEPTH", /128 levels/);
});

test("decimal steps are exact", () => {
  const fits = (multipleOf, value) => compileSchema({ multipleOf }).validate(value).valid;
  for (const [step, value] of [
    [0.01, 19.99],
    [0.1, 0.3],
    [1e-7, 3e-7],
    [0.0001, 0.0075],
    [2.5, 1e20],
    [3, 3e15],
    [1e300, 5e307],
  ])
    assert.ok(fits(step, value), `${value} of ${step}`);
  for (const [step, value] of [
    [0.01, 19.995],
    [0.1, 0.35],
    [7, 1e15],
    [0.123456789, 1e308],
    [1e-3, 1e-4],
  ])
    assert.ok(!fits(step, value), `${value} of ${step}`);
});

test("equal schemas share what the engine holds, different ones do not", () => {
  const engine = getEngine();
  const before = engine.call("weft_bytes");
  const kept = Array.from({ length: 1000 }, () =>
    compileSchema({ type: "integer", $comment: "shared" }),
  );
  const one = engine.call("weft_bytes") - before;
  assert.ok(one < 100000, `${one} bytes`);
  kept[0].free();
  assert.deepEqual([kept[0].validate(1).valid, kept[999].validate("x").valid], [true, false]);
  assert.equal(compileSchema({ type: "string", $comment: "shared" }).validate("x").valid, true);
});

test("texts of any length go in, whatever became of the engine's memory or the engine since", () => {
  const compiled = compileSchema({ type: "array", items: { type: "string" }, $comment: "moves" });
  const check = (text, valid) =>
    assert.deepEqual(
      [compiled.validateJson(text).valid, compiled.validateJson(text.replace("[", "[1,")).valid],
      [valid, false],
    );
  check('["é"]', true);
  const engine = getEngine();
  const { buffer } = engine.x.memory;
  check(JSON.stringify(["\u20ac".repeat(5000), "x"]), true);
  check('["a"]', true);
  const kept = [];
  for (let i = 0; engine.x.memory.buffer === buffer; i++)
    kept.push(compileSchema({ $comment: `${i}${"x".repeat(60000)}` }));
  check('["b"]', true);
  engine.trap(new Error("lost"));
  check('["c"]', true);
  assert.notEqual(getEngine(), engine);
});

test("freed schemas give their memory back and can still be used", () => {
  const compiled = compileSchema({ type: "string" });
  compiled.free();
  compiled.free();
  assert.equal(compiled.validate("a").valid, true);
});

test("a text that fits becomes what JSON.parse makes of it", () => {
  const any = compileSchema(true);
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, index]));
  const values = [
    "text",
    "",
    " spaced ",
    0,
    7,
    123456789,
    1234567890,
    12345678901234567890,
    -1,
    -123.5e-7,
    1e21,
    5e-324,
    true,
    false,
    null,
    [],
    [1, "a"],
    {},
    { a: 1 },
    "\u00e9",
    "\ud83d\ude00",
    '"',
    "\\",
    "\n",
    "\u0000",
  ];
  const texts = [
    ...values.map((value) => JSON.stringify({ before: "x", value, after: 1 })),
    ...values.map((value) => JSON.stringify(value)),
    '{"n":-0}',
    '{"n":-0.0}',
    '{"n":1E2}',
    '{ "a" : 1 , "b" : "two" }',
    '{"2":1,"1":2,"a":3}',
    '{"":1}',
    JSON.stringify(many),
    JSON.stringify({ long: "x".repeat(600) }),
    // Keys that look alike at a glance, and come and go.
    JSON.stringify(
      Array.from({ length: 9 }, (_, i) => ({
        [`a${i}z`]: i,
        [`a${i % 3}z`]: { deep: [[i], {}, [{ x: `v${i}` }]] },
        ...(i % 2 ? { more: null } : {}),
      })),
    ),
    `${"[".repeat(100)}${"]".repeat(100)}`,
    JSON.stringify({ list: Array.from({ length: 600 }, (_, i) => ({ i })) }),
    '[{"a":1},{"__proto__":{"a":2}}]',
    '[{"\\u0061":1}]',
    JSON.stringify([{ many }, [many]]),
    '{"__proto__":1}',
    '{"__proto__":null,"a":1}',
    '{"toString":1,"constructor":"c","a":2}',
    '{"\\u0061":1}',
    '{"\u00e9":1}',
  ];
  for (const text of [...texts, ...texts]) {
    const { valid, value } = any.validateJson(text);
    const expected = JSON.parse(text);
    assert.ok(valid, text);
    assert.deepEqual(value, expected, text);
    if (typeof expected !== "object" || expected === null) continue;
    assert.deepEqual(Reflect.ownKeys(value), Reflect.ownKeys(expected), text);
    assert.equal(Object.getPrototypeOf(value), Object.getPrototypeOf(expected), text);
  }
  assert.ok(Object.is(any.validateJson('{"n":-0}').value.n, -0));
});

test("a value is its own, whatever is checked next", () => {
  const checked = compileSchema({ type: "object" });
  const first = checked.validateJson('{"city":"Berlin, which is long","days":7}').value;
  const second = checked.validateJson('{"city":"Paris","days":8,"more":true}').value;
  checked.validateJson(JSON.stringify({ city: "x".repeat(300000) })); // memory grows
  assert.deepEqual(
    [first, second],
    [
      { city: "Berlin, which is long", days: 7 },
      { city: "Paris", days: 8, more: true },
    ],
  );
  assert.deepEqual(checked.validateJson('{"city":"Oslo","days":9}').value, {
    city: "Oslo",
    days: 9,
  });
});

test("a schema that is nested too deep, or no JSON, is refused with a code", () => {
  let deep = {};
  for (let level = 0; level < 100_000; level++) deep = { items: deep };
  const circular = {};
  circular.items = circular;
  assert.throws(() => compileSchema(deep), { code: "BAD_ARGUMENT", message: /nested too deep/ });
  assert.throws(() => compileSchema({}, { remotes: { "https://x.example/": deep } }), {
    code: "BAD_ARGUMENT",
    message: /nested too deep/,
  });
  assert.throws(() => compileSchema(circular), { code: "BAD_ARGUMENT", message: /circular/ });
});
