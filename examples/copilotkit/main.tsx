// SPDX-License-Identifier: MIT
// CopilotKit's chat with an agent in the tab, or with the same one behind an address: /?at=server.
import { AbstractAgent, HttpAgent, type RunAgentInput } from "@ag-ui/client";
import { CopilotChat, CopilotKitProvider, useAgent, useInterrupt } from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { createRoot } from "react-dom/client";
import { Observable } from "rxjs";
import { createAgent } from "weftgraph/ag-ui";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { makeAgent } from "./graph.js";

/** Also shows what its thread has come to, which the protocol leaves to each server. */
class ThreadAgent extends HttpAgent {
  connect(input: RunAgentInput) {
    return new HttpAgent({ url: `${this.url}?connect` }).run(input);
  }
}

const isRemote = new URLSearchParams(location.search).get("at") === "server";
const key = isRemote ? "thread-server" : "thread-tab";
const threadId = (localStorage[key] ??= crypto.randomUUID());
const agent = isRemote
  ? new ThreadAgent({ url: "/agui", agentId: "default", threadId })
  : createAgent(AbstractAgent, Observable, makeAgent(new IdbfsSaver({ prefix: "chat" })), {
      agentId: "default",
      threadId,
    });

function Chat() {
  const { agent } = useAgent();
  useInterrupt({
    render: ({ interrupts, resolve }) => (
      <>
        {interrupts.map(({ id, metadata = {} }) => (
          <section key={id}>
            <p>{JSON.stringify((metadata.value as any).action_requests[0].args)}</p>
            <button type="button" onClick={() => resolve({ approved: true }, id)}>
              Approve
            </button>
            <button type="button" onClick={() => resolve({ approved: false }, id)}>
              Reject
            </button>
          </section>
        ))}
      </>
    ),
  });
  return (
    <main data-loading={agent.isRunning}>
      <CopilotChat threadId={threadId} />
    </main>
  );
}

createRoot(document.getElementById("root")!).render(
  <CopilotKitProvider agents__unsafe_dev_only={{ default: agent }}>
    <Chat />
  </CopilotKitProvider>,
);
