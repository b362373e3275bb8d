// SPDX-License-Identifier: MIT
// Questions about tool calls to the person of an MCP client: what is offered, how it is written,
// and what becomes of a call that nobody decides about.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MessagesAnnotation, START, StateGraph, interrupt } from "weftgraph";
import { createAgent } from "weftgraph/agent";
import { humanInTheLoopMiddleware } from "weftgraph/agent/middleware";
import { connectMcp } from "weftgraph/mcp";
import { serveMcp } from "weftgraph/mcp/server";
import { ScriptedModel } from "weftgraph/models/scripted";
import { FileSaver } from "weftgraph/savers/file";
import { tool } from "weftgraph/tools";
import { CLIENTS, URL_OF_SERVER, makeTools } from "./mcp-served.mjs";

const SERVED = {
  name: "agent",
  schema: { type: "object", properties: {} },
  input: () => ({ messages: "go" }),
  output: ({ messages }) => messages.at(-1).content,
};
const INTERNAL_ERROR = -32603;

/** An agent behind a server, whose person may decide so about the call. */
function makeAgent(rule, args = { x: 1 }) {
  const ran = [];
  const send = tool((given) => (ran.push(given), "sent"), {
    name: "send",
    schema: { type: "object" },
  });
  const calls = { content: "", tool_calls: [{ name: "send", id: "c1", args }] };
  const agent = createAgent({
    model: new ScriptedModel({ responses: [calls, "Done."] }),
    tools: [send],
    middleware: [humanInTheLoopMiddleware({ interruptOn: { send: rule } })],
  });
  return { server: serveMcp(agent, SERVED), ran };
}

/** A graph of one node behind a server. */
function makeNode(node) {
  const graph = new StateGraph(MessagesAnnotation).addNode("n", node).addEdge(START, "n").compile();
  return serveMcp(graph, SERVED);
}

for (const [kind, open] of Object.entries(CLIENTS)) {
  for (const action of ["decline", "cancel"])
    for (const allowedDecisions of [["approve", "edit"], ["approve", "edit", "reject"], ["reject"]])
      test(`${kind}: ${action} of ${allowedDecisions.join(", ")} ends the call`, async () => {
        const { server, ran } = makeAgent({ allowedDecisions });
        const asked = [];
        const answer = ({ requestedSchema }) => {
          asked.push(requestedSchema.properties);
          return { action };
        };
        const { call, close } = await open(server, { answer });
        const result = await call("agent", {});
        assert.equal(result.isError, true);
        assert.match(result.content[0].text, /did not answer/);
        assert.equal(asked.length, 1);
        const offered = allowedDecisions.filter((one) => one !== "edit");
        assert.deepEqual(asked[0].decision.enum, offered);
        assert.equal("reason" in asked[0], offered.includes("reject"));
        assert.deepEqual(ran, []);
        await close();
      });

  test(`${kind}: a call that may be edited alone is an error`, async () => {
    const { server, ran } = makeAgent({ allowedDecisions: ["edit"] });
    const { call, close } = await open(server, { answer: () => assert.fail("asked") });
    const outcome = await call("agent", {}).catch((error) => error);
    assert.equal(outcome.code, INTERNAL_ERROR);
    assert.match(outcome.message, /asks for an edit/);
    assert.deepEqual(ran, []);
    await close();
  });

  test(`${kind}: characters that do not show are spelled out`, async () => {
    const description = "Really\u200b?";
    const allowedDecisions = ["approve", "reject"];
    const args = { to: "bob\u202emoc.live@\u202c", note: "\u2066x" };
    const { server } = makeAgent({ allowedDecisions, description }, args);
    const asked = [];
    const answer = (params) => {
      asked.push(params);
      return { action: "accept", content: { decision: "approve" } };
    };
    const { call, close } = await open(server, { answer });
    assert.equal((await call("agent", {})).content[0].text, "Done.");
    assert.equal(
      asked[0].message,
      'Really⟨U+200B⟩?\nsend {"to":"bob⟨U+202E⟩moc.live@⟨U+202C⟩","note":"⟨U+2066⟩x"}',
    );
    await close();
  });
}

for (const kind of Object.keys(CLIENTS).filter((one) => /legacy|client 1/.test(one)))
  test(`${kind}: a call that asks without end is an error`, async () => {
    const server = makeNode(() => {
      for (;;) interrupt("Again?");
    });
    let asked = 0;
    const answer = () => {
      asked++;
      return { action: "accept", content: { answer: "yes" } };
    };
    const { call, close } = await CLIENTS[kind](server, { answer });
    const outcome = await call("agent", {}).catch((error) => error);
    assert.equal(outcome.code, INTERNAL_ERROR);
    assert.match(outcome.message, /more than 100 times/);
    assert.equal(asked, 100);
    await close();
  });

test("a node's own requests are answered as they allow", async () => {
  const open = CLIENTS["our client, modern"];
  for (const [config, content, expected] of [
    [{ allow_ignore: false }, { decision: "reject" }, { type: "response", args: "" }],
    [{ allow_respond: false }, { decision: "reject", reason: "no" }, { type: "ignore" }],
    [{}, { decision: "reject", reason: "no" }, { type: "response", args: "no" }],
    [{}, { decision: "reject" }, { type: "ignore" }],
    [{ allow_respond: false, allow_ignore: false }, { decision: "approve" }, { type: "accept" }],
  ])
    for (const isList of [false, true]) {
      const asked = [];
      const server = makeNode(() => {
        const request = { action_request: { action: "pay\u200b", args: { x: 1 } }, config };
        const said = interrupt(isList ? [request] : request);
        return { messages: [{ role: "ai", content: JSON.stringify(said) }] };
      });
      const answer = ({ requestedSchema }) => {
        asked.push(requestedSchema.properties.decision);
        return { action: "accept", content };
      };
      const { call, close } = await open(server, { answer });
      const { text } = (await call("agent", {})).content[0];
      assert.deepEqual(JSON.parse(text), isList ? [expected] : expected);
      const canReject = !(config.allow_ignore === false && config.allow_respond === false);
      assert.deepEqual(asked[0].enum, canReject ? ["approve", "reject"] : ["approve"]);
      assert.equal(asked[0].title, "pay⟨U+200B⟩");
      await close();
    }
});

for (const [what, content, check] of [
  [
    "rejected with a reason, is not run again",
    { decision: "reject", reason: "Do not pay." },
    (result, ran) => {
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /not known .* not run again/s);
      assert.doesNotMatch(result.content[0].text, /Do not pay/);
      assert.deepEqual(ran, []);
    },
  ],
  [
    "approved, is run again",
    { decision: "approve" },
    (result, ran) => {
      assert.equal(result.content[0].text, "paid 7");
      assert.deepEqual(ran, ["paid 7"]);
    },
  ],
  [
    "declined, ends",
    undefined,
    (result, ran) => {
      assert.equal(result.isError, true);
      assert.deepEqual(ran, []);
    },
  ],
])
  test(`a call in flight when its process stopped, ${what}`, async (t) => {
    const path = mkdtempSync(join(tmpdir(), "weft-mcp-approvals-"));
    const controller = new AbortController();
    const connect = (tools, saver = new FileSaver({ path })) => {
      const { fetch } = serveMcp(tools, { saver });
      return connectMcp(URL_OF_SERVER, { fetch });
    };
    const ran = [];
    const tools = makeTools(ran);
    const { schema } = tools.find(({ name }) => name === "pay");
    const params = { name: "pay", arguments: { amount: 7 } };
    const approve = { question_1: { action: "accept", content: { decision: "approve" } } };
    // A process that never comes back from its payment, and so holds no thread.
    const { requestState } = await new Promise((resolve, reject) => {
      const stuck = tool(() => new Promise(() => resolve(asked)), {
        name: "pay",
        schema,
        approval: "ask",
      });
      let asked;
      const saver = new FileSaver({ path });
      saver.store.hold = undefined;
      connect([stuck], saver)
        .then(async (server) => {
          asked = await server.callTool(params);
          const answer = { requestState: asked.requestState, inputResponses: approve };
          await server.callTool({ ...params, ...answer }, { signal: controller.signal });
        })
        .catch(reject);
    });
    t.after(() => {
      controller.abort();
      rmSync(path, { recursive: true, force: true });
    });
    const server = await connect(tools);
    // The decision that the stopped process took stands; the same answer again decides nothing.
    const doubt = await server.callTool({ ...params, requestState, inputResponses: approve });
    assert.equal(doubt.resultType, "input_required");
    const { message, requestedSchema } = doubt.inputRequests.question_1.params;
    assert.match(message, /not known whether it took effect/);
    assert.match(message, /To approve is to run it again/);
    assert.deepEqual(Object.keys(requestedSchema.properties), ["decision"]);
    const question_1 =
      content === undefined ? { action: "decline" } : { action: "accept", content };
    const inputResponses = { question_1 };
    const { requestState: state } = doubt;
    check(await server.callTool({ ...params, requestState: state, inputResponses }), ran);
  });
