// SPDX-License-Identifier: MIT
// The columns of the matrix: every adapter of models that the package has.
import { aiSdk } from "./ai-sdk.mjs";
import { anthropic } from "./anthropic.mjs";
import { gemini } from "./gemini.mjs";
import { openai } from "./openai.mjs";
import { promptApi } from "./prompt-api.mjs";
import { responses } from "./responses.mjs";
import { textTools } from "./text-tools.mjs";
import { webllm } from "./webllm.mjs";
import { workersAI } from "./workers-ai.mjs";

/** @type {any[]} */
export const columns = [
  openai,
  aiSdk,
  anthropic,
  gemini,
  responses,
  textTools,
  promptApi,
  webllm,
  workersAI,
];
