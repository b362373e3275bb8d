// SPDX-License-Identifier: MIT
// The packed tarball in what apps are built with: each tool is installed with it in a fresh folder
// and works without a configuration of its own; what it made is opened in Chromium or asked over
// HTTP. Fetches the tools from npm's registry.
import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { WAIT_MS, launchChromium } from "../browser/chromium.mjs";

const run = promisify(execFile);
const app = fileURLToPath(new URL("app/", import.meta.url));
const env = {
  ...process.env,
  CI: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  WRANGLER_SEND_METRICS: "false",
};
// Newer ones ask for Node 22.
const WRANGLER =
  Number(process.versions.node.split(".")[0]) < 22 ? "wrangler@4.86.0" : "wrangler@4.164.0";
const NEXT = ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1"];
const PAGE = '<!doctype html><title>page</title><script type="module" src="./page.mjs"></script>\n';

/**
 * The app's folder with the tarball and these packages.
 * @param {{ folder: string, tarball: string }} given
 * @param {string} name
 * @param {string[]} packages
 * @param {Record<string, string>} [files]
 */
async function install({ folder, tarball }, name, packages, files = {}) {
  const at = join(folder, "tools", name);
  mkdirSync(at, { recursive: true });
  cpSync(app, at, { recursive: true });
  for (const [path, text] of Object.entries({
    "package.json": '{ "name": "app", "private": true }\n',
    "index.html": PAGE,
    ...files,
  })) {
    mkdirSync(join(at, path, ".."), { recursive: true });
    writeFileSync(join(at, path), text);
  }
  await run(
    "npm",
    ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages, tarball],
    { cwd: at },
  );
  /** @param {string} bin @param {string[]} words */
  const tool = (bin, ...words) => run(join(at, "node_modules/.bin", bin), words, { cwd: at, env });
  return { at, tool };
}

/**
 * What a page leaves, in its variable or in an element.
 * @param {string} url
 * @param {string} [element]
 */
async function open(url, element) {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(url);
    if (element !== undefined) return await page.textContent(`${element}:not(:empty)`);
    await page.waitForFunction(() => globalThis.outcome !== undefined);
    return await page.evaluate(() => globalThis.outcome);
  } finally {
    await browser.close();
  }
}

/** @param {string} root */
async function openFolder(root) {
  const types = { html: "text/html", js: "text/javascript", mjs: "text/javascript" };
  const server = createServer(({ url = "/" }, response) => {
    const path = url === "/" ? "/index.html" : new URL(url, "http://a").pathname;
    try {
      const bytes = readFileSync(join(root, path));
      response
        .writeHead(200, { "content-type": types[path.split(".").at(-1)] ?? "text/plain" })
        .end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await open(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts a tool's server, gives its address to `work` and ends it with all that it started.
 * @param {string} at
 * @param {string} bin
 * @param {(port: number) => string[]} words
 * @param {(origin: string) => Promise<any>} work
 */
async function withServer(at, bin, words, work) {
  const port = await freePort();
  const child = spawn(join(at, "node_modules/.bin", bin), words(port), {
    cwd: at,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let hasEnded = false;
  ended.then(() => (hasEnded = true));
  try {
    const origin = `http://127.0.0.1:${port}`;
    while (
      !(await fetch(origin).then(
        () => true,
        () => false,
      ))
    ) {
      if (hasEnded) throw new Error("it ended");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return await work(origin);
  } catch (error) {
    throw new Error(`${bin} said:\n${said.slice(-4000)}`, { cause: error });
  } finally {
    if (!hasEnded) process.kill(-child.pid, "SIGKILL");
    await ended;
  }
}

/** @param {string} url */
const ask = async (url) => (await fetch(url)).text();

const NEXT_FILES = {
  "app/layout.jsx":
    'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }\n',
  "app/page.jsx":
    'import { Answer } from "./answer.jsx";\nexport default function Page() { return <Answer />; }\n',
  "app/answer.jsx": `"use client";
import { useEffect, useState } from "react";
import { answer } from "../agent.mjs";
export function Answer() {
  const [text, setText] = useState("");
  useEffect(() => void answer().then(setText, (error) => setText(String(error))), []);
  return <p id="answer">{text}</p>;
}
`,
  "app/node/route.js":
    'import { answer } from "../../agent.mjs";\nexport const dynamic = "force-dynamic";\nexport const GET = async () => new Response(await answer());\n',
  "app/edge/route.js":
    'import { answer } from "../../agent.mjs";\nexport const runtime = "edge";\nexport const GET = async () => new Response(await answer());\n',
};

/** A client component, a route in Node, a route at the edge. @param {string} origin */
const askNext = async (origin) => [
  await ask(`${origin}/node`),
  await ask(`${origin}/edge`),
  await open(origin, "#answer"),
];

/** @param {...string} words for the build and the development server */
const tryNext =
  (...words) =>
  async (given) => {
    const { at, tool } = await install(given, `next${words.join("")}`, NEXT, NEXT_FILES);
    await tool("next", "build", ...words);
    const built = await withServer(
      at,
      "next",
      (port) => ["start", "-p", `${port}`, "-H", "127.0.0.1"],
      askNext,
    );
    return [
      ...built,
      ...(await withServer(
        at,
        "next",
        (port) => ["dev", "-p", `${port}`, "-H", "127.0.0.1", ...words],
        askNext,
      )),
    ];
  };

/**
 * What each answers, every time that it is asked.
 * @type {Record<string, (given: { folder: string, tarball: string }) => Promise<string[]>>}
 */
export const TOOLS = {
  "Vite 8.3, built and its development server": async (given) => {
    const { at, tool } = await install(given, "vite", ["vite@8.3.8"]);
    await tool("vite", "build");
    return [
      await openFolder(join(at, "dist")),
      await withServer(
        at,
        "vite",
        (port) => ["--port", `${port}`, "--host", "127.0.0.1"],
        (origin) => open(origin),
      ),
    ];
  },
  "webpack 5.112": async (given) => {
    const { at, tool } = await install(given, "webpack", ["webpack@5.112.2", "webpack-cli@7.3.1"]);
    await tool("webpack", "build", "--mode", "production", "--entry", "./page.mjs");
    writeFileSync(
      join(at, "dist/index.html"),
      '<!doctype html><title>page</title><script src="./main.js"></script>',
    );
    return [await openFolder(join(at, "dist"))];
  },
  "esbuild 0.28, split and in one file": async (given) => {
    const { at, tool } = await install(given, "esbuild", ["esbuild@0.28.2"]);
    const answers = [];
    for (const words of [["--splitting", "--format=esm"], []]) {
      await tool(
        "esbuild",
        "page.mjs",
        "--bundle",
        "--minify",
        "--outdir=dist",
        "--out-extension:.js=.mjs",
        ...words,
      );
      writeFileSync(join(at, "dist/index.html"), PAGE);
      answers.push(await openFolder(join(at, "dist")));
    }
    return answers;
  },
  "Rollup 4.68 with its plugin node-resolve": async (given) => {
    const { at, tool } = await install(given, "rollup", [
      "rollup@4.68.8",
      "@rollup/plugin-node-resolve@16.0.3",
    ]);
    await tool("rollup", "-p", "node-resolve", "page.mjs", "-d", "dist", "-f", "es");
    writeFileSync(join(at, "dist/index.html"), PAGE.replace("page.mjs", "page.js"));
    return [await openFolder(join(at, "dist"))];
  },
  "Parcel 2.16": async (given) => {
    const { at, tool } = await install(given, "parcel", ["parcel@2.16.4"]);
    await tool("parcel", "build", "index.html", "--no-cache");
    return [await openFolder(join(at, "dist"))];
  },
  "Next.js 16.4 with Turbopack: a page, a route in Node, one at the edge; built and in development":
    tryNext(),
  "Next.js 16.4 with webpack: a page, a route in Node, one at the edge; built and in development":
    tryNext("--webpack"),
  [`${WRANGLER.replace("@", " ")}, as it deploys and as it develops`]: async (given) => {
    const { at, tool } = await install(given, "wrangler", [WRANGLER]);
    const words = ["worker.mjs", "--compatibility-date", "2026-01-01"];
    await tool("wrangler", "deploy", "--dry-run", "--name", "app", ...words);
    return [
      await withServer(
        at,
        "wrangler",
        (port) => [
          "dev",
          ...words,
          "--local",
          "--ip",
          "127.0.0.1",
          "--port",
          `${port}`,
          "--inspector-port",
          "0",
        ],
        ask,
      ),
    ];
  },
};
