// SPDX-License-Identifier: MIT
// The style of the screen Race.
export const styleText = `
.charts { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); }
.chart { margin: 0; }
.chart svg { display: block; width: 100%; max-width: 620px; height: auto; overflow: visible; }
.chart text { fill: var(--ink); font-size: 15px; }
.chart .value { font-weight: 600; font-variant-numeric: tabular-nums; }
.chart .none { fill: var(--soft); font-weight: 400; }
.bar.weft { fill: var(--accent); }
.bar.langgraph { fill: light-dark(#9aa1b8, #69708a); }
.spread { fill: none; stroke: var(--ink); stroke-width: 1.5; opacity: .65; }
.rules { max-width: 72ch; padding-left: 1.2em; color: var(--soft); font-size: .9375rem; list-style: disc; }
@media (max-width: 640px) { .chart text { font-size: 21px; } }
@media (forced-colors: active) { .bar.weft { fill: Highlight; } .bar.langgraph { fill: GrayText; } }
`;
