// SPDX-License-Identifier: MIT
// `weftgraph studio` in Chromium over a graph that is served in Node, in Deno and in a Worker: a
// run as it goes on, the inbox, an approval, older checkpoints, branches, recordings. And whom the
// command answers.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { bundleWorker } from "../runtime/smoke-bundle.mjs";
import { decide } from "./bench.mjs";
import { launchChromium } from "./chromium.mjs";
import { marks, picture, say, settled, untilState } from "./studio-browser.mjs";
import { StudioCommand, installed, ready } from "./studio-command.mjs";

let browser, gate;

before(async () => {
  browser = await launchChromium();
  gate = await Gate.open();
});

after(async () => {
  await browser?.close();
  gate?.end();
});

/** Orders wait here until the test lets them go: whatever runs them, it can ask an address. */
class Gate {
  #opened = Promise.resolve();
  #let = () => {};

  static async open() {
    const made = new Gate();
    made.http = createServer(async (_, response) => {
      await made.#opened;
      response.end("ok");
    });
    await new Promise((resolve) => made.http.listen(0, "127.0.0.1", resolve));
    made.url = `http://127.0.0.1:${made.http.address().port}`;
    return made;
  }

  release() {
    this.#let();
  }

  close() {
    this.#opened = new Promise((resolve) => {
      this.#let = resolve;
    });
  }

  end() {
    this.release();
    this.http.closeAllConnections();
    this.http.close();
  }
}

const shop = () => `
import { tool } from "weftgraph";
import { DemoModel } from "weftgraph/models/demo";
import { createReactAgent } from "weftgraph/prebuilt";
const order = tool(
  async ({ item, quantity = 1 }) => {
    await (await fetch("${gate.url}")).text();
    return quantity + " x " + item;
  },
  {
    name: "place_order",
    description: "Places an order for a quantity of an item.",
    approval: "ask",
    schema: {
      type: "object",
      properties: { item: { type: "string" }, quantity: { type: "integer" } },
      required: ["item"],
    },
  },
);
const agent = createReactAgent({ llm: new DemoModel(), tools: [order] });`;

const STEPS = 300;
/** Each of its steps takes seven tokens. */
const PRICED = `
import { MessagesAnnotation, START, StateGraph } from "weftgraph";
import { AIMessage } from "weftgraph/messages";
const usage_metadata = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
const goOn = ({ messages }) => (messages.length <= ${STEPS} ? "work" : "__end__");
export const agent = new StateGraph(MessagesAnnotation)
  .addNode("work", () => ({ messages: [new AIMessage({ content: "ok", usage_metadata })] }))
  .addEdge(START, "work")
  .addConditionalEdges("work", goOn)
  .compile();`;

/** As examples/agent-server/worker.js serves it. */
const WORKER = `
import { DurableObject } from "cloudflare:workers";
import { DurableObjectSaver } from "weftgraph/savers/durable-object";
import { createServer } from "weftgraph/server";
import { SaverStore } from "weftgraph/stores/saver";
export class Agents extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    const saver = new DurableObjectSaver({ storage: ctx.storage });
    const waitUntil = (promise) => ctx.waitUntil(promise);
    this.server = createServer({ graphs: { agent }, saver, store: new SaverStore(saver), waitUntil });
  }
  fetch(request) {
    return this.server.fetch(request);
  }
}
export default {
  fetch: (request, { AGENTS }) => AGENTS.get(AGENTS.idFromName("all")).fetch(request),
};`;

async function serveWorker(t) {
  const folder = installed(t, shop() + WORKER);
  const worker = new Miniflare({
    modules: await bundleWorker(join(folder, "graph.mjs")),
    compatibilityDate: "2026-01-01",
    durableObjects: { AGENTS: { className: "Agents", useSQLite: true } },
  });
  t.after(() => worker.dispose());
  return (await worker.ready).origin;
}

const inCommand = (runtime) => (t) =>
  StudioCommand.start(t, `${shop()}\nexport default agent;`, ["--memory"], runtime);

async function beside(t) {
  const address = await serveWorker(t);
  const studio = new StudioCommand(installed(t, ""), "Node");
  t.after(() => studio.end());
  await studio.begin(["--port", "0"], address);
  // Whether a token is asked for is that server's matter.
  assert.equal(new URL(studio.address).hash, "");
  return studio;
}

const slider = (page) => page.getByRole("slider", { name: "Checkpoints" });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const at = (page, place) =>
  page.locator(`weft-studio .timeline[aria-valuenow="${place}"]`).waitFor();
const count = async (page) => Number(await slider(page).getAttribute("aria-valuemax"));
const untilCount = (page, wanted) =>
  page.locator(`weft-studio .timeline[aria-valuemax="${wanted}"]`).waitFor();

/** A call that waits is found in the inbox, is approved there, and runs until the gate opens. */
async function approveFromInbox(page) {
  gate.close();
  await say(page, "Please order 3 teapots");
  await untilState(page, "tools", "waiting");
  await settled(page);
  await untilCount(page, 3);
  await button(page, "New thread").click();
  await page.locator("weft-studio .welcome").waitFor();
  await page.locator("weft-studio .question pre", { hasText: "teapots" }).waitFor();
  await decide(page, "Approve");
  await untilState(page, "tools", "running");
  await untilState(page, "agent", "done");
  await page.locator("weft-studio .status", { hasText: "running" }).waitFor();
  gate.release();
  await page
    .locator("weft-studio .talk", { hasText: "The order is placed: 3 x teapots." })
    .waitFor();
  await untilState(page, "tools", "done");
  await settled(page);
  await untilCount(page, 5);
}

/** An older checkpoint is shown as it was: before the call, and without an answer. */
async function goBack(page) {
  const talk = page.locator("weft-studio .talk");
  await slider(page).press("Home");
  await at(page, 1);
  await talk.getByText("Please order 3 teapots").waitFor({ state: "detached" });
  await slider(page).press("ArrowRight");
  await at(page, 2);
  await talk.getByText("Please order 3 teapots").waitFor();
  await untilState(page, "agent", "next");
  assert.equal(await talk.getByText("The order is placed").count(), 0);
}

/** What the studio shows of each checkpoint, and of the whole thread. */
async function stepsOf(page) {
  const steps = [];
  const length = await count(page);
  await slider(page).press("Home");
  for (let place = 1; place <= length; place++) {
    await at(page, place);
    const said = await page.locator("weft-studio").evaluate((studio) => {
      const text = (selector) =>
        [...studio.shadowRoot.querySelectorAll(selector)].map((one) => one.textContent.trim());
      const states = [...studio.shadowRoot.querySelectorAll(".node")];
      return {
        at: text(".time-bar .at"),
        state: text(".inspected .tree"),
        changes: text(".changes li"),
        talk: text(".talk :is(.words, .prose)"),
        nodes: states.map(({ dataset }) => [dataset.node, dataset.state]),
      };
    });
    steps.push(said);
    await slider(page).press("ArrowRight");
  }
  return {
    steps,
    marks: await marks(page),
    graph: await page.locator("weft-studio .node").count(),
  };
}

/** The checkpoint that is shown is forked, and a state written there. */
async function branch(page) {
  await button(page, "Fork here").click();
  await page.locator("weft-studio .notice", { hasText: "This branch has not run yet" }).waitFor();
  await untilCount(page, 6);
  await button(page, "Edit state").click();
  await page
    .getByLabel("What to write")
    .fill('{ "messages": [{ "role": "user", "content": "What time is it?" }] }');
  await button(page, "Write as a branch").click();
  await page.locator("weft-studio .at", { hasText: "written by hand" }).waitFor();
  await untilCount(page, 7);
  const lanes = await page
    .locator("weft-studio .mark")
    .evaluateAll((list) => new Set(list.map(({ dataset }) => dataset.lane)).size);
  assert.equal(lanes, 2);
  await page.locator("weft-studio .talk", { hasText: "What time is it?" }).waitFor();
}

/**
 * Saves a recording of the thread's 7 checkpoints, and plays it after a reload: the same, asking no
 * server.
 * @param {any} page
 * @param {string} hash of the command's address, with the token if there is one
 */
async function recordAndPlay(page, hash) {
  const before = await stepsOf(page);
  assert.equal(before.steps.length, 7);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    button(page, "Save recording").click(),
  ]);
  assert.match(download.suggestedFilename(), /^weft-[\w-]{8}\.json$/);
  const file = await download.path();
  const text = await readFile(file, "utf8");
  const token = hash.slice("#token=".length);
  assert.ok(token === "" || !text.includes(token));
  await page.reload();
  await ready(page);
  const open = async (given) => {
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      button(page, "Open recording").click(),
    ]);
    await chooser.setFiles(given);
  };
  const asked = [];
  page.on("request", (one) => asked.push(one.url()));
  await open(file);
  await page.getByRole("status").filter({ hasText: "A recording of" }).waitFor();
  await untilCount(page, 7);
  await settled(page);
  asked.length = 0;
  assert.deepEqual(await stepsOf(page), before);
  assert.equal(await page.locator("weft-studio :is(textarea, button.primary):visible").count(), 0);
  assert.deepEqual(asked, [], "a recording asks no server");
  await picture(page, "studio-recording");
  await button(page, "Close the recording").click();
  await page.locator("#open:focus").waitFor();
  await page.locator("weft-studio textarea").first().waitFor();
  await untilCount(page, 7);
  return { text, open };
}

test("a graph in Node: a lit run, inbox, older checkpoints, a fork, a written state, a recording", async (t) => {
  const studio = await inCommand("Node")(t);
  const page = await studio.open(t, browser);
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (said) => said.type() === "error" && faults.push(said.text()));
  assert.ok(await button(page, "Save recording").isDisabled());
  await approveFromInbox(page);
  await goBack(page);

  await branch(page);
  const { text, open } = await recordAndPlay(page, new URL(studio.address).hash);

  for (const [name, content, words] of [
    ["cut.json", text.slice(0, text.length / 2), "or its end is missing"],
    ["other.json", '{ "threads": [] }', "This file is no recording"],
    ["newer.json", text.replace('"format":1', '"format":2'), "the format of another version"],
    ["parts.json", text.replace('"states":', '"none":'), "Parts of this recording are missing"],
  ]) {
    await open({ name, mimeType: "application/json", buffer: Buffer.from(content) });
    await page.getByRole("alert").filter({ hasText: words }).waitFor();
  }
  assert.equal(await page.locator("weft-studio[readonly]").count(), 0);
  assert.deepEqual(faults, []);
});

test("what a thread has cost is told as before after a reload, and its history is read once", async (t) => {
  const studio = await StudioCommand.start(t, PRICED, ["--memory"]);
  const token = new URL(studio.address).hash.slice("#token=".length);
  const call = async (path, body) => {
    const init = { method: "POST", headers: { "x-api-key": token }, body: JSON.stringify(body) };
    return (await fetch(`http://127.0.0.1:${studio.port}${path}`, init)).json();
  };
  const page = await studio.open(t, browser);
  await page.addInitScript(() => {
    addEventListener("weft-spent", ({ detail }) => (globalThis.spent = detail));
  });
  await page.reload();
  await ready(page);
  const reads = [];
  page.on("request", (one) => /\/history$/.test(one.url()) && reads.push(one.postDataJSON()));
  const { thread_id: id } = await call("/threads", { metadata: { graph_id: "agent" } });
  const run = (more) =>
    call(`/threads/${id}/runs/wait`, {
      assistant_id: "agent",
      config: { recursion_limit: 1000 },
      ...more,
    });
  const told = (steps) =>
    page.waitForFunction((wanted) => JSON.stringify(globalThis.spent) === JSON.stringify(wanted), {
      thread: id,
      steps,
      tokens: steps * 7,
      isWhole: true,
    });
  await page.evaluate((thread) => (document.querySelector("weft-studio").thread = thread), id);
  await run({ input: { messages: [{ role: "user", content: "Go" }] } });
  await told(STEPS);
  const history = await call(`/threads/${id}/history`, { limit: 1000 });
  // Of the state before its first step, a branch.
  await run({ input: null, checkpoint_id: history.at(-2).checkpoint.checkpoint_id });
  await told(2 * STEPS);
  const length = 2 * STEPS + 3;
  await untilCount(page, length);
  reads.length = 0;
  await page.reload();
  await untilCount(page, length);
  await told(2 * STEPS);
  const older = reads.map(({ before }) => before).filter((before) => before !== undefined);
  assert.equal(older.length, Math.floor(length / 200));
});

for (const [host, start] of Object.entries({
  Deno: inCommand("Deno"),
  "a Worker, by its address": beside,
}))
  test(`a graph in ${host}: inbox, older checkpoints, a fork, a written state, a recording`, async (t) => {
    const studio = await start(t);
    const page = await studio.open(t, browser);
    await approveFromInbox(page);
    await goBack(page);
    await branch(page);
    await recordAndPlay(page, new URL(studio.address).hash);
  });

/** A request as any program may send it. */
const ask = (port, path, headers, method = "GET") =>
  new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    sent.once("error", reject).end();
  });

const connects = (host, port) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5000 });
    const tell = (isOpen) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", tell(true)).once("error", tell(false)).once("timeout", tell(false));
  });

/** Where a process of Linux listens on a port, as the kernel writes it. */
const bound = async (port) => {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((one) => readFile(`/proc/net/${one}`, "utf8").catch(() => "")),
  );
  const hex = Number(port).toString(16).toUpperCase().padStart(4, "0");
  return tables
    .flatMap((table) => table.split("\n").map((line) => line.trim().split(/\s+/)))
    .filter(([, local = "", , state]) => local.endsWith(`:${hex}`) && state === "0A")
    .map(([, local]) => local.split(":")[0]);
};

test("it listens on 127.0.0.1 alone, and refuses foreign names, foreign pages and wrong tokens", async (t) => {
  const studio = await StudioCommand.start(t, `${shop()}\nexport default agent;`, ["--memory"]);
  const { port } = studio;
  assert.deepEqual(await bound(port), ["0100007F"]);
  assert.ok(await connects("127.0.0.1", port));
  const others = Object.values(networkInterfaces()).flat();
  for (const { address, internal } of others)
    if (!internal) assert.equal(await connects(address, port), false, address);

  const key = new URL(studio.address).hash.slice("#token=".length);
  assert.ok(key.length >= 32);
  const own = `127.0.0.1:${port}`;
  const token = { "x-api-key": key };
  for (const [path, headers, status] of [
    ["/studio", {}, 200],
    ["/threads", token, 405],
    ["/info", token, 200],
    ["/info", { ...token, origin: `http://${own}` }, 200],
    ["/info", { authorization: `Bearer ${key}` }, 200],
    // Another name, whoever leads it here.
    ["/studio", { host: "rebound.example" }, 403],
    ["/studio", { host: `rebound.example:${port}` }, 403],
    ["/studio/studio.js", { host: `127.0.0.1.rebound.example:${port}` }, 403],
    ["/info", { ...token, host: `rebound.example:${port}` }, 403],
    ["/info", { ...token, host: "192.0.2.7" }, 403],
    // A page of another site.
    ["/studio", { origin: "https://evil.example" }, 403],
    ["/info", { ...token, origin: "https://evil.example" }, 403],
    ["/info", { ...token, origin: "null" }, 403],
    ["/info", { ...token, origin: `http://127.0.0.1.evil.example:${port}` }, 403],
    // Without the printed address.
    ["/info", {}, 401],
    ["/info", { "x-api-key": "" }, 401],
    ["/info", { "x-api-key": key.slice(1) }, 401],
    ["/info", { "x-api-key": `${key}x` }, 401],
    ["/info", { authorization: `Basic ${key}` }, 401],
    [`/info?token=${key}`, {}, 401],
  ])
    assert.equal(
      await ask(port, path, { host: own, ...headers }),
      status,
      `${path} ${JSON.stringify(headers)}`,
    );
  const threads = { host: own, "content-type": "application/json" };
  assert.equal(await ask(port, "/threads", threads, "POST"), 401);
  assert.equal(await ask(port, "/threads", { ...threads, ...token }, "POST"), 200);
});
