// SPDX-License-Identifier: MIT
// Knows: what the page may load and where it may connect. The page carries it in its head, the server sends it too.
// Must not know: the page.

/**
 * The content security policy. Models behind https and on this machine can be reached; `connect` adds addresses.
 * @param {{ connect?: string[], header?: boolean }} [options]
 */
export function contentSecurityPolicy({ connect = [], header = false } = {}) {
  const rules = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${["'self'", "https:", "http://localhost:*", "http://127.0.0.1:*", ...connect].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html dompurify",
  ];
  // A policy in the page's head cannot forbid framing.
  if (header) rules.push("frame-ancestors 'none'");
  return rules.join("; ");
}
