// SPDX-License-Identifier: MIT
// Knows single services by their addresses: what they refuse of OpenAI's chat completions. Does not
// depend on requests.

/**
 * `profile`: of its models.
 * @typedef {{ profile?: import("../../types/models/base.js").ModelProfile }} Service
 */

/** By domain. @type {[string, Service][]} */
const SERVICES = [["groq.com", { profile: { structuredOutputWithTools: false } }]];

/** @param {string} baseURL @returns {Service} */
export function serviceAt(baseURL) {
  const { hostname } = new URL(baseURL);
  const isAt = (/** @type {string} */ name) => hostname === name || hostname.endsWith(`.${name}`);
  return SERVICES.find(([domain]) => isAt(domain))?.[1] ?? {};
}
