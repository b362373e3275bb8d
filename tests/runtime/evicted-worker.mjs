// SPDX-License-Identifier: MIT
// A Durable Object per thread with an agent whose tools work at a server: POST /go goes on with the
// thread, /state tells what waits, /evict resets the object while it is at work.
import { DurableObject } from "cloudflare:workers";
import { AIMessage, Command, tool } from "../../js/index.js";
import { ScriptedModel } from "../../js/models/scripted.js";
import { createReactAgent } from "../../js/prebuilt/index.js";
import { DurableObjectSaver } from "../../js/savers/durable-object/saver.js";

const config = { configurable: { thread_id: "t" } };
const schema = { type: "object" };
const CALLS = [
  ["pay", "c1"],
  ["note", "c2"],
].map(([name, id]) => ({ name, id, args: {}, type: "tool_call" }));

export class Thread extends DurableObject {
  #agent() {
    const toolOf = (name, more) =>
      tool(
        async (_, { idempotencyKey }) =>
          (
            await fetch(`${this.env.SERVER}/${name}`, { method: "POST", body: idempotencyKey })
          ).text(),
        { name, schema, ...more },
      );
    const answer = (messages) =>
      messages.at(-1).type === "human" ? new AIMessage({ content: "", tool_calls: CALLS }) : "done";
    const llm = new ScriptedModel({ responses: [answer], loop: true });
    return createReactAgent({
      llm,
      tools: [toolOf("pay"), toolOf("note", { idempotent: true })],
      checkpointer: new DurableObjectSaver({ storage: this.ctx.storage }),
    });
  }

  async go(answers) {
    const input =
      answers === ""
        ? { messages: "go" }
        : answers === "null"
          ? null
          : new Command({ resume: JSON.parse(answers) });
    await this.#agent().invoke(input, config);
    return this.state();
  }

  async state() {
    const { values, tasks } = await this.#agent().getState(config);
    const waiting = tasks.flatMap(({ interrupts }) =>
      interrupts.map(({ id, value }) => ({ id, kind: value.kind, call: value.tool_call_id })),
    );
    return JSON.stringify({
      waiting,
      messages: (values.messages ?? []).map(({ type, content }) => `${type} ${content}`),
    });
  }

  evict() {
    this.ctx.abort("evicted");
  }
}

export default {
  async fetch(request, env) {
    const object = env.THREAD.get(env.THREAD.idFromName("t"));
    const verb = new URL(request.url).pathname.slice(1);
    try {
      return new Response(await (verb === "go" ? object.go(await request.text()) : object[verb]()));
    } catch (error) {
      return new Response(`${error}`, { status: 500 });
    }
  },
};
