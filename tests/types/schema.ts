// SPDX-License-Identifier: MIT
// Serves: what compileSchema takes and gives.
import { compileSchema, formatErrors, type SchemaError } from "weftgraph/schema";
import { expectType } from "./expect.js";

const compiled = compileSchema<{ id: string }>(
  { type: "object" },
  {
    draft: "2019-09",
    remotes: { "a.json": true },
    formats: { own: /x/, uri: false, date: true, more: (text) => text.length > 1 },
    defaults: true,
  },
);
const { valid, value, errors } = compiled.validateJson("{}");
expectType<boolean>()(valid);
expectType<string>()(value.id);
expectType<SchemaError[]>()(errors);
expectType<string>()(formatErrors(errors));
expectType<string | undefined>()(errors[0]?.absoluteKeywordLocation);
expectType<any>()(compileSchema(false, { formats: true }).validate(1).value);
compiled.free();
// @ts-expect-error there is no such draft
compileSchema({}, { draft: "4" });
// @ts-expect-error a text
compiled.validateJson(5);
// @ts-expect-error a schema is an object or a boolean
compileSchema("string");
