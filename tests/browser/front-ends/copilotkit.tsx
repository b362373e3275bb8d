// SPDX-License-Identifier: MIT
// A chat with CopilotKit. Its agent is a graph in the same tab.
import { AbstractAgent } from "@ag-ui/client";
import { CopilotChat, CopilotKitProvider, useAgent, useInterrupt } from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { createRoot } from "react-dom/client";
import { Observable } from "rxjs";
import { createAgent } from "weftgraph/ag-ui";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { makeAgent } from "./agent.ts";

const graph = makeAgent(new IdbfsSaver({ prefix: "copilotkit" }));
const threadId = (sessionStorage.thread ??= crypto.randomUUID());
const agent = createAgent(AbstractAgent, Observable, graph, {
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
