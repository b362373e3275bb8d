// SPDX-License-Identifier: MIT
// docs/benchmarks.md: a JSON text becomes a checked value, and a schema is compiled; against ajv
// and
// @cfworker/json-schema, on three schemas.
import { Validator } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { compileSchema } from "weftgraph/schema";
import { round } from "./measure.mjs";

const flat = {
  schema: {
    type: "object",
    properties: {
      city: { type: "string", minLength: 1, maxLength: 80 },
      unit: { type: "string", enum: ["celsius", "fahrenheit"] },
      days: { type: "integer", minimum: 1, maximum: 14 },
    },
    required: ["city", "unit"],
    additionalProperties: false,
  },
  value: { city: "San Francisco, CA", unit: "celsius", days: 7 },
};

const nested = {
  schema: {
    type: "object",
    properties: {
      orderId: { type: "string", pattern: "^ORD-[0-9]{6}$" },
      customer: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1 },
          email: { type: "string", pattern: "^[^@\\s]+@[^@\\s]+$" },
          vip: { type: "boolean" },
        },
        required: ["name", "email"],
        additionalProperties: false,
      },
      address: {
        type: "object",
        properties: {
          street: { type: "string" },
          city: { type: "string" },
          zip: { type: "string", pattern: "^[0-9]{5}$" },
          country: { type: "string", minLength: 2, maxLength: 2 },
        },
        required: ["street", "city", "zip", "country"],
        additionalProperties: false,
      },
      items: {
        type: "array",
        minItems: 1,
        maxItems: 100,
        items: {
          type: "object",
          properties: {
            sku: { type: "string", pattern: "^[A-Z]{3}-[0-9]{4}$" },
            quantity: { type: "integer", minimum: 1, maximum: 999 },
            price: { type: "number", minimum: 0 },
            note: { type: "string", maxLength: 200 },
          },
          required: ["sku", "quantity", "price"],
          additionalProperties: false,
        },
      },
    },
    required: ["orderId", "customer", "items"],
    additionalProperties: false,
  },
  value: {
    orderId: "ORD-004217",
    customer: { name: "Ada Lovelace", email: "ada@example.org", vip: true },
    address: { street: "12 St James's Square", city: "London", zip: "10115", country: "GB" },
    items: Array.from({ length: 20 }, (_, i) => ({
      sku: `ABC-${1000 + i}`,
      quantity: i + 1,
      price: (999 + 100 * i) / 100,
      note: "as soon",
    })),
  },
};

const column = {
  type: "object",
  properties: { table: { type: "string" }, name: { type: "string", minLength: 1 } },
  required: ["name"],
  additionalProperties: false,
};
const operator = (op, value) => ({
  type: "object",
  properties: { op: { const: op }, left: { $ref: "#/$defs/expr" }, right: value },
  required: ["op", "left", "right"],
  additionalProperties: false,
});
const group = (op) => ({
  type: "object",
  properties: {
    op: { const: op },
    filters: { type: "array", items: { $ref: "#/$defs/filter" }, minItems: 1 },
  },
  required: ["op", "filters"],
  additionalProperties: false,
});
const large = {
  schema: {
    type: "object",
    properties: {
      select: { type: "array", items: { $ref: "#/$defs/expr" }, minItems: 1, uniqueItems: true },
      from: { type: "string", minLength: 1 },
      where: { $ref: "#/$defs/filter" },
      options: {
        type: "object",
        propertyNames: { pattern: "^[a-z]+$" },
        additionalProperties: { type: ["string", "number", "boolean"] },
      },
      limit: { type: "integer", minimum: 1, maximum: 1000 },
    },
    required: ["select", "from"],
    additionalProperties: false,
    $defs: {
      column,
      literal: { type: ["string", "number", "boolean", "null"] },
      expr: {
        oneOf: [
          {
            type: "object",
            properties: { column: { $ref: "#/$defs/column" } },
            required: ["column"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: { value: { $ref: "#/$defs/literal" } },
            required: ["value"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: {
              call: { type: "string" },
              args: { type: "array", items: { $ref: "#/$defs/expr" } },
            },
            required: ["call", "args"],
            additionalProperties: false,
          },
        ],
      },
      filter: {
        oneOf: [
          group("and"),
          group("or"),
          {
            type: "object",
            properties: { op: { const: "not" }, filter: { $ref: "#/$defs/filter" } },
            required: ["op", "filter"],
            additionalProperties: false,
          },
          operator("eq", { $ref: "#/$defs/expr" }),
          operator("lt", { $ref: "#/$defs/expr" }),
          operator("gt", { $ref: "#/$defs/expr" }),
          operator("in", { type: "array", items: { $ref: "#/$defs/literal" } }),
          operator("like", { type: "string" }),
        ],
      },
    },
  },
  value: {
    select: [
      { column: { table: "orders", name: "id" } },
      { call: "sum", args: [{ column: { name: "total" } }] },
    ],
    from: "orders",
    where: {
      op: "and",
      filters: [
        { op: "eq", left: { column: { name: "state" } }, right: { value: "open" } },
        {
          op: "or",
          filters: [
            { op: "lt", left: { column: { name: "total" } }, right: { value: 100 } },
            { op: "like", left: { column: { name: "city" } }, right: "Lon%" },
          ],
        },
        {
          op: "not",
          filter: { op: "in", left: { column: { name: "country" } }, right: ["DE", "FR", "IT"] },
        },
      ],
    },
    options: { timeout: 30, explain: true },
    limit: 50,
  },
};

/**
 * Milliseconds that this process has worked: on a busy machine the clock tells more of the others.
 */
function worked() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

// Many short rounds: what else runs on the machine then meets all sides alike.
const WARM = 200;
/** Microseconds per call: the median of `rounds`, the sides in turn. */
function measure(sides, rounds = 61, milliseconds = 3) {
  const times = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
  const calls = {};
  for (const [side, work] of Object.entries(sides)) {
    const until = worked() + WARM;
    let count = 0;
    while (worked() < until) for (let i = 0; i < 10; i++, count++) work();
    calls[side] = Math.max(1, Math.round((count * milliseconds) / WARM));
  }
  for (let round = 0; round < rounds; round++) {
    for (const [side, work] of Object.entries(sides)) {
      const start = worked();
      for (let i = calls[side]; i > 0; i--) work();
      times[side].push(((worked() - start) * 1000) / calls[side]);
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([side, list]) => [
      side,
      round(list.sort((a, b) => a - b)[list.length >> 1]),
    ]),
  );
}

function check(name, { schema, value }) {
  const text = JSON.stringify(value);
  const ours = compileSchema(schema);
  const ajv = new Ajv2020({ strict: false }).compile(schema);
  const cfworker = new Validator(schema, "2020-12");
  const sides = {
    weft: () => ours.validateJson(text),
    ajv: () => {
      const parsed = JSON.parse(text);
      return { valid: ajv(parsed), value: parsed };
    },
    cfworker: () => cfworker.validate(JSON.parse(text)),
    limit: () => JSON.parse(text),
  };
  for (const side of ["weft", "ajv", "cfworker"])
    if (!sides[side]().valid) throw new Error(`${side} refuses the ${name} value`);
  const row = {
    name: `schema: ${name} (${text.length} B), text to checked value`,
    unit: "µs",
    ...measure(sides),
  };
  const must = name === "flat" ? "<= 2x ajv" : "<= 2x ajv, >= 5x cfworker";
  return {
    ...row,
    ratio: round(row.cfworker / row.weft),
    "of ajv": round(row.weft / row.ajv),
    must,
  };
}

function compile(name, { schema }) {
  const shared = new Ajv2020({ strict: false });
  let number = 0;
  const sides = {
    weft: () => compileSchema({ ...schema, $comment: String(number++) }).free(),
    ajv: () => shared.compile({ ...schema, $comment: String(number++) }),
    cfworker: () => new Validator(schema, "2020-12"),
  };
  return { name: `schema: ${name}, compiled`, unit: "µs", ...measure(sides, 15), must: "<= 50" };
}

export async function rows() {
  const schemas = Object.entries({ flat, nested, large });
  return [
    ...schemas.map(([name, one]) => check(name, one)),
    ...schemas.map(([name, one]) => compile(name, one)),
  ];
}
