// SPDX-License-Identifier: MIT
// The style of the inspector.
export const stateStyle = `
::slotted([slot=node]) { font-size: .8125rem; }
::slotted([slot=checkpoint]) { display: block; margin-block-end: 6px; color: var(--soft); font-size: .8125rem; }
.part-inspector > .tabs { display: flex; gap: 2px; padding: 6px 8px 0; border-block-end: 1px solid var(--line); }
.part-inspector > .tabs button { border-color: transparent; border-radius: 8px 8px 0 0; background: none; color: var(--soft); border-block-end: 2px solid transparent; }
.part-inspector > .tabs button:hover { color: var(--ink); }
.part-inspector > .tabs button[aria-selected=true] { border-block-end-color: var(--accent); color: var(--ink); font-weight: 650; }
.inspected { flex: 1; min-block-size: 0; padding: 12px 14px; overflow: auto; overscroll-behavior: contain; } .inspected:focus-visible { outline-offset: -3px; }
.inspected > .hint:last-child { margin-block-start: 12px; }
.tree summary { min-block-size: 24px; padding: 2px 0; border-radius: 4px; cursor: pointer; } .tree .inside { margin-inline-start: 5px; padding-inline-start: 12px; border-inline-start: 1px solid var(--line); }
.tree .leaf { padding: 2px 0; } .tree .leaf, .tree summary { overflow-wrap: anywhere; }
.key { color: var(--accent); } .size, .brief { color: var(--soft); } .value.number, .value.boolean { color: var(--warn); } .value.string { color: var(--good); } .value.null { color: var(--soft); }
.changes { display: grid; gap: 4px; } .changes li { padding: 5px 9px; border-inline-start: 3px solid var(--strong-line); border-radius: 5px; background: var(--sheet); overflow-wrap: anywhere; }
.changes li[data-change=added] { border-inline-start-color: var(--good); } .changes li[data-change=removed] { border-inline-start-color: var(--bad); }
.changes code { display: block; color: var(--soft); font-size: .75rem; } .changes del, .changes ins { display: block; text-decoration: none; padding-inline-start: 1.2em; text-indent: -1.2em; }
.changes del { color: var(--bad); } .changes del::before { content: "− "; } .changes ins { color: var(--good); } .changes ins::before { content: "+ "; }
.tasks-list { display: grid; gap: 8px; } .tasks-list li { display: grid; gap: 4px; padding: 8px 10px; border: 1px solid var(--line); border-radius: 9px; }
.tasks-list .ms { margin-inline-start: auto; color: var(--soft); font-size: .8125rem; font-variant-numeric: tabular-nums; } .tasks-list .state { color: var(--soft); font-size: .8125rem; }
[data-task=done] .state { color: var(--good); } [data-task=failed] .state { color: var(--bad); } [data-task=waiting] .state { color: var(--warn); } [data-task=running] .state { color: var(--accent); }
.events { display: grid; gap: 2px; } .events li { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 10px; padding: 3px 0; border-block-end: 1px solid var(--line); font-size: .8125rem; } .events time { color: var(--soft); font-family: var(--mono); font-size: .75rem; line-height: 1.7; }
.inspected > input[type=search] { margin-block-end: 8px; }
.edit { display: grid; gap: 9px; margin-block-end: 16px; padding: 12px; border: 1px solid var(--accent); border-radius: 10px; background: var(--sheet); }
.edit label:not(.row) { display: grid; gap: 4px; }
.pointer { margin-block-start: 4px; padding: 6px 8px; overflow: auto; border-radius: 6px; background: var(--bad-wash); color: var(--bad); }
`;
