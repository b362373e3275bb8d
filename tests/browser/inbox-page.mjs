// SPDX-License-Identifier: MIT
// Knows: how threads are made to wait in the demo's worker, by orders or from a file, and how its
// inbox is used. Must not know what a test expects.
import { mkdirSync } from "node:fs";
import { build } from "esbuild";
import { MemorySaver, MessagesAnnotation, START, Send, StateGraph, interrupt } from "weftgraph";
import { exportThreads } from "weftgraph/savers/transfer";

const PICTURES = process.env.WEFT_PICTURES;

/** Text of a script that gives a page `ask(path, body)` of the server in its worker. */
export async function askScript() {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { serveFrom } from "weftgraph/server/service-worker";
        const Own = Worker;
        globalThis.Worker = class extends Own {
          constructor(...given) {
            super(...given);
            const { fetch } = serveFrom(this);
            globalThis.ask = async (path, body) => {
              const init = body && {
                method: "POST",
                headers: { "content-type": "application/json" },
                body: JSON.stringify(body),
              };
              const text = await (await fetch("http://weft.local" + path, init)).text();
              return text && JSON.parse(text);
            };
          }
        };`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    format: "iife",
  });
  return outputFiles[0].text;
}

/** Begins a thread with a message to the order desk; it stops at its first question. */
export const order = (page, thread, text) =>
  page.evaluate(
    async ([id, content]) => {
      await ask("/threads", { thread_id: id, metadata: { graph_id: "orders" } });
      const input = { messages: [{ role: "user", content }] };
      await ask(`/threads/${id}/runs/wait`, { assistant_id: "orders", input });
    },
    [thread, text],
  );

/**
 * A file of threads of the order desk that wait, the last one the newest.
 * @param {{ id: string, title: string, messages: object[], questions: { value: unknown, schema?:
 *   unknown }[] }[]} threads
 */
export async function waitingThreads(threads) {
  const saver = new MemorySaver();
  const metadata = {};
  for (const { id, title, messages, questions } of threads) {
    // The nodes and channels of the order desk.
    await new StateGraph(MessagesAnnotation)
      .addNode("agent", () => ({}))
      .addNode("tools", ({ value, schema }) =>
        interrupt(value, schema && { responseSchema: schema }),
      )
      .addEdge(START, "agent")
      .addConditionalEdges("agent", () => questions.map((one) => new Send("tools", one)), ["tools"])
      .compile({ checkpointer: saver })
      .invoke({ messages }, { configurable: { thread_id: id } });
    metadata[id] = { graph_id: "orders", title };
  }
  const line = JSON.stringify({ weft: "studio-threads", format: 1, metadata });
  return Buffer.concat([Buffer.from(`${line}\n`), await exportThreads(saver)]);
}

/** Takes a file of new threads, on the screen Recordings. */
export async function importThreads(page, buffer, count) {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.locator('[data-do="import"]').click(),
  ]);
  await chooser.setFiles({ name: "threads.weft", mimeType: "application/octet-stream", buffer });
  await page.locator("[data-did]", { hasText: `${count} new` }).waitFor();
}

/** Deletes every thread: the next test begins with none. */
export const clear = (page) =>
  page.evaluate(async () => {
    const threads = await ask("/threads/search", { limit: 1000, select: ["thread_id"] });
    await ask("/threads/prune", { thread_ids: threads.map(({ thread_id }) => thread_id) });
  });

/** What the tools of a thread answered. */
export const results = (page, thread) =>
  page.evaluate(async (id) => {
    const { values } = await ask(`/threads/${id}/state`);
    return values.messages.filter(({ type }) => type === "tool").map(({ content }) => content);
  }, thread);

export const rows = (page) => page.locator(".rows li");
export const cards = (page) => page.locator(".question.open");
export const cardOf = (page, title) => page.locator(".question", { hasText: title });
export const APPROVE = '[data-do="approve"]';

/** A picture for who looks at it, where WEFT_PICTURES names a folder. */
export async function picture(page, name) {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}
