// SPDX-License-Identifier: MIT
// Knows: how a service draws a picture of a Mermaid text. Loaded when one is asked for.

/** @param {string} text @param {string | null} [background] @returns {Promise<Blob>} */
export async function fetchMermaidPng(text, background) {
  const code = btoa(String.fromCharCode(...new TextEncoder().encode(text))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const color = `${background ?? "white"}`.replace(/^(?!#([\da-f]{3}){1,2}$)/i, "!");
  const response = await fetch(`https://mermaid.ink/img/${code}?bgColor=${color}&type=png`);
  if (!response.ok) throw new Error(`Failed to render the graph using the Mermaid.INK API.\nStatus code: ${response.status}\nStatus text: ${response.statusText}`);
  return response.blob();
}
