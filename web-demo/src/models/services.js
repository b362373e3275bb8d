// SPDX-License-Identifier: MIT
// Knows the model services that can be chosen by name: their addresses, and where keys come from.
// Must not know: requests, the page.

/**
 * `api`: whose requests it takes. `local`: it runs on the person's own machine and needs no key.
 * `example`: a model's name, as a hint.
 * @typedef {{ id: string, name: string, api: "openai" | "anthropic" | "gemini", url: string,
 *   example: string, isLocal?: boolean, hint?: string }} Service
 */

const ORIGINS = "It has to allow this page: start it with";

/** @type {readonly Service[]} */
export const SERVICES = [
  {
    id: "openai",
    name: "OpenAI",
    api: "openai",
    url: "https://api.openai.com/v1",
    example: "gpt-4.1-mini",
  },
  {
    id: "anthropic",
    name: "Anthropic",
    api: "anthropic",
    url: "https://api.anthropic.com",
    example: "claude-sonnet-5",
  },
  {
    id: "gemini",
    name: "Google Gemini",
    api: "gemini",
    url: "https://generativelanguage.googleapis.com",
    example: "gemini-3-flash-preview",
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    api: "openai",
    url: "https://openrouter.ai/api/v1",
    example: "meta-llama/llama-3.3-70b-instruct",
  },
  {
    id: "groq",
    name: "Groq",
    api: "openai",
    url: "https://api.groq.com/openai/v1",
    example: "llama-3.3-70b-versatile",
  },
  {
    id: "mistral",
    name: "Mistral",
    api: "openai",
    url: "https://api.mistral.ai/v1",
    example: "mistral-small-latest",
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    api: "openai",
    url: "https://api.deepseek.com/v1",
    example: "deepseek-chat",
  },
  {
    id: "together",
    name: "Together AI",
    api: "openai",
    url: "https://api.together.xyz/v1",
    example: "meta-llama/Llama-3.3-70B-Instruct-Turbo",
  },
  {
    id: "ollama",
    name: "Ollama",
    api: "openai",
    url: "http://localhost:11434/v1",
    example: "qwen3",
    isLocal: true,
    hint: `${ORIGINS} OLLAMA_ORIGINS={origin} ollama serve`,
  },
  {
    id: "lmstudio",
    name: "LM Studio",
    api: "openai",
    url: "http://localhost:1234/v1",
    example: "qwen/qwen3-4b",
    isLocal: true,
    hint: "It has to allow this page: turn on CORS in the settings of its server.",
  },
  {
    id: "llamacpp",
    name: "llama.cpp",
    api: "openai",
    url: "http://localhost:8080/v1",
    example: "default",
    isLocal: true,
    hint: "llama-server allows pages by itself; tools need its option --jinja.",
  },
  {
    id: "vllm",
    name: "vLLM",
    api: "openai",
    url: "http://localhost:8000/v1",
    example: "Qwen/Qwen3-4B",
    isLocal: true,
    hint: "Tools need its options --enable-auto-tool-choice and --tool-call-parser.",
  },
  {
    id: "other",
    name: "Another OpenAI-compatible service",
    api: "openai",
    url: "",
    example: "the service's name of a model",
    hint: "The address up to and including the version: it usually ends in /v1.",
  },
];

/** @param {string} id @returns {Service} */
export function serviceOf(id) {
  return SERVICES.find((service) => service.id === id) ?? SERVICES[SERVICES.length - 1];
}
