// SPDX-License-Identifier: MIT
// What models get wrong, by the titles of the rows in docs/malformed-output.md: arguments as the
// model's own text, messages with tool calls, and schemas as a server of tools may send them. See
// malformed.test.mjs.

const repeat = (text, count) => text.repeat(count);
const object = (text) => `{"x":${text}}`;

/** Arguments of the tool `any`, which takes every object. */
export const ARGUMENTS = {
  "129 levels": object(repeat("[", 128) + repeat("]", 128)),
  "128 levels": object(repeat("[", 127) + repeat("]", 127)),
  "1,001 levels": object(repeat("[", 1000) + repeat("]", 1000)),
  "100,000 open brackets": repeat("[", 100000),
  "an array of 1,000,000 items": object(`[${repeat("1,", 999999)}1]`),
  "an object of 100,001 keys": `{${Array.from({ length: 100001 }, (_, i) => `"k${i}":1`).join()}}`,
  "an object of 90,000 keys": `{${Array.from({ length: 90000 }, (_, i) => `"k${i}":1`).join()}}`,
  "a text of 16 MB": object(`"${repeat("x", 16 << 20)}"`),
  "1,000,000 escapes": object(`"${repeat("\\u0041", 1000000)}"`),
  "300,000 escapes": object(`"${repeat("\\u0041", 300000)}"`),
  "a number of 1,000,000 digits": object(repeat("9", 1000000)),
  "`1e400`": object("1e400"),
  "`-1e400`": object("-1e400"),
  "`NaN`": object("NaN"),
  "`Infinity`": object("Infinity"),
  "2^53 + 1": object("9007199254740993"),
  "the largest of 64 bits": object("18446744073709551615"),
  "a snowflake id": object("1234567890123456789"),
  "`-0`": object("-0"),
  "`5e-324`": object("5e-324"),
  "`01`": object("01"),
  "`1.`": object("1."),
  "`.5`": object(".5"),
  "`+1`": object("+1"),
  "`1.e5`": object("1.e5"),
  "a comma behind the last item": object("[1,]"),
  "single quotes": "{'x':1}",
  "a comment": '{"x":1 /* one */}',
  "a fence of Markdown": '```json\n{"x":1}\n```',
  "text behind the value": '{"x":1} done',
  "a second document": '{"x":1}{"x":2}',
  "a byte order mark": '\ufeff{"x":1}',
  "a raw line feed in a text": object('"a\nb"'),
  "NUL inside a text": object('"a\0b"'),
  "NUL behind the value": '{"x":1}\0',
  "`\\u0000` in a key": '{"a\\u0000b":1}',
  "`\\u0000` in a value": object('"a\\u0000b"'),
  "`\\uZZZZ`": object('"\\uZZZZ"'),
  "a lone high surrogate": object('"\\ud800"'),
  "a lone low surrogate": object('"\\udc00"'),
  "surrogates in the wrong order": object('"\\udc00\\ud800"'),
  "a high surrogate before a letter": object('"\\ud800x"'),
  "a lone surrogate in a key": '{"\\ud800":1}',
  "a raw lone surrogate": object('"\ud800"'),
  "the same key twice": '{"x":1,"x":2}',
  "the same key twice, one escaped": '{"x":1,"\\u0078":2}',
  "keys that differ by case": '{"x":1,"X":2}',
  "`__proto__` as a key": '{"__proto__":{"polluted":true},"constructor":1}',
  nothing: "",
  "truncated JSON": '{"x":[1,2',
  "an array": "[1]",
  "a number": "5",
  "`null`": "null",
  "a text of JSON in a text": '"{\\"x\\":1}"',
  "10 MB": object(`"${repeat("x", 10 << 20)}"`),
};

/** Tool calls of one message; tools: `any`. */
export const CALLS = {
  "no id": [{ name: "any", args: { x: 1 } }],
  "an empty id": [{ name: "any", args: { x: 1 }, id: "" }],
  "an id twice": [
    { name: "any", args: { x: 1 }, id: "1" },
    { name: "any", args: { x: 2 }, id: "1" },
  ],
  "an unknown tool": [{ name: "nope", args: {}, id: "1" }],
  "a tool's name in other letters": [{ name: "\u0430ny", args: {}, id: "1" }],
  "a tool's name in other case": [{ name: "Any", args: {}, id: "1" }],
  "a name of 10,000 letters": [{ name: repeat("n", 10000), args: {}, id: "1" }],
  "no name": [{ args: {}, id: "1" }],
  "no arguments": [{ name: "any", id: "1" }],
  "1,001 calls": Array.from({ length: 1001 }, (_, i) => ({ name: "any", args: {}, id: `c${i}` })),
};

const doubling = () => {
  const $defs = { d30: { type: "null" } };
  for (let i = 0; i < 30; i++)
    $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
  return { $ref: "#/$defs/d0", $defs };
};
const deep = (levels) => {
  let schema = {};
  for (let i = 0; i < levels; i++) schema = { not: schema };
  return schema;
};

/** Schemas, and a value for each. */
export const SCHEMAS = {
  "`^(a+)+$` on 100,000 letters": [{ pattern: "^(a+)+$" }, `${repeat("a", 100000)}!`],
  "`^(?=(a+)+$)(aa?)+$` on 100,000 letters": [
    { pattern: "^(?=(a+)+$)(aa?)+$" },
    `${repeat("a", 100000)}!`,
  ],
  "`^(?:(a+)+)+\\1b` on 100,000 letters": [{ pattern: "^(?:(a+)+)+\\1b" }, repeat("a", 100000)],
  "a pattern of 200 KB": [{ pattern: repeat("a?", 100000) }, "a"],
  "a pattern of 64 KB of groups": [{ pattern: repeat("(", 32768) + repeat(")", 32768) }, "a"],
  "a cycle of references": [
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    1,
  ],
  "a reference to itself": [{ $ref: "#" }, 1],
  "30 doublings by allOf": [doubling(), null],
  "oneOf of 1,000": [{ oneOf: Array.from({ length: 1000 }, (_, i) => ({ const: i })) }, 999],
  "uniqueItems on 30,000 objects": [
    { uniqueItems: true },
    Array.from({ length: 30000 }, (_, id) => ({ id })),
  ],
  "uniqueItems on 100,000 objects": [
    { uniqueItems: true },
    Array.from({ length: 100000 }, (_, id) => ({ id })),
  ],
  "a reference to another site": [{ $ref: "https://example.com/schema.json" }, 1],
  "1,000 levels": [deep(1000), 1],
  "an unknown type": [{ properties: { a: { type: "strin" } } }, {}],
};
