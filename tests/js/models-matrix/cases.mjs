// SPDX-License-Identifier: MIT
// The matrix of model adapters: what each of them must do, as one list of cases for all. It uses
// names of the Web and the package only, so that it runs in Node, Deno, Bun, workerd and Chromium.
//
// An adapter is a column: a file beside this one that exports the following object, and a line in
// columns.mjs. The cases speak of answers in a form of their own; the column says what that is on
// the wire of its service, and reads the requests.
//
//   name                  of the entry below weftgraph/models
//   create({ fetch, maxRetries, onRetry })
//                         a new model that asks by this fetch (an adapter without one is given a
//                         stand-in of its service that calls it with a JSON body)
//   stream(answer)        the answer as the texts of its events, in order, the closing ones last.
//                         Its reasoning and its words each in at least two events, each call's
//                         arguments as in `pieces` of the call, if the service can
//   whole(answer)         the JSON of the answer to a request that does not stream
//   closing               how many of the last events may be lost when the first of them has come;
//                         default 1
//   contentType           of a stream; default text/event-stream
//   errors.refused        { status, body, code }: a request that must not be sent again; its
//                         message is REASON
//   errors.limited        { body, headers }: of the status 429, asking for a wait of a second
//   errors.event          { text, code }: the event that reports an error in a stream; its message
//                         is REASON
//   opaque(answer)        what of the answer must go back unchanged with the next request: a list
//   request               reads a request:
//     isStream({ url, body })  does it ask for a stream?
//     turns(body)              [["user", text], ["assistant", text], ["call", name, args],
//                              ["result", text], …] without system text
//     tools(body)              names of the offered tools; undefined if the field is absent
//     images(body)             [{ mimeType, data }], data in base64
//     files(body)              the same of documents; absent if the service takes none
//     schema(body)             the JSON Schema of the answer
//     forced(body)             name of the tool that must be called
//     opaque(body)             the list of what the answers before had to get back
//   also                  { [title of a case]: (requests) => void }: what else must hold of it
//   holes                 { [title of a case]: why the service has nothing like it }
//
// An answer: { reasoning, opaque, text, calls: [{ id, name, args: JSON text, pieces: [text] }],
// usage: { input, cached, output, reasoning } }, each field optional; `input` includes `cached`,
// `output` includes `reasoning`; `opaque` is a text that the service wants back.
import * as answers from "./answers.mjs";
import * as faults from "./faults.mjs";
import * as history from "./history.mjs";
import { sameIds } from "./ids.mjs";

const TOTAL = { input_tokens: 21, output_tokens: 9, total_tokens: 30 };

/**
 * The title of the case that needs processes, so that it runs in Node alone
 * (models-matrix.test.mjs).
 */
export const FRESH =
  "after a checkpoint a fresh process sends signatures and opaque parts byte-equal";

/** @type {[title: string, run: (column: any) => Promise<void>][]} */
const CASES = [
  ["text", answers.text],
  ["reasoning", answers.reasoning],
  ["parallel calls", answers.parallelCalls],
  ["a call without arguments", answers.callWithoutArguments],
  ["an answer with signatures in pieces of any size, and split UTF-8", answers.tornBytes],
  ["an error before the answer", faults.errorBefore],
  ["an error in the answer, up to its end", faults.errorIn],
  ["a broken stream", faults.brokenStream],
  ["abort in mid-stream", faults.abort],
  ["429 with Retry-After", faults.limited],
  ["usage equals the service's", answers.usage(totals, TOTAL)],
  ["usage: cached tokens", answers.usage((usage) => usage.input_token_details?.cache_read, 8)],
  ["usage: reasoning tokens", answers.usage((usage) => usage.output_token_details?.reasoning, 4)],
  ["an image", answers.images],
  ["a PDF, taken or refused before the request", answers.files],
  ["structured output", answers.structuredOutput],
  ["structured output by a tool", answers.outputByTool],
  ["the history of another provider", history.foreignHistory],
  ["a call that the conversation went on without", history.openCall],
  ["after a checkpoint signatures and opaque parts go back byte-equal", history.afterCheckpoint],
  ["the same ids and clock give the same messages, to the byte", sameIds],
];

/** Titles of the cases that run everywhere. */
export const TITLES = CASES.map(([title]) => title);

function totals({ input_tokens, output_tokens, total_tokens }) {
  return { input_tokens, output_tokens, total_tokens };
}

/** Says what is wrong with a column itself: a hole without a reason, or of no case. */
export function faultsOf({ name, holes = {}, also = {} }) {
  const known = [...TITLES, FRESH];
  const strange = [...Object.keys(holes), ...Object.keys(also)].filter(
    (title) => !known.includes(title),
  );
  const bare = Object.entries(holes).filter(([, reason]) => !/\w+ \w+/.test(reason));
  return [
    ...strange.map((title) => `${name}: there is no case "${title}"`),
    ...bare.map(([title]) => `${name}: the hole "${title}" has no reason`),
  ];
}

/**
 * Runs one case of a column; rejects if it does not hold.
 * @param {any} column
 * @param {string} title
 */
export async function runCase(column, title) {
  const [, run] = CASES.find(([name]) => name === title);
  const requests = [];
  const create = ({ fetch, ...options }) =>
    column.create({
      ...options,
      fetch: (url, init) => {
        requests.push({ url: String(url), body: JSON.parse(init.body) });
        return fetch(url, init);
      },
    });
  await run({ ...column, create });
  column.also?.[title]?.(requests);
}

/**
 * Runs all cases of all columns: the columns side by side, since a case of each waits for seconds.
 * @param {any[]} columns
 * @returns {Promise<{ name: string, ok: boolean, error?: string, hole?: string }[]>}
 */
export async function runMatrix(columns) {
  return (await Promise.all(columns.map(runColumn))).flat();
}

/** @param {any} column */
async function runColumn(column) {
  const results = [];
  for (const error of faultsOf(column)) results.push({ name: column.name, ok: false, error });
  for (const title of TITLES) {
    const name = `${column.name}: ${title}`;
    const hole = column.holes?.[title];
    if (hole !== undefined) {
      results.push({ name, ok: true, hole });
      continue;
    }
    try {
      await runCase(column, title);
      results.push({ name, ok: true });
    } catch (error) {
      results.push({ name, ok: false, error: String(error?.stack ?? error) });
    }
  }
  return results;
}
