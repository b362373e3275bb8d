// SPDX-License-Identifier: MIT
// Smoke checks of weftgraph/schema: no code is generated, so it runs in Workers and under a strict
// policy; what the engine asks of the host's RegExp; formats with Unicode tables; errors with
// codes.
import { equal, fails, holds } from "./smoke-assert.mjs";

const order = {
  $id: "https://example.com/order",
  type: "object",
  properties: {
    id: { pattern: "^ORD-[0-9]+$" },
    day: { format: "date" },
    host: { format: "idn-hostname" },
    parts: { items: { $ref: "part.json#n" } },
    note: { default: "none" },
  },
  required: ["id"],
  additionalProperties: false,
};
const remotes = {
  "https://example.com/part.json": {
    $defs: { n: { $anchor: "n", type: "string", pattern: "^(?!x)\\p{L}+$" } },
  },
};

function checkSchema({ weft }) {
  const { compileSchema, formatErrors } = weft.schema;
  const compiled = compileSchema(order, { remotes, formats: true, defaults: true });
  equal(
    compiled.validateJson('{"id":"ORD-1","day":"2024-02-29","host":"ß.example","parts":["é"]}'),
    {
      valid: true,
      value: { id: "ORD-1", day: "2024-02-29", host: "ß.example", parts: ["é"], note: "none" },
      errors: [],
    },
  );
  const { valid, errors } = compiled.validate({
    id: "1",
    day: "2023-02-29",
    host: "-",
    parts: ["x"],
    more: 1,
  });
  equal([valid, errors.length], [false, 5]);
  holds(
    formatErrors(errors).includes(
      '✖ /day: expected text of the format "date", found string "2023-02-29"',
    ),
    "the text names path, expectation and finding",
  );
  equal(
    errors
      .map(({ keywordLocation }) => keywordLocation)
      .includes("/properties/parts/items/$ref/pattern"),
    true,
  );
}

async function checkRefusals({ weft }) {
  const { compileSchema } = weft.schema;
  await fails(async () => compileSchema({ type: "strin" }), { code: "BAD_SCHEMA" });
  await fails(async () => compileSchema({ $ref: "#" }).validate(1), { code: "SCHEMA_BUDGET" });
  equal(compileSchema(true).validateJson("{").errors[0].code, "JSON_SYNTAX");
  holds(
    compileSchema({ $ref: "http://json-schema.org/draft-07/schema#" }).validate({ minLength: -1 })
      .valid === false,
    "the metaschemas are there",
  );
}

export const schemaChecks = [
  ["weftgraph/schema: values, texts, references, formats, defaults", checkSchema],
  ["weftgraph/schema: schemas and texts that cannot be used", checkRefusals],
];
