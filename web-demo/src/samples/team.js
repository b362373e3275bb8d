// SPDX-License-Identifier: MIT
// A sample: three agents, each a graph of its own, that hand the conversation to each other.
import { tool } from "weftgraph";
import { createHandoffTool, createReactAgent, createSwarm } from "weftgraph/prebuilt";
import { part } from "./script.js";

const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const findTrains = tool(
  async (/** @type {{ to: string }} */ { to }) => {
    await wait(700);
    return `08:12, 10:40 and 13:05 to ${to}, 2 h 20 min each`;
  },
  {
    name: "find_trains",
    description: "Finds trains to a place.",
    idempotent: true,
    schema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  },
);

/** @param {import("./script.js").BaseMessage[]} messages such as "Plan a trip to Lisbon" */
function placeIn(messages) {
  const asked = messages.findLast(({ type }) => type === "human")?.text ?? "";
  return /\bto ([\p{L} -]{2,30})/u.exec(asked)?.[1].trim() ?? "the sea";
}

const desk = createReactAgent({
  name: "desk",
  llm: part(() => ({ content: "A trip! I call our timetable.", call: "transfer_to_timetable" })),
  tools: [createHandoffTool({ agentName: "timetable" })],
});

const timetable = createReactAgent({
  name: "timetable",
  llm: part((messages) =>
    messages.at(-1)?.name === "find_trains"
      ? { content: "The trains are found.", call: "transfer_to_writer" }
      : { call: "find_trains", args: { to: placeIn(messages) } },
  ),
  tools: [findTrains, createHandoffTool({ agentName: "writer" })],
});

const writer = createReactAgent({
  name: "writer",
  llm: part((messages) =>
    messages.at(-1)?.type === "human"
      ? { content: "Another trip? Back to the desk.", call: "transfer_to_desk" }
      : { content: `Take the 10:40 to ${placeIn(messages)}: you sleep in, and arrive for lunch.` },
  ),
  tools: [createHandoffTool({ agentName: "desk" })],
});

export const team = createSwarm({
  agents: [desk, timetable, writer],
  defaultActiveAgent: "desk",
}).compile();
