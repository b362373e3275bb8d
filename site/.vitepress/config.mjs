// SPDX-License-Identifier: MIT
// The site's configuration. site/build.mjs has gathered the pages before.
import { createCssVariablesTheme } from "shiki";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { examples } from "../examples.mjs";
import { gathered, slugOf } from "../pages.mjs";
import { STUDIO, withPolicy } from "../policy.mjs";

const folder = gathered();
const { guides, reference } = JSON.parse(readFileSync(join(folder, "sidebar.json"), "utf8"));

/** Colors as classes: the policy of the pages allows no style attributes. */
const classes = {
  name: "colors-as-classes",
  /** @param {{ properties: Record<string, unknown> }} node */
  pre(node) {
    delete node.properties.style;
  },
  /** @param {{ properties: Record<string, unknown> }} node */
  span(node) {
    const name = /--shiki-(?:token-)?([\w-]+)/.exec(String(node.properties.style ?? ""))?.[1];
    delete node.properties.style;
    if (name !== undefined && name !== "foreground") node.properties.class = `token-${name}`;
  },
};

export default defineConfig({
  srcDir: join(folder, "pages"),
  outDir: join(folder, "dist"),
  cacheDir: join(folder, "cache"),
  router: { prefetchLinks: false },
  base: process.env.DOCS_BASE ?? "/",
  lang: "en",
  title: "Weft",
  titleTemplate: ":title | Weft",
  description:
    "Agent graphs in a browser tab, a Worker, Deno, Bun or Node: LangGraph's model on a small engine in WebAssembly.",
  cleanUrls: false,
  // Without this a style sheet is inserted at each change, which the policy forbids.
  appearance: { disableTransition: false },
  metaChunk: true,
  lastUpdated: false,
  head: [
    [
      "link",
      { rel: "icon", type: "image/svg+xml", href: `${process.env.DOCS_BASE ?? "/"}icon.svg` },
    ],
    ["meta", { name: "theme-color", content: "#3c4ed8" }],
  ],
  markdown: {
    html: false,
    linkify: false,
    theme: createCssVariablesTheme({ name: "site", variablePrefix: "--shiki-" }),
    languageAlias: { jsonl: "json" },
    codeTransformers: [classes],
    attrs: { leftDelimiter: "{:", rightDelimiter: "}" },
    anchor: { slugify: slugOf },
    config: (md) =>
      md.use(examples, {
        pictures: (address) => {
          const path = join(folder, "pages/public", address ?? "");
          return existsSync(path) ? path : undefined;
        },
      }),
  },
  themeConfig: {
    logo: { src: "/icon.svg", alt: "" },
    nav: [
      { text: "Guides", link: "/guides/getting-started", activeMatch: "^/guides/" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
      { text: "Front ends", link: "/guides/front-ends" },
      // It is no page of this generator: a link with a target is left to the browser.
      { text: "Studio", link: STUDIO, target: "_self" },
      { text: "Benchmarks", link: "/benchmarks" },
      { text: "Changes", link: "/changelog" },
    ],
    sidebar: { "/reference/": reference, "/": guides },
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: {
        // Signatures and programs would triple the index.
        _render: (source, env, md) =>
          env.frontmatter?.search === false
            ? ""
            : md.render(source.replaceAll(/^```[\s\S]*?^```$/gm, ""), env),
      },
    },
    notFound: {
      title: "Page not found",
      quote: "The search finds pages, headings and names of the package.",
      linkLabel: "To the start page",
      linkText: "To the start page",
    },
    docFooter: { prev: "Previous", next: "Next" },
    footer: { message: "MIT License", copyright: "The Weft authors" },
  },
  transformHtml: withPolicy,
  vite: {
    build: { target: "es2022", chunkSizeWarningLimit: 4000 },
    logLevel: "warn",
  },
});
