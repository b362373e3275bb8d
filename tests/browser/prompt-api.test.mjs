// SPDX-License-Identifier: MIT
// Serves: the browser's own model where a real Chromium has its API and no model for it, and in a
// worker, which has no API; and that the tests' stand-in has the members of the real API.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { languageModel } from "../js/language-model.mjs";
import { WAIT_MS, WHOLE, launchChromium } from "./chromium.mjs";

const PAGE = "http://localhost/prompt-api";
const WORKER = `${PAGE}/worker.js`;

/** Asks without a model; the answer is a message to whoever listens. */
const PROGRAM = `
  import { ChatPromptAPI } from "weftgraph/models/prompt-api";
  const llm = new ChatPromptAPI();
  const every = new ChatPromptAPI({
    expectedInputs: [{ type: "text", languages: ["en"] }, { type: "image" }, { type: "audio" }],
    expectedOutputs: [{ type: "text", languages: ["en"] }],
    samplingMode: "most-predictable",
  });
  const told = async (ask) => {
    try {
      await ask();
      return "answered";
    } catch ({ name, code, message, cause }) {
      return { name, code, message, cause: cause?.name };
    }
  };
  globalThis.results = (async () => ({
    availability: await llm.availability(),
    errors: [
      await told(() => llm.invoke("hi")),
      await told(async () => { for await (const chunk of llm.stream("hi")) chunk; }),
      await told(() => llm.prepare()),
      await told(() => every.invoke([["system", "Be brief."], ["human", "hi"]])),
    ],
  }))();
  if (globalThis.document === undefined) globalThis.results.then((results) => postMessage(results));`;

async function bundle() {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: fileURLToPath(new URL("../..", import.meta.url)) },
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0].text;
}

test("Chromium's own API without a model, and a worker without the API, give typed errors", async (t) => {
  const body = await bundle();
  const browser = await launchChromium(WHOLE);
  t.after(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.route(`${PAGE}**`, (route) =>
    route.request().url() === WORKER
      ? route.fulfill({ contentType: "text/javascript", body })
      : route.fulfill({
          contentType: "text/html",
          body: `<!doctype html><script type="module">${body}</script>`,
        }),
  );
  await page.goto(PAGE);
  const members = await page.evaluate(() =>
    "LanguageModel" in globalThis ? Object.getOwnPropertyNames(LanguageModel.prototype) : undefined,
  );
  t.diagnostic(`Chromium ${browser.version()}: ${members ?? "no LanguageModel"}`);
  const inPage = await page.evaluate(() => globalThis.results);
  assert.equal(inPage.availability, "unavailable");
  for (const { name, code, message, cause } of inPage.errors) {
    assert.deepEqual([name, code], ["ModelError", "UNAVAILABLE"], message);
    // No TypeError: the browser took the options as its IDL has them.
    if (members) assert.equal(cause, "NotSupportedError");
    assert.match(message, members ? /on this device.*22 GB/ : /This page has no LanguageModel/);
    assert.match(message, /weftgraph\/models\/webllm/);
  }
  const inWorker = await page.evaluate(
    (address) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(address, { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
    WORKER,
  );
  assert.equal(inWorker.availability, "unavailable");
  for (const { code, message } of inWorker.errors) {
    assert.equal(code, "UNAVAILABLE");
    assert.match(message, /in workers and on servers, only in pages/);
  }
  if (members === undefined) return;
  const { LanguageModel } = languageModel({ say: () => "" });
  const session = await LanguageModel.create();
  const handlers = members.filter((name) => !name.startsWith("on"));
  assert.deepEqual(
    handlers.filter((name) => !(name in session)),
    [],
    "the stand-in lacks members of the real API",
  );
});
