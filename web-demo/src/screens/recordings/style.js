// SPDX-License-Identifier: MIT
// The style of the screen Recordings.
export const styleText = `
.lists { display: grid; gap: 16px; align-items: start; grid-template-columns: repeat(3, minmax(0, 1fr)); }
.stack { display: grid; gap: 16px; min-width: 0; }
.rows { display: grid; }
.rows span { overflow-wrap: anywhere; }
.rows a { font-size: .875rem; }
.rows li { display: grid; gap: 6px; padding: 10px 0; border-top: 1px solid var(--line); }
.rows li:first-child { border-top: 0; padding-top: 0; }
.rows b { font-weight: 600; overflow-wrap: anywhere; }
.rows time, .rows .size { color: var(--soft); font-size: .875rem; }
.drop { display: grid; gap: 10px; justify-items: center; padding: 22px 16px; border: 2px dashed var(--line); border-radius: 12px; text-align: center; }
.drop[data-over=true] { border-color: var(--accent); background: var(--accent-wash); }
.player { gap: 14px; }
.facts { display: flex; flex-wrap: wrap; gap: 6px 22px; margin: 0; }
.facts div { display: grid; }
.facts dt { color: var(--soft); font-size: .8125rem; }
.facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.steps { display: flex; flex-wrap: wrap; gap: 6px; }
.steps li { padding: 1px 10px; border: 1px solid var(--line); border-radius: 999px; font-family: var(--mono); font-size: .8125rem; overflow-wrap: anywhere; }
.steps li + li::before { margin-left: -7px; margin-right: 6px; color: var(--soft); content: "›"; }
weft-studio { min-height: 560px; border: 1px solid var(--line); border-radius: 12px; }
@media (max-width: 900px) { .lists { grid-template-columns: minmax(0, 1fr); } }
@media (forced-colors: active) { .drop[data-over=true] { outline: 2px solid Highlight; outline-offset: -3px; } }
`;
