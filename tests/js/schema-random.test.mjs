// SPDX-License-Identifier: MIT
// Random schemas against ajv (and, where they differ, @cfworker/json-schema), random patterns
// against RegExp. WEFT_SEED chooses others, WEFT_LONG=1 runs twenty times as many.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Validator } from "@cfworker/json-schema";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { compileSchema } from "weftgraph/schema";

const times = process.env.WEFT_LONG ? 20 : 1;
const AJV = { 7: Ajv, "2019-09": Ajv2019, "2020-12": Ajv2020 };
const NAMES = ["a", "b", "c", "ab", "é", "x-1"];
const TYPES = ["null", "boolean", "number", "integer", "string", "array", "object"];
const NUMBERS = [
  0, 1, 2, 3, -1, 1.5, 10, 0.3, 0.1, 19.99, 100, 1e21, 1e-7, -0, 9007199254740993, 1e308,
];
const TEXTS = [
  "",
  "a",
  "ab",
  "abc",
  "xy",
  "é",
  "e\u0301",
  "😀",
  "👨‍👩‍👧",
  "aaaaaaaaaaaa",
  "\u0000",
  "12",
];
const REFERENCES = ["#/$defs/x", "#/$defs/y", "#/$defs/z", "#/$defs/t", "#"];

/** What draws: numbers below `n`, one of a list, a list of up to `n`. */
function dice(seed) {
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n) => Math.floor(next() * n);
  const pick = (list) => list[below(list.length)];
  return { below, pick, some: (n, make) => Array.from({ length: below(n + 1) }, make) };
}

function valueFrom({ below, pick, some }, depth) {
  const make = () => valueFrom({ below, pick, some }, depth - 1);
  switch (below(depth > 0 ? 6 : 4)) {
    case 0:
      return pick([null, true, false]);
    case 1:
      return pick(NUMBERS);
    case 2:
    case 3:
      return pick(TEXTS);
    case 4:
      return below(30) > 0
        ? some(5, make)
        : Array.from({ length: 50 + below(400) }, (_, i) => (below(3) > 0 ? i : make()));
    default:
      return Object.fromEntries(some(5, () => [pick(NAMES), make()]));
  }
}

function schemaFrom({ below, pick, some }, depth, draft) {
  const sub = () =>
    depth > 0
      ? schemaFrom({ below, pick, some }, depth - 1, draft)
      : pick([{ type: pick(TYPES) }, true, { $ref: pick(REFERENCES) }]);
  const map = () =>
    Object.fromEntries([...some(2, () => [pick(NAMES), sub()]), [pick(NAMES), sub()]]);
  const names = () => [...new Set([pick(NAMES), pick(NAMES)])];
  const value = () => valueFrom({ below, pick, some }, 2);
  const different = (list) =>
    list.filter(
      (item, at) =>
        list.findIndex((other) => JSON.stringify(other) === JSON.stringify(item)) === at,
    );
  const number = () => pick(NUMBERS);
  const keywords = {
    type: () => (below(3) > 0 ? pick(TYPES) : [...new Set([pick(TYPES), pick(TYPES)])]),
    const: value,
    enum: () => different(["a", value(), [value()], pick([1, null])]),
    multipleOf: () => pick([1, 2, 0.5, 0.01, 1e-8]),
    maximum: number,
    minimum: number,
    exclusiveMaximum: number,
    exclusiveMinimum: number,
    maxLength: () => below(4),
    minLength: () => below(4),
    pattern: () =>
      pick([
        "^a",
        "b$",
        "^[a-c]+$",
        "x|y",
        "^.$",
        "(?=a)",
        "^(?!a)",
        "^(a+)+$",
        "(.)\\1",
        "\\p{L}",
      ]),
    maxItems: () => below(4),
    minItems: () => below(4),
    uniqueItems: () => below(3) > 0,
    items: sub,
    contains: sub,
    properties: map,
    patternProperties: () => ({
      [pick(["^a", "b", "c$", "^.$"])]: sub(),
      ...(below(2) > 0 ? { "x|y": sub() } : {}),
    }),
    additionalProperties: sub,
    propertyNames: sub,
    maxProperties: () => below(4),
    minProperties: () => below(3),
    required: names,
    allOf: () => [sub(), sub()],
    anyOf: () => [sub(), sub(), ...some(2, sub)],
    oneOf: () => [sub(), sub(), sub()],
    not: sub,
    if: sub,
    then: sub,
    else: sub,
    $ref: () => pick(REFERENCES.slice(0, 4)),
    ...(draft === "7"
      ? { dependencies: () => ({ [pick(NAMES)]: pick([sub(), names()]) }) }
      : {
          dependentRequired: () => ({ [pick(NAMES)]: names() }),
          dependentSchemas: map,
          unevaluatedItems: sub,
          unevaluatedProperties: sub,
          minContains: () => below(3),
          maxContains: () => 1 + below(3),
        }),
    ...(draft === "2020-12" ? { prefixItems: () => [sub(), sub()] } : { additionalItems: sub }),
  };
  // There `contains` evaluates no items, which both others overlook.
  if (draft === "2019-09") delete keywords.contains;
  if (below(14) === 0) return pick([true, true, false]);
  const chosen = [pick(Object.keys(keywords)), ...some(3, () => pick(Object.keys(keywords)))];
  return Object.fromEntries(chosen.map((name) => [name, keywords[name]()]));
}

/** Undefined where a validator fails itself. */
function opinion(validate) {
  try {
    return validate();
  } catch {
    return undefined;
  }
}

/** Undefined where the verdict would depend on itself. */
function told(compiled, value) {
  try {
    return compiled.validate(value);
  } catch (error) {
    assert.equal(error.code, "SCHEMA_BUDGET");
    return undefined;
  }
}

const tally = { checks: 0, undecided: 0, differences: 0 };

function check(draw, draft) {
  const made = schemaFrom(draw, 3, draft);
  const $defs = {
    x: schemaFrom(draw, 2, draft),
    y: { type: draw.pick(TYPES) },
    z: schemaFrom(draw, 1, draft),
    t: { properties: { a: { $ref: "#/$defs/t" }, b: { $ref: "#" } }, items: { $ref: "#/$defs/t" } },
  };
  const schema = { ...(made === true ? {} : made === false ? { not: {} } : made), $defs };
  let validate;
  try {
    validate = new AJV[draft]({ strict: false, validateSchema: false, logger: false }).compile(
      schema,
    );
  } catch {
    return; // what ajv refuses to compile, such as references in a circle
  }
  const compiled = compileSchema(schema, { draft });
  for (let i = 0; i < 8; i++) {
    const value = valueFrom(draw, 4);
    const expected = opinion(() => validate(value));
    if (expected === undefined) continue; // references in a circle, and faults of its own
    tally.checks++;
    const found = told(compiled, value);
    if (found === undefined) {
      tally.undecided++;
      continue;
    }
    assert.equal(found.valid, found.errors.length === 0);
    if (found.valid === expected) continue;
    // Where ajv itself differs from the specification: the table of docs/guides/json-schema.md.
    tally.differences++;
    assert.equal(
      found.valid,
      opinion(() => new Validator(schema, draft).validate(value).valid) ?? found.valid,
      JSON.stringify({ draft, schema, value }),
    );
  }
  compiled.free();
}

test("random schemas have the verdicts of ajv, and what ajv decides is decided", (t) => {
  const draw = dice(Number(process.env.WEFT_SEED ?? 1));
  for (let i = 0; i < 330 * times; i++) check(draw, draw.pick(Object.keys(AJV)));
  t.diagnostic(JSON.stringify(tally));
  assert.ok(tally.checks > 2000 * times);
  // Schemas that ask themselves about the same value, which ajv decides by the order in which it
  // looks.
  assert.ok(tally.undecided <= tally.checks / 1000, `${tally.undecided} of ${tally.checks}`);
});

test("where ajv differs from the specification, the specification rules", () => {
  const cases = [
    ["2020-12", { multipleOf: 1e-8 }, 19.99, true],
    ["2020-12", { multipleOf: 0.01 }, 1e308, true],
    ["7", { $ref: "#/definitions/any", type: "string", definitions: { any: true } }, 5, true],
    ["2020-12", { prefixItems: [{ minLength: 2 }], contains: {} }, [], false],
    ["2020-12", { contains: {}, unevaluatedItems: { required: ["a"] } }, [{}], true],
    [
      "2020-12",
      { if: { oneOf: [{ items: {} }] }, unevaluatedItems: { type: "integer" } },
      [[]],
      true,
    ],
  ];
  for (const [draft, schema, value, valid] of cases) {
    assert.equal(
      compileSchema(schema, { draft }).validate(value).valid,
      valid,
      JSON.stringify(schema),
    );
    assert.equal(
      new AJV[draft]({ strict: false, logger: false }).compile(schema)(value),
      !valid,
      `ajv on ${JSON.stringify(schema)}`,
    );
  }
});

/**
 * `around`: the lookaround that may be had; the back references of random patterns stand beside no
 * lookbehind.
 */
function patternFrom({ below, pick, some }, depth, around) {
  const choice = () => {
    const parts = some(4, () => {
      const kind = below(depth > 0 ? 8 : 5);
      if (kind === 4) return pick(["^", "$", "\\b", "\\B"]);
      if (kind === 6)
        return `${pick(around)}${patternFrom({ below, pick, some }, depth - 1, around)})`;
      if (kind === 7)
        return around.length > 2
          ? pick(["\\p{L}", "\\P{L}", "[\\p{Lu}\\d]", "[^\\p{Script=Latin}]"])
          : `(${pick(["a", "b", "[ab]", "(?:a|ab)", "(?:)"])}${pick(["", "*", "+?"])})${pick(["", "(?:\\1)", "(?:\\1)?"])}`;
      const atom =
        kind === 5
          ? `${pick(["(", "(?:"])}${patternFrom({ below, pick, some }, depth - 1, around)})`
          : kind === 3
            ? pick([
                "[abc]",
                "[^ab]",
                "[a-c0-9]",
                "[\\d-]",
                "[^\\w]",
                "[é-ë]",
                "[😀-😂]",
                "[\\s\\S]",
              ])
            : pick([
                "a",
                "b",
                "é",
                "😀",
                "-",
                "0",
                "\\d",
                "\\w",
                "\\s",
                "\\D",
                "\\W",
                ".",
                "\\n",
                "\\u0061",
                "\\x62",
                "\\\\",
              ]);
      return atom + pick(["", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}", "*?"]);
    });
    return parts.join("");
  };
  return [choice(), ...some(below(2), choice)].join("|");
}

test("random patterns match as RegExp matches", () => {
  const draw = dice(Number(process.env.WEFT_SEED ?? 1));
  for (let i = 0; i < 1500 * times; i++) {
    const pattern =
      draw.pick(["", "^"]) +
      patternFrom(
        draw,
        2,
        draw.pick([
          ["(?=", "(?!", "(?<=", "(?<!"],
          ["(?=", "(?!"],
        ]),
      ) +
      draw.pick(["", "", "$"]);
    const expression = new RegExp(pattern, "u");
    const compiled = compileSchema({ pattern });
    for (let k = 0; k < 12; k++) {
      // V8 finds what must not be there (\\B, negative lookaround) in the middle of a pair of
      // surrogates, where a pattern with the flag u never stands.
      const pair = /\\B|\(\?<?!/.test(pattern) ? "z" : "😀";
      const text = draw
        .some(8, () =>
          draw.pick(["a", "b", "c", "é", pair, " ", "-", "0", "\n", "\\", "z", "\0", '"']),
        )
        .join("");
      assert.equal(
        compiled.validate(text).valid,
        expression.test(text),
        JSON.stringify({ pattern, text }),
      );
    }
    compiled.free();
  }
});
