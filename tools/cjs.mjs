// SPDX-License-Identifier: MIT
// The package for `require`: js/cjs/weftgraph.cjs holds every entry that runs in Node, each made
// when it is first asked for; beside it stand one file for each entry and, in js/cjs/types, the
// declarations as those of CommonJS modules.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const { exports } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const folder = join(top, "js/cjs");
const entries = Object.entries(exports).filter(([, target]) => target.require !== undefined);

/** The package's declarations. */
function declarations(path = "js/types") {
  return readdirSync(join(top, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = posix.join(path, entry.name);
    return entry.isDirectory() ? declarations(inner) : [inner];
  });
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const loaders = entries.map(
  ([name, target]) =>
    `${JSON.stringify(name)}: () => require(${JSON.stringify(`.${target.default.slice(4)}`)})`,
);
const {
  outputFiles: [{ text: bundle }],
} = await build({
  stdin: {
    contents: `module.exports = {\n${loaders.join(",\n")}\n};`,
    resolveDir: join(top, "js"),
  },
  outfile: join(folder, "weftgraph.cjs"),
  write: false,
  bundle: true,
  external: ["zod", "zod/*"],
  format: "cjs",
  platform: "node",
  target: "node20",
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
  banner: { js: "/* SPDX-License-Identifier: MIT */" },
});
// The minifier drops what tells webpack to leave a computed name to Node.
writeFileSync(
  join(folder, "weftgraph.cjs"),
  bundle.replace(/\bimport\((?=[\w$]+\))/g, "import(/* webpackIgnore: true */"),
);
for (const [name, target] of entries) {
  writeFileSync(
    join(top, target.require.default),
    `// SPDX-License-Identifier: MIT\nmodule.exports = require("./weftgraph.cjs")[${JSON.stringify(name)}]();\n`,
  );
}
for (const path of declarations()) {
  const made = join(folder, "types", path.slice("js/types/".length).replace(/\.d\.ts$/, ".d.cts"));
  mkdirSync(dirname(made), { recursive: true });
  const text = readFileSync(join(top, path), "utf8");
  writeFileSync(made, text.replace(/((?:from|import)\s*\(?\s*"\.{1,2}\/[^"]*)\.js"/g, '$1.cjs"'));
}
