// SPDX-License-Identifier: MIT
// Runs one program of the documents: strips its types, loads the packages it names from this site,
// and tells the page what it prints, which graphs it runs and how it ended. The page ends the
// worker. Code comes from the page alone, never from an address.
import { answerModelService } from "./model-service.js";
import { describeError } from "./errors.js";
import { formatWithOptions } from "node-inspect-extracted";
import { addressOf, asModule } from "./program.js";
import { watchGraphs } from "./graphs.js";
import { differencesOf } from "./node/modules.js";

/** Lines that are shown; a program that prints without end would fill the page. */
const MAX_LINES = 1000;
let lines = 0;

/** @param {object} message */
const tell = (message) => postMessage(message);

/** @param {"out" | "err"} stream @param {unknown[]} values */
function print(stream, values) {
  if (lines++ === MAX_LINES)
    tell({ type: "line", stream: "err", text: `(more than ${MAX_LINES} lines)` });
  if (lines <= MAX_LINES) tell({ type: "line", stream, text: formatWithOptions({}, ...values) });
}

for (const name of ["log", "info", "debug", "dir", "table"])
  console[name] = (...values) => print("out", values);
for (const name of ["warn", "error", "trace"]) console[name] = (...values) => print("err", values);

/**
 * @param {{ code: string, isForPage: boolean }} program
 * `isForPage`: the program keeps threads in IndexedDB, which is one in memory here.
 */
async function run({ code, isForPage }) {
  const { text, imported } = await asModule(code);
  if (isForPage) await import(addressOf("fake-indexeddb/auto"));
  const [weft, { layoutGraph }] = await Promise.all([
    import(addressOf("weftgraph")),
    import(addressOf("weftgraph/svg")),
  ]);
  watchGraphs(weft, layoutGraph, (graphs) => tell({ type: "graphs", graphs }));
  // What programs for Node read of their environment.
  globalThis.process = { env: { OPENAI_API_KEY: "none", ANTHROPIC_API_KEY: "none" } };
  globalThis.fetch = answerModelService(globalThis.fetch, () =>
    tell({ type: "difference", text: "the model's answers are made up" }),
  );
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  tell({ type: "began", differences: differencesOf(imported) });
  await import(address);
}

addEventListener("error", (event) => {
  event.preventDefault();
  tell({ type: "error", ...describeError(event.error ?? event.message) });
});
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  tell({ type: "error", ...describeError(event.reason) });
});
addEventListener("message", ({ data }) => {
  run(data).then(
    () => tell({ type: "ended" }),
    (error) => tell({ type: "error", ...describeError(error) }),
  );
});
