// SPDX-License-Identifier: MIT
// The style of the graph and of the timeline.
export const graphStyle = `
.part-graph { background: radial-gradient(circle at 1px 1px, var(--line) 1px, transparent 1.5px) 0 0 / 22px 22px var(--paper); }
.drawing { flex: 1; min-block-size: 0; overflow: hidden; cursor: grab; touch-action: none; user-select: none; } .drawing:active { cursor: grabbing; }
.graph { display: block; } .graph text { fill: var(--ink); font-size: 14px; }
.controls { position: absolute; inset: auto 10px 10px auto; display: flex; gap: 6px; align-items: center; } .controls .switch { padding: 0 10px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); min-block-size: 34px; }
.graph .edge { fill: none; stroke: var(--strong-line); stroke-width: 1.4; } .graph .conditional { stroke-dasharray: 5 4; }
.graph .edge[data-taken=true] { stroke: var(--accent); stroke-width: 3; }
.graph marker path { fill: var(--strong-line); } .graph #arrow-taken path { fill: var(--accent); }
.graph .edge-label { fill: var(--soft); font-size: 12px; stroke: var(--paper); stroke-width: 4; paint-order: stroke; }
.graph .box rect { fill: var(--sheet); fill-opacity: .6; stroke: var(--line); } .graph .box text { fill: var(--soft); font-size: 11px; }
.node { cursor: pointer; } .node:focus { outline: none; } .node:focus-visible > rect { stroke: var(--accent); stroke-width: 3.5; }
.node > rect { fill: var(--paper); stroke: var(--strong-line); stroke-width: 1.4; } .node.end > rect { fill: var(--sheet); } .graph .node.end > text { fill: var(--soft); }
.node:hover > rect { stroke: var(--ink); }
.node[aria-pressed=true] > rect { stroke-width: 3; } .node[aria-pressed=true] > text { font-weight: 700; }
.node[data-state=next] > rect { stroke: var(--accent); stroke-dasharray: 5 4; stroke-width: 2; }
.node[data-state=running] > rect { fill: var(--accent-wash); stroke: var(--accent); stroke-width: 2.5; }
.node[data-state=done] > rect { fill: var(--good-wash); stroke: var(--good); }
.node[data-state=waiting] > rect { fill: var(--warn-wash); stroke: var(--warn); stroke-width: 2.5; }
.node[data-state=failed] > rect { fill: var(--bad-wash); stroke: var(--bad); stroke-width: 2.5; }
.badge circle { fill: var(--good); } .badge path { fill: none; stroke: var(--paper); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
[data-state=next] .badge circle, [data-state=running] .badge circle { fill: var(--accent); } [data-state=waiting] .badge circle { fill: var(--warn); } [data-state=failed] .badge circle { fill: var(--bad); }
.badge .spin { fill: none !important; stroke: var(--paper); stroke-width: 2; stroke-dasharray: 18 40; }
.graph .state, .graph .tasks { fill: var(--soft); font-size: 11px; stroke: var(--paper); stroke-width: 3; paint-order: stroke; } .graph .tasks { fill: var(--accent); font-size: 12px; font-weight: 650; }
.time-bar { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; padding: 8px 12px 0; } .time-bar .at { flex: 1 1 12rem; font-variant-numeric: tabular-nums; } .at time { white-space: nowrap; } .time-bar .at strong { color: var(--ink); }
.time-bar .steps { display: inline-flex; gap: 4px; } .time-bar .actions { gap: 6px; } .time-bar button { min-block-size: 30px; font-size: .8125rem; } .time-bar .icon-button { inline-size: max(30px, 1.1em + 4px); }
.timeline { max-block-size: 11rem; overflow: auto; border-radius: 0 0 12px 12px; overscroll-behavior: contain; } .timeline:focus-visible { outline-offset: -3px; } .timeline svg { display: block; } .timeline .hint { position: sticky; inset-inline-start: 0; display: inline-block; padding: 4px 14px 0; }
.way { fill: none; stroke: var(--strong-line); stroke-width: 2; }
.mark { fill: var(--good); stroke: var(--paper); stroke-width: 2; cursor: pointer; } .mark:hover { stroke: var(--ink); }
.mark[data-kind=open] { fill: var(--strong-line); } .mark[data-kind=waiting] { fill: var(--warn); } .mark[data-kind=failed] { fill: var(--bad); }
.mark[data-source=update], .mark[data-source=fork] { fill: var(--paper); stroke: var(--accent); }
.cursor { fill: var(--accent-wash); stroke: var(--accent); stroke-width: 2.5; }
@media (forced-colors: active) {
  .graph text { fill: CanvasText; stroke: none !important; } .node > rect { fill: Canvas !important; stroke: CanvasText; } .node[data-state=running] > rect, .node[data-state=waiting] > rect, .node[data-state=failed] > rect { stroke: Highlight; stroke-width: 4; }
  .badge circle { fill: CanvasText !important; } .badge path, .badge .spin { stroke: Canvas; } .graph .edge, .way { stroke: CanvasText; } .graph .edge[data-taken=true] { stroke: Highlight; stroke-width: 4; }
  .mark { fill: CanvasText !important; stroke: Canvas; } .mark[data-source=update], .mark[data-source=fork] { fill: Canvas !important; stroke: CanvasText; } .cursor { fill: Canvas; stroke: Highlight; stroke-width: 4; }
}
@media (prefers-reduced-motion: no-preference) {
  .badge .spin { animation: turn 1s linear infinite; }
  .graph .edge[data-taken=true]:not(.conditional) { stroke-dasharray: 400; animation: draw .35s ease-out; } @keyframes draw { from { stroke-dashoffset: 400; } }
}
`;
