// SPDX-License-Identifier: MIT
// Lists the models that can be loaded into the tab: small ones that WebLLM has, by its names.

/**
 * `megabytes`: to download, about. `memory`: of the graphics card, in MB, as WebLLM says.
 * @type {readonly { id: string, name: string, megabytes: number, memory: number }[]}
 */
export const TAB_MODELS = [
  { id: "SmolLM2-360M-Instruct-q4f16_1-MLC", name: "SmolLM2 360M", megabytes: 250, memory: 380 },
  { id: "Qwen3-0.6B-q4f16_1-MLC", name: "Qwen3 0.6B", megabytes: 350, memory: 1400 },
  { id: "Llama-3.2-1B-Instruct-q4f16_1-MLC", name: "Llama 3.2 1B", megabytes: 700, memory: 880 },
  { id: "Qwen3-1.7B-q4f16_1-MLC", name: "Qwen3 1.7B", megabytes: 1000, memory: 2040 },
];
