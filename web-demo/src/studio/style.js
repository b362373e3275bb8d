// SPDX-License-Identifier: MIT
// The style of <weft-studio>: in its shadow root, light or dark as the page is.
export const styleText = `
:host {
  --paper: light-dark(#ffffff, #14161f); --ground: light-dark(#f5f6fa, #0e1017); --line: light-dark(#dcdfea, #2c3143);
  --ink: light-dark(#1a1d2b, #e8eaf4); --soft: light-dark(#565b73, #a4aac2); --accent: light-dark(#3c4ed8, #8f9cff);
  --on-accent: light-dark(#ffffff, #10132b); --good: light-dark(#14794b, #62cf9a); --good-wash: light-dark(#e2f5ea, #12301f);
  --warn: light-dark(#8a5207, #f0b95c); --warn-wash: light-dark(#fff3dc, #3a2d12); --bad: light-dark(#b3261e, #ff8d85);
  --bad-wash: light-dark(#fdecea, #3a1b19); --run-wash: light-dark(#e4e8ff, #262d57);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  display: flex; flex-direction: column; gap: 10px; min-height: 480px; padding: 12px; color-scheme: light dark;
  background: var(--ground); color: var(--ink); font: 0.9375rem/1.5 system-ui, "Segoe UI", Roboto, "Liberation Sans", "DejaVu Sans", sans-serif;
}
*, *::before, *::after { box-sizing: border-box; }
h2, h3, p, ol, ul, pre { margin: 0; padding: 0; }
h2 { font-size: 1rem; } h3 { margin-top: 10px; font-size: .875rem; }
ol, ul { list-style: none; }
code, pre, .tree, .changes { font-family: var(--mono); font-size: .8125rem; }
button, select, textarea, input { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); }
button { min-height: 32px; padding: 3px 12px; cursor: pointer; }
button:disabled { opacity: .5; cursor: not-allowed; }
button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
button.link { padding: 0; border: 0; background: none; color: var(--accent); text-decoration: underline; }
select { min-height: 32px; max-width: 15rem; }
textarea, input:not([type=checkbox]) { width: 100%; padding: 6px 8px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; }
.status { margin-left: auto; color: var(--soft); }
.status[data-run=going] { color: var(--accent); font-weight: 600; }
.columns { display: grid; flex: 1; gap: 10px; min-height: 0; grid-template-columns: minmax(0, 3fr) minmax(0, 4fr) minmax(0, 4fr); }
section { display: flex; flex-direction: column; gap: 8px; min-width: 0; min-height: 0; padding: 10px; overflow: auto; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); }
.actions { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.hint, .at { color: var(--soft); font-size: .8125rem; overflow-wrap: anywhere; }
.problem { padding: 6px 10px; border-radius: 8px; background: var(--bad-wash); color: var(--bad); overflow-wrap: anywhere; }
:host([readonly]) :is(.composer, .actions, .inbox, header > :not(.status)) { display: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.hidden { padding: 0 2px; border-radius: 3px; background: var(--bad-wash); color: var(--bad); }
.talk { display: flex; flex: 1; flex-direction: column; gap: 8px; overflow: auto; }
.talk li { padding: 6px 10px; border-radius: 8px; background: var(--ground); overflow-wrap: anywhere; }
.talk li span { white-space: pre-wrap; }
.talk li b { display: block; color: var(--soft); font-size: .75rem; }
.talk li.human { background: var(--run-wash); }
.talk .call { display: block; }
.composer, .edit { display: grid; gap: 6px; }
.drawing { flex: 1; min-height: 160px; overflow: auto; text-align: center; }
.graph { max-width: 100%; height: auto; overflow: visible; }
.graph text { fill: var(--ink); font-size: 14px; }
.graph .edge { fill: none; stroke: var(--soft); stroke-width: 1.2; }
.graph .conditional { stroke-dasharray: 5 4; }
.graph marker path { fill: var(--soft); }
.graph .box { fill: none; stroke: var(--line); }
.node { cursor: pointer; }
.node rect { fill: var(--ground); stroke: var(--soft); stroke-width: 1.2; }
.node[data-state=next] rect { stroke: var(--accent); stroke-dasharray: 4 3; stroke-width: 2; }
.node[data-state=running] rect { fill: var(--run-wash); stroke: var(--accent); stroke-width: 3; }
.node[data-state=done] rect { fill: var(--good-wash); stroke: var(--good); }
.node[data-state=waiting] rect { fill: var(--warn-wash); stroke: var(--warn); stroke-width: 3; }
.node[data-state=failed] rect { fill: var(--bad-wash); stroke: var(--bad); stroke-width: 3; }
.node[aria-pressed=true] text { font-weight: 700; text-decoration: underline; }
.node .state, .node .tasks { fill: var(--ink); font-size: 11px; stroke: var(--paper); stroke-width: 3; paint-order: stroke; }
.timeline { overflow-x: auto; border-top: 1px solid var(--line); }
.way { fill: none; stroke: var(--soft); stroke-width: 2; }
.mark { fill: var(--good); stroke: var(--paper); stroke-width: 2; cursor: pointer; }
.mark[data-kind=open] { fill: var(--soft); } .mark[data-kind=waiting] { fill: var(--warn); } .mark[data-kind=failed] { fill: var(--bad); }
.mark[data-shown=true] { stroke: var(--accent); stroke-width: 3; }
.tabs { display: flex; gap: 4px; border-bottom: 1px solid var(--line); }
.tabs button { border-color: transparent; border-radius: 8px 8px 0 0; background: none; }
.tabs button[aria-selected=true] { border-color: var(--line); background: var(--ground); font-weight: 600; }
.tree .inside { padding-left: 16px; } .tree .leaf, .tree summary { overflow-wrap: anywhere; }
.key { color: var(--accent); } .size, .brief { color: var(--soft); }
details[open] > summary > .brief { display: none; }
.changes li { padding: 3px 0; overflow-wrap: anywhere; }
.changes del { color: var(--bad); } .changes ins { color: var(--good); text-decoration: none; }
.changes li::before { content: "~ "; } .changes li[data-change=added]::before { content: "+ "; } .changes li[data-change=removed]::before { content: "− "; }
.events li { display: flex; gap: 8px; font-size: .8125rem; } .events details { flex: 1; min-width: 0; overflow-wrap: anywhere; }
@media (max-width: 900px) { .columns { grid-template-columns: minmax(0, 1fr); } section { overflow: visible; } }
@media (forced-colors: active) { .node[data-state=running] rect, .node[data-state=waiting] rect, .node[data-state=failed] rect { stroke-width: 4; } .mark[data-shown=true] { stroke: Highlight; } }
@media (prefers-reduced-motion: no-preference) { .node[data-state=running] rect { animation: pulse 1.1s infinite ease-in-out; } @keyframes pulse { 50% { stroke-opacity: .35; } } }
`;
