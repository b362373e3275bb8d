// SPDX-License-Identifier: MIT
// Turns the TypeScript of an example into a module that a browser loads: without types, and with
// the addresses of this site in place of the names of packages. Lines stay where they are.
import { init, parse } from "es-module-lexer";
import { transform } from "sucrase";
import { fileOf } from "./packages.js";

/** Names of the packages that the site has; the build sets them. @type {string[]} */
const PACKAGES = globalThis.PACKAGES ?? SITE_PACKAGES;

/** @param {string} name of a package's entry @returns {string} where the site has it */
export function addressOf(name) {
  if (!PACKAGES.includes(name))
    throw new Error(
      name.startsWith("node:")
        ? `"${name}" is part of Node.js, and this site has no stand-in for it: the program runs there.`
        : `"${name}" is not on this site; programs here can import ${PACKAGES.join(", ")}.`,
    );
  return new URL(`packages/${fileOf(name)}.js`, import.meta.url).href;
}

/**
 * @param {string} code TypeScript whose types can be erased
 * @returns {Promise<{ text: string, imported: string[] }>} the module, and names of what it imports
 */
export async function asModule(code) {
  const { code: text } = transform(code, {
    transforms: ["typescript"],
    disableESTransforms: true,
    keepUnusedImports: true,
  });
  await init;
  const [imports] = parse(text);
  const imported = [];
  let module = "";
  let at = 0;
  for (const { type, specifier, start, end } of imports) {
    // A dynamic import of an expression names nothing; neither does import.meta.
    if (typeof specifier !== "string") continue;
    const address = addressOf(specifier);
    imported.push(specifier);
    module += text.slice(at, start) + (type === "dynamic" ? JSON.stringify(address) : address);
    at = end;
  }
  return { text: module + text.slice(at), imported };
}
