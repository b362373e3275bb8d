// SPDX-License-Identifier: MIT
// Finds out what this browser has for models: one of its own, WebGPU.

/** @returns {Promise<string>} "available", "downloadable", "downloading" or "unavailable" */
export async function browserState() {
  if (/** @type {any} */ (globalThis).LanguageModel === undefined) return "unavailable";
  try {
    return await (await browserModel()).availability();
  } catch {
    return "unavailable";
  }
}

/**
 * Downloads the browser's model: in the handler of a click.
 * @param {(part: number) => void} onProgress
 */
export async function prepareBrowser(onProgress) {
  await (await browserModel()).prepare({ onProgress });
}

async function browserModel() {
  const { ChatPromptAPI } = await import("weftgraph/models/prompt-api");
  return new ChatPromptAPI({
    maxSessions: 0,
    expectedOutputs: [{ type: "text", languages: ["en"] }],
  });
}

/** @returns {Promise<string>} "none", "small" (without 16-bit floats) or "full" */
export async function gpuState() {
  const { gpu } = /** @type {any} */ (navigator);
  try {
    const adapter = await gpu?.requestAdapter();
    if (!adapter) return "none";
    return adapter.features.has("shader-f16") ? "full" : "small";
  } catch {
    return "none";
  }
}
