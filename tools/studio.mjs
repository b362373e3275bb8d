// SPDX-License-Identifier: MIT
// Bundles <weft-studio> with the libraries that draw it into js/studio/studio.js: the
// package has no dependencies. Usage: node tools/studio.mjs
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const top = fileURLToPath(new URL("..", import.meta.url));
await build({
  entryPoints: [`${top}web-demo/src/studio/index.js`],
  outfile: `${top}js/studio/studio.js`,
  bundle: true,
  minify: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  // lit-html can then be loaded where there is no page; in a page it is the same.
  conditions: ["node", "module"],
  external: ["node:*"],
  banner: {
    js: "// SPDX-License-Identifier: MIT AND BSD-3-Clause\n// Made of web-demo/src/studio, lit-html and marked (THIRD_PARTY_NOTICES).",
  },
  legalComments: "none",
});
