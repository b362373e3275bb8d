// SPDX-License-Identifier: MIT
// Serves: the types of the browser's own model, of WebLLM and of OpenAI's client are what the
// models in the tab take; the tests' stand-in of the browser has the members of those types.
// Resolved as bundlers do, which WebLLM's declarations need.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { languageModel } from "../js/language-model.mjs";
import { problemsOf } from "./compilers.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const TEXT = `
import { CreateMLCEngine, type MLCEngineInterface } from "@mlc-ai/web-llm";
import OpenAI from "openai";
import { ChatPromptAPI } from "weftgraph/models/prompt-api";
import { ChatWebLLM } from "weftgraph/models/webllm";
import { createReactAgent } from "weftgraph/prebuilt";
import { expectType } from "../../tests/types/expect.js";

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

test("the models in the tab take the browser's own model and engines by their declared types", () => {
  const folder = join(here, "../../build/types-of-tab-models");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "program.ts"), TEXT);
  const problems = problemsOf("TypeScript 7", folder, {
    compilerOptions: {
      target: "es2022",
      lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
      module: "esnext",
      moduleResolution: "bundler",
      types: ["dom-chromium-ai"],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    },
    files: ["program.ts"],
  });
  assert.deepEqual(problems, []);
});

test("the stand-in of the browser has the members of the declared type", async () => {
  const types = join(here, "../../node_modules/@types/dom-chromium-ai/index.d.ts");
  const program = ts.createProgram([types], { types: [] });
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
