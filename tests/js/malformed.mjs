// SPDX-License-Identifier: MIT
// Runs one malformed thing and says what became of it, as docs/malformed-output.md writes it.
import { readFileSync } from "node:fs";
import * as codes from "../../js/base/codes.js";
import { makeError } from "../../js/base/errors.js";
import { Toolset } from "../../js/prebuilt/tool-calls/toolset.js";
import { compileSchema } from "weftgraph/schema";

const names = new Map(
  Object.entries(codes)
    .filter(([name]) => name.startsWith("ERR_"))
    .map(([, number]) => [number, makeError(number, [""]).code]),
);
const toolset = new Toolset([{ name: "any", schema: { type: "object" } }]);
const LONG = 48;

const clipped = (text) => (text.length > LONG ? `${text.slice(0, LONG)}…` : text);
// Control characters and the bars of tables cannot stand in a page.
const shown = (text) =>
  text
    .replace(
      /[\0-\x1f\x7f]/g,
      (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`,
    )
    .replaceAll("|", "\\|");

function outcomeOf({ status, canonical, text, reassigned, id }) {
  const given = reassigned ? " (under an id of the engine's)" : "";
  if (reassigned && !/^call_[0-9a-f]{32}$/.test(id)) return "no id";
  return status === codes.OK
    ? `runs with \`${shown(clipped(canonical))}\`${given}`
    : `${names.get(status)}: ${shown(text.length > 400 ? clipped(text) : text)}${given}`;
}

/** The outcome of a call of `any` with these arguments, as text. */
export function outcomeOfArguments(args) {
  return outcomeOf(toolset.plan([{ name: "any", args, id: "1" }], codes.PLAN_RAW, "m")[0]);
}

/** The outcomes of a message's calls, equal ones once. */
export function outcomeOfCalls(calls) {
  return [...new Set(toolset.plan(calls, codes.PLAN_RAW, "m").map(outcomeOf))].join("; ");
}

/** Compiles the schema and checks the value. */
export function outcomeOfSchema(schema, value) {
  try {
    const { valid, errors } = compileSchema(schema).validate(value);
    return valid ? "fits" : `does not fit: ${shown(clipped(errors[0].error))}`;
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
}

const page = readFileSync(new URL("../../docs/malformed-output.md", import.meta.url), "utf8");

/** Rows of the table under this head: title -> outcome. */
export function rowsUnder(head) {
  const lines = page.slice(page.indexOf(head)).split("\n").slice(2);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return new Map(lines.slice(0, end).map((line) => line.slice(2, -2).split(/ (?<!\\)\| /)));
}
