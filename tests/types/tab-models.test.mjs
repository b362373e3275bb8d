// SPDX-License-Identifier: MIT
// Serves: the types of the browser's own model, of WebLLM and of OpenAI's client are what the
// models in the tab take; the tests' stand-in of the browser has the members of those types.
// Resolved as bundlers do, which WebLLM's declarations need.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { languageModel } from "../js/language-model.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const PROGRAM = join(here, "tab-models-program.ts");
const TEXT = `
import { CreateMLCEngine, type MLCEngineInterface } from "@mlc-ai/web-llm";
import OpenAI from "openai";
import { ChatPromptAPI } from "weftgraph/models/prompt-api";
import { ChatWebLLM } from "weftgraph/models/webllm";
import { createReactAgent } from "weftgraph/prebuilt";
import { expectType } from "./expect.js";

async function useBrowserModel(options: LanguageModelCreateCoreOptions) {
  const { expectedInputs, expectedOutputs, samplingMode } = options;
  const given = {
    ...(expectedInputs === undefined ? {} : { expectedInputs }),
    ...(expectedOutputs === undefined ? {} : { expectedOutputs }),
    ...(samplingMode === undefined ? {} : { samplingMode }),
  };
  const llm = new ChatPromptAPI({ languageModel: LanguageModel, maxSessions: 2, ...given });
  expectType<Availability>()(await llm.availability());
  await llm.prepare({ onProgress: (loaded) => expectType<number>()(loaded) });
  // @ts-expect-error no such kind
  new ChatPromptAPI({ expectedInputs: [{ type: "video" }] });
  return createReactAgent({ llm, tools: [] });
}

async function useEngine(worker: MLCEngineInterface) {
  // @ts-expect-error that the type is none would be no error here
  expectType<string>()(worker);
  for (const engine of [worker, await CreateMLCEngine("one"), new OpenAI()]) {
    const llm = new ChatWebLLM({ engine, extraBody: { enable_thinking: false } });
    expectType<string>()((await llm.invoke("hi")).text);
  }
  // @ts-expect-error it needs an engine
  new ChatWebLLM({ model: "one" });
}
void [useBrowserModel, useEngine];
`;
const options = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ["dom-chromium-ai"],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The program, which is in no file. */
const program = (() => {
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => path === PROGRAM || fileExists(path);
  host.readFile = (path) => (path === PROGRAM ? TEXT : readFile(path));
  host.getSourceFile = (path, ...rest) =>
    path === PROGRAM
      ? ts.createSourceFile(path, TEXT, ts.ScriptTarget.ES2022, true)
      : getSourceFile(path, ...rest);
  return ts.createProgram([PROGRAM], options, host);
})();

test("the models in the tab take the browser's own model and engines by their declared types", () => {
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
  assert.deepEqual(problems, []);
});

test("the stand-in of the browser has the members of the declared type", async () => {
  const checker = program.getTypeChecker();
  const source = program
    .getSourceFiles()
    .find(({ fileName }) => fileName.includes("dom-chromium-ai"));
  const [declared] = source.statements.filter(
    (node) => ts.isClassDeclaration(node) && node.name.text === "LanguageModel",
  );
  const members = checker
    .getTypeAtLocation(declared)
    .getProperties()
    .map(({ name }) => name)
    // Handlers as properties, and what only extensions have.
    .filter((name) => !/^on|^topK$|^temperature$/.test(name));
  const made = await Promise.all(
    ["new", "old"].map((era) => languageModel({ say: () => "", era }).LanguageModel.create()),
  );
  assert.ok(members.includes("contextUsage") && members.includes("clone"), String(members));
  const lacking = members.filter((name) => !made.some((session) => name in session));
  assert.deepEqual(lacking, []);
});
