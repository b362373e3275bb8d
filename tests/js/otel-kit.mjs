// SPDX-License-Identifier: MIT
// OpenTelemetry's own SDK for the tests of weftgraph/otel: spans in memory, and what they make.
import * as api from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { otelHandler } from "weftgraph/otel";

api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

/** The API as it is where nothing keeps a context over an await. */
export const tab = {
  trace: api.trace,
  context: { active: () => api.ROOT_CONTEXT, with: (_, call) => call() },
};

/**
 * A handler over the SDK. `counts`: spans that began and ended.
 * @param {object} [options] of otelHandler
 */
export function traced(options = {}) {
  const exporter = new InMemorySpanExporter();
  const counts = { started: 0, ended: 0 };
  const provider = new BasicTracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor(exporter),
      {
        onStart: () => counts.started++,
        onEnd: () => counts.ended++,
        shutdown: async () => {},
        forceFlush: async () => {},
      },
    ],
  });
  const tracer = provider.getTracer("test");
  const handler = otelHandler({ api, tracer, ...options });
  return {
    handler,
    tracer,
    counts,
    spans: () => exporter.getFinishedSpans(),
    reset: () => exporter.reset(),
    named: (name) => exporter.getFinishedSpans().filter((span) => span.name === name),
  };
}

const before = ([a, b], [c, d]) => a - c || b - d;

/**
 * The names of spans as a tree, in the order of their beginnings; siblings that begin together by
 * name.
 * @param {readonly any[]} spans
 */
export function treeOf(spans) {
  const known = new Set(spans.map((span) => span.spanContext().spanId));
  const under = (id, indent) =>
    spans
      .filter(({ parentSpanContext: parent }) =>
        id === undefined ? !known.has(parent?.spanId) : parent?.spanId === id,
      )
      .sort((a, b) => before(a.startTime, b.startTime) || (a.name < b.name ? -1 : 1))
      .flatMap((span) => [
        `${indent}${span.name}`,
        ...under(span.spanContext().spanId, `${indent}  `),
      ]);
  return under(undefined, "");
}

/** All that a trace says. @param {readonly any[]} spans */
export const textOf = (spans) =>
  JSON.stringify(
    spans.map(({ name, attributes, events, status, links }) => ({
      name,
      attributes,
      events,
      status,
      links,
    })),
  );
