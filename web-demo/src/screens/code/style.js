// SPDX-License-Identifier: MIT
// The style of the screen Code.
export const styleText = `
.samples { display: flex; flex-wrap: wrap; gap: 6px; }
.samples a { padding: 5px 14px; border: 1px solid var(--line); border-radius: 999px; background: var(--paper); color: inherit; text-decoration: none; }
.samples a[aria-current=page] { border-color: var(--accent); background: var(--accent-wash); color: var(--accent); font-weight: 600; }
.both { display: grid; gap: 16px; align-items: start; grid-template-columns: minmax(220px, 1fr) minmax(0, 3fr); }
.side { position: sticky; top: 12px; }
.modules, .module { display: grid; gap: 12px; min-width: 0; }
.graph { max-width: 100%; height: auto; margin: 0 auto; overflow: visible; }
.graph text { fill: var(--ink); font-size: 14px; }
.graph .edge { fill: none; stroke: var(--soft); stroke-width: 1.2; }
.graph .conditional { stroke-dasharray: 5 4; }
.graph marker path { fill: var(--soft); }
.graph .box { fill: none; stroke: var(--line); }
.graph .node rect { fill: var(--ground); stroke: var(--soft); stroke-width: 1.2; }
.graph .node[role=button] { cursor: pointer; }
.graph .node[role=button]:hover rect { stroke: var(--accent); stroke-width: 2; }
.graph .node[aria-pressed=true] rect { fill: var(--accent-wash); stroke: var(--accent); stroke-width: 3; }
.graph .node[aria-pressed=true] text { font-weight: 700; }
.code { padding: 12px 0; overflow-x: auto; border: 1px solid var(--line); border-radius: 14px; background: var(--paper); counter-reset: line; font-family: var(--mono); font-size: .8125rem; line-height: 1.6; tab-size: 2; }
.code li { display: flex; width: max-content; min-width: 100%; padding-right: 16px; border-left: 3px solid transparent; counter-increment: line; }
.code li::before { flex: none; width: 3.2em; padding-right: 1.2em; color: var(--soft); text-align: right; content: counter(line); user-select: none; }
.code li[data-node] { cursor: pointer; }
.code li[data-node]:hover { background: var(--ground); }
.code li[aria-current=true] { border-left-color: var(--accent); background: var(--accent-wash); }
.code code { font-size: inherit; white-space: pre; }
.keyword { color: light-dark(#7a2fb0, #d0a0ff); } .string { color: light-dark(#14694b, #7bd3a4); } .number { color: light-dark(#96590a, #f0b95c); }
.comment { color: var(--soft); font-style: italic; } .call { color: light-dark(#2447c8, #9fb0ff); } .property { color: light-dark(#9a2d4f, #ff9db4); }
.proof { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; font-size: .875rem; }
.proof code { overflow-wrap: anywhere; }
@media (max-width: 800px) { .both { grid-template-columns: minmax(0, 1fr); } .side { position: static; } .graph { max-height: 320px; } }
@media (forced-colors: active) { .code li[aria-current=true] { border-left-color: Highlight; } .graph .node[aria-pressed=true] rect { stroke-width: 4; } }
`;
