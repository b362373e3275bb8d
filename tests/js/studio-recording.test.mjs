// SPDX-License-Identifier: MIT
// Recordings of the command's studio and the address of a server elsewhere, as hostile files,
// servers and command lines have them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openRecording, takeRecording } from "../../js/cli/recording.js";
import { serverElsewhere, studioPage } from "../../js/cli/studio.js";

const PLACE = { graph: "agent", thread: "anna" };
const stateOf = (id) => ({ checkpoint: { checkpoint_id: String(id) }, values: {} });
const FILE = {
  ...{ weft: "studio-thread", format: 1, graph: "agent", at: "2026-11-30T12:00:00.000Z" },
  ...{ thread: { thread_id: "anna" }, xray: { nodes: [], edges: [] }, states: [] },
};
const textOf = (change) => JSON.stringify({ ...FILE, ...change });

/** Asks a server with this history, of another make. */
const askOf = (pageOf) => async (path, body) => {
  if (path.endsWith("/history")) return pageOf(body);
  if (/schemas|decisions|xray=false/.test(path)) throw new Error("404");
  return path.startsWith("/threads") ? { thread_id: "anna" } : { nodes: [], edges: [] };
};

async function take(states, pageOf) {
  const text = await takeRecording(askOf(pageOf), PLACE);
  assert.deepEqual(JSON.parse(text).states, states);
  return openRecording(text);
}

test("a thread is read to its end, and the recording says what the server said", async () => {
  const states = Array.from({ length: 450 }, (_, at) => stateOf(at));
  const { server, graph, thread } = await take(states, ({ limit, before }) => {
    const from = before === undefined ? 0 : Number(before) + 1;
    return states.slice(from, from + limit);
  });
  assert.deepEqual({ graph, thread }, PLACE);
  const body = JSON.stringify({ limit: 3, before: "10" });
  const answer = await server.fetch("http://x/threads/anna/history", { method: "POST", body });
  assert.deepEqual(await answer.json(), states.slice(11, 14));
});

test("a server that always gives the same checkpoints, with and without ids, is read once", async () => {
  for (const id of ["a", undefined]) {
    const page = Array.from({ length: 200 }, () => ({ checkpoint: { checkpoint_id: id } }));
    let asked = 0;
    await take(JSON.parse(JSON.stringify(page)), () => {
      asked++;
      assert.ok(asked < 10, "it is asked again and again");
      return page;
    });
  }
});

test("what is no recording, or has no date, is refused with words", () => {
  const deep = "[".repeat(100_000);
  for (const text of [
    ...["", "null", "5", deep, textOf({}).slice(0, -1), '{"__proto__":{"weft":"studio-thread"}}'],
    ...[{ weft: "x" }, { format: 2 }, { graph: 5 }, { thread: null }, { thread: "anna" }],
    ...[{ states: { length: 1 } }, { xray: null }, { xray: "x" }, { at: 5 }, { at: "" }],
    { at: "\u202esoon" },
  ])
    assert.throws(
      () => openRecording(typeof text === "string" ? text : textOf(text)),
      { name: "RecordingError" },
      JSON.stringify(text).slice(0, 60),
    );
});

test("the date that is shown is a date alone", () => {
  const { at } = openRecording(textOf({ at: "(\u202eall is well) 30 Nov 2026" }));
  assert.match(at, /^[\dTZ:.-]+$/);
});

test("of a recording nothing can be changed or run, whatever its names are", async () => {
  for (const name of ["../x", "<b>", "__proto__", "a/b?c#d", ""]) {
    const { server } = openRecording(textOf({ graph: name, thread: { thread_id: name } }));
    for (const [method, path] of [
      ["POST", `/threads/${encodeURIComponent(name)}/runs/stream`],
      ["DELETE", `/threads/${encodeURIComponent(name)}`],
      ["PATCH", `/threads/${encodeURIComponent(name)}`],
    ])
      assert.equal((await server.fetch(`http://x${path}`, { method, body: "{}" })).status, 403);
    assert.equal((await server.fetch("http://x/threads/other")).status, 404);
  }
});

test("an address of a server cannot add to the page or to its policy", async () => {
  for (const address of ['http://a"onfocus=b', "http://a;require-trusted-types-for", "http://a,b"])
    assert.throws(() => serverElsewhere([address]), { name: "UsageError" }, address);
  for (const [address, expected] of [
    ["http://[::1]:8080//", "http://[::1]:8080"],
    ["https://anna:secret@agents.example/x/?q=1#token=t", "https://agents.example/x"],
    ['HTTP://Agents.Example/a"><b>&quot;', "http://agents.example/a%22%3E%3Cb%3E&quot;"],
    ["http://dürer.example", "http://xn--drer-0ra.example"],
  ]) {
    const url = serverElsewhere([address]);
    assert.equal(url, expected);
    const page = studioPage(new Request("http://127.0.0.1/studio"), url);
    const attribute = /<weft-studio url="([^"]*)">/.exec(await page.text())[1];
    assert.equal(attribute.replaceAll("&amp;", "&"), url);
    const policy = page.headers.get("content-security-policy");
    assert.ok(policy.includes(`connect-src 'self' ${new URL(url).origin}; base-uri 'none'`));
  }
});
