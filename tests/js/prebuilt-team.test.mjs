// SPDX-License-Identifier: MIT
// Swarm and supervisor: who gets the conversation, what each model is shown, threads that go on
// with the active agent, and that no tool call stays unanswered, with both versions of agents and
// with calls beside a handoff.
import { test } from "node:test";
import assert from "node:assert/strict";
import { AIMessage, Command, MemorySaver, interrupt, tool } from "weftgraph";
import { ScriptedModel } from "weftgraph/models/scripted";
import {
  createHandoffTool,
  createReactAgent,
  createSupervisor,
  createSwarm,
} from "weftgraph/prebuilt";

const call = (name, args = {}, id = name) => ({ name, args, id, type: "tool_call" });
const ai = (...calls) => new AIMessage({ content: "", tool_calls: calls });
const say = (text) => new AIMessage(text);
const schema = { type: "object" };
const note = tool(({ n }) => `noted ${n}`, { name: "note", schema });
const agent = (name, responses, tools = [], more = {}) => {
  const llm = new ScriptedModel({ responses });
  return Object.assign(createReactAgent({ llm, tools, name, ...more }), { llm });
};
const lines = ({ messages }) =>
  messages.map(({ type, content, name, tool_calls }) => [
    type,
    name,
    tool_calls?.length > 0 ? tool_calls.map((one) => one.name).join() : content,
  ]);

/** Every call of every AI message has one answer. */
function allAnswered({ messages }) {
  const answers = messages
    .filter(({ type }) => type === "tool")
    .map(({ tool_call_id }) => tool_call_id)
    .sort();
  assert.deepEqual(
    answers,
    messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id)).sort(),
  );
}

test("a swarm: the conversation goes over, and the next turn begins where it is", async () => {
  const alice = agent(
    "alice",
    [ai(call("transfer_to_bob"))],
    [createHandoffTool({ agentName: "bob" })],
  );
  const bob = agent(
    "bob",
    [say("Ahoy!"), say("Still here.")],
    [createHandoffTool({ agentName: "alice", description: "numbers" })],
  );
  const swarm = createSwarm({ agents: [alice, bob], defaultActiveAgent: "alice" }).compile({
    checkpointer: new MemorySaver(),
  });
  const thread = { configurable: { thread_id: "1" } };
  const first = await swarm.invoke({ messages: "I want Bob" }, thread);
  assert.deepEqual(lines(first), [
    ["human", undefined, "I want Bob"],
    ["ai", "alice", "transfer_to_bob"],
    ["tool", "transfer_to_bob", "Successfully transferred to bob"],
    ["ai", "bob", "Ahoy!"],
  ]);
  assert.equal(first.activeAgent, "bob");
  const second = await swarm.invoke({ messages: "and now?" }, thread);
  assert.equal(second.messages.at(-1).content, "Still here.");
  allAnswered(second);
  assert.equal(alice.llm.calls.length, 1);
  assert.deepEqual(
    bob.llm.calls[1].messages.map(({ type }) => type),
    ["human", "ai", "tool", "ai", "human"],
  );
});

test("calls beside a handoff are answered, in both versions; of two handoffs one counts", async () => {
  for (const version of ["v1", "v2"]) {
    const tools = [
      note,
      createHandoffTool({ agentName: "bob" }),
      createHandoffTool({ agentName: "carol" }),
    ];
    const alice = agent(
      "alice",
      [ai(call("note", { n: 1 }), call("transfer_to_bob"), call("transfer_to_carol"))],
      tools,
      { version },
    );
    const others = ["bob", "carol"].map((name) => agent(name, [say(`${name} here`)]));
    const swarm = createSwarm({
      agents: [alice, ...others],
      defaultActiveAgent: "alice",
    }).compile();
    const end = await swarm.invoke({ messages: "go" });
    allAnswered(end);
    // Tasks of their own: as in LangGraph.js the last one's Command is taken.
    assert.equal(end.messages.at(-1).content, version === "v1" ? "bob here" : "carol here");
    const answers = Object.fromEntries(
      end.messages
        .filter(({ type }) => type === "tool")
        .map(({ tool_call_id, content }) => [tool_call_id, content]),
    );
    if (version === "v1")
      assert.deepEqual(
        [answers.note, answers.transfer_to_bob, answers.transfer_to_carol],
        [
          "noted 1",
          "Successfully transferred to bob",
          "Not transferred: the conversation was handed to bob.",
        ],
      );
    else
      assert.ok(
        answers.transfer_to_carol.startsWith("Successfully") &&
          answers.note.startsWith("Not kept") &&
          answers.transfer_to_bob.startsWith("Not kept"),
      );
  }
});

test("a supervisor hands out, gets back, and answers", async () => {
  for (const outputMode of ["last_message", "full_history"]) {
    const maths = agent("maths", [ai(call("note", { n: 7 }, "m1")), say("It is 7.")], [note]);
    const poet = agent("poet", [say("Seven roses.")]);
    const llm = new ScriptedModel({
      responses: [ai(call("transfer_to_maths")), ai(call("transfer_to_poet")), say("Done.")],
    });
    const team = createSupervisor({
      agents: [maths, poet],
      llm,
      prompt: "You lead.",
      outputMode,
    }).compile();
    const end = await team.invoke({ messages: "A poem about 3+4" });
    allAnswered(end);
    assert.equal(end.messages.at(-1).content, "Done.");
    const shown = lines(end).map(([type, name, text]) => `${type} ${name ?? ""} ${text}`);
    assert.ok(shown.includes("ai maths It is 7.") && shown.includes("ai poet Seven roses."));
    assert.equal(shown.includes("ai maths note"), outputMode === "full_history");
    assert.equal(shown.filter((line) => line.includes("transfer_back_to_supervisor")).length, 4);
    assert.equal(llm.calls[0].messages[0].content, "You lead.");
  }
});

test("a question inside an agent of a team stops and resumes the team", async () => {
  const ask = tool(() => `heard ${interrupt("sure?")}`, { name: "ask", schema });
  const worker = agent("worker", [ai(call("ask")), say("Asked.")], [ask]);
  const llm = new ScriptedModel({ responses: [ai(call("transfer_to_worker")), say("All done.")] });
  const team = createSupervisor({
    agents: [worker],
    llm,
    addHandoffBackMessages: false,
    outputMode: "full_history",
  }).compile({ checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: "1" } };
  const asked = await team.invoke({ messages: "go" }, thread);
  assert.deepEqual(
    asked.__interrupt__.map(({ value }) => value),
    ["sure?"],
  );
  const end = await team.invoke(new Command({ resume: "yes" }), thread);
  assert.equal(end.messages.at(-1).content, "All done.");
  assert.ok(end.messages.some(({ content }) => content === "heard yes"));
  allAnswered(end);
});

test("mistakes are named", () => {
  const bob = agent("bob", []);
  assert.throws(() => createSwarm({ agents: [bob], defaultActiveAgent: "eve" }), {
    code: "BAD_ARGUMENT",
    message: /eve/,
  });
  assert.throws(
    () => createSwarm({ agents: [bob, agent("bob", [])], defaultActiveAgent: "bob" }),
    /two agents are called "bob"/,
  );
  assert.throws(
    () => createSwarm({ agents: [agent(undefined, [])], defaultActiveAgent: "x" }),
    /needs a name/,
  );
  assert.throws(
    () => createSupervisor({ agents: [agent("supervisor", [])], llm: bob.llm }),
    /as the supervisor/,
  );
  assert.throws(
    () => createSupervisor({ agents: [bob], llm: bob.llm, outputMode: "all" }),
    /outputMode/,
  );
});
