// SPDX-License-Identifier: MIT
// Writes the page of error codes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { top } from "../programs.mjs";

/** Text as a cell of a table. @param {string} text */
export const cell = (text) => text.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|");

/**
 * Codes of errors, from the table that the engine and the package are made of.
 * @param {(type: string) => string | undefined} linkTo link to a class
 */
export function errorsPage(linkTo) {
  const table = readFileSync(join(top, "src/base/error_messages.def"), "utf8");
  const rows = [
    ...table.matchAll(/^X\(\w+, -?\d+, ("[^"]+"), ("[^"]+"), ("(?:[^"\\]|\\.)*"), /gm),
  ].map(([, ...texts]) => texts.map((text) => JSON.parse(text)));
  const lines = rows.map(([code, type, text]) => {
    const said = text.replaceAll("`", "'").replaceAll(/\{\d\}/g, "…");
    return `| \`${code}\` | ${linkTo(type) ?? `\`${type}\``} | ${said === "" ? "" : `\`${cell(said)}\``} |\n`;
  });
  return `# Error codes\n\nErrors of the package have a \`code\`; LangGraph.js's also their \`lc_error_code\`. What to do about failures: [failures](/guides/failures).\n\n| code | class | text |\n|---|---|---|\n${lines.join("")}`;
}
