// SPDX-License-Identifier: MIT
// The style of <weft-studio>: in its shadow root, light or dark as the page is.
import { graphStyle } from "./graph/style.js";
import { questionStyle } from "./questions/style.js";
import { stateStyle } from "./state/style.js";
import { talkStyle } from "./talk/style.js";

const base = `
:host {
  box-sizing: border-box;
  --paper: light-dark(#ffffff, #15171f); --ground: light-dark(#f4f5f9, #0d0f15); --sheet: light-dark(#f7f8fb, #1c1f2a);
  --line: light-dark(#e1e4ed, #2a2e3d); --strong-line: light-dark(#8b90a6, #6d738c);
  --ink: light-dark(#181b28, #e9ebf4); --soft: light-dark(#555b72, #a3a9c0); --accent: light-dark(#3b4bd4, #93a0ff);
  --on-accent: light-dark(#ffffff, #0f1230); --accent-wash: light-dark(#eceeff, #23284a);
  --good: light-dark(#13703f, #62cf9a); --good-wash: light-dark(#e4f5eb, #12301f);
  --warn: light-dark(#8a5207, #f0b95c); --warn-wash: light-dark(#fff5e2, #33280f);
  --bad: light-dark(#b3261e, #ff8d85); --bad-wash: light-dark(#fdeceb, #3a1b19);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  display: flex; flex-direction: column; gap: 10px; block-size: 100dvh; min-block-size: 36rem; padding: 10px; overflow: hidden;
  container: studio / inline-size; background: var(--ground); color: var(--ink);
  font: .9375rem/1.5 system-ui, "Segoe UI", Roboto, "Liberation Sans", "DejaVu Sans", sans-serif;
}
:host([readonly]) :is(.composer, .actions, .asks, .notice, .who .tools, .bar > :not(.status)) { display: none; }
:host([hidden]) { display: none; }
*, *::before, *::after { box-sizing: border-box; }
h2, h3, h4, p, ol, ul, pre, figure { margin: 0; padding: 0; }
h2 { font-size: 1rem; } h3 { margin: 14px 0 6px; font-size: .8125rem; font-weight: 650; } h3:first-child { margin-top: 0; }
ol, ul { list-style: none; }
code, pre, .tree, .changes, .json textarea { font-family: var(--mono); font-size: .8125rem; }
button, select, textarea, input { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); }
button { display: inline-flex; gap: 6px; align-items: center; justify-content: center; min-block-size: 34px; padding: 3px 12px; white-space: nowrap; cursor: pointer; }
button:where(:hover:not(:disabled, [aria-disabled=true])) { border-color: var(--strong-line); }
button:disabled, button[aria-disabled=true] { color: var(--soft); opacity: .6; cursor: default; }
button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; }
button.link { min-block-size: 0; padding: 0; border: 0; background: none; text-align: start; color: var(--accent); }
button.small { min-block-size: 26px; padding: 0 8px; font-size: .8125rem; }
button.bad { border-color: var(--bad); color: var(--bad); }
button[data-said] > * { visibility: hidden; } button[data-said] { position: relative; }
button[data-said]::after { content: attr(data-said); position: absolute; color: var(--good); }
.icon-button { inline-size: max(34px, 1.1em + 4px); padding: 0; }
.icon-button .icon, button .icon { inline-size: 1.1em; block-size: 1.1em; }
.icon { inline-size: 1.1em; block-size: 1.1em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; flex: none; }
select { min-block-size: 34px; max-inline-size: 14rem; padding: 0 6px; }
textarea, input:not([type=checkbox]) { inline-size: 100%; padding: 7px 10px; }
input[type=checkbox] { accent-color: var(--accent); }
::placeholder { color: var(--soft); opacity: 1; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.actions, .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.row select { inline-size: auto; }
.switch { display: inline-flex; gap: 6px; align-items: center; min-block-size: 28px; font-size: .8125rem; color: var(--soft); cursor: pointer; }
.hint, .at, .name { color: var(--soft); font-size: .8125rem; overflow-wrap: anywhere; }
.problem { padding: 7px 11px; border-inline-start: 3px solid var(--bad); border-radius: 6px; background: var(--bad-wash); color: var(--bad); overflow-wrap: anywhere; }
.gone { padding: 7px 11px; border-inline-start: 3px solid var(--warn); border-radius: 6px; background: var(--warn-wash); color: var(--warn); overflow-wrap: anywhere; } .gone:empty { display: none; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.hidden { padding: 0 2px; border-radius: 3px; background: var(--bad-wash); color: var(--bad); font-family: var(--mono); font-size: .8125em; }
.chips { display: flex; flex-wrap: wrap; gap: 6px; }
.chip { display: inline-block; padding: 1px 9px; border: 1px solid var(--line); border-radius: 99px; background: var(--sheet); font-size: .8125rem; }
button.chip { min-block-size: 26px; }
.count { padding: 0 7px; border: 1px solid var(--warn); border-radius: 99px; background: var(--warn-wash); color: var(--warn); font-size: .75rem; font-weight: 650; line-height: 1.5; }
.grow { display: grid; } .grow > textarea, .grow::after { grid-area: 1 / 1; min-block-size: 40px; max-block-size: 14rem; line-height: 1.5; }
.grow::after { content: attr(data-text); visibility: hidden; padding: 8px 11px; overflow: hidden; white-space: pre-wrap; overflow-wrap: anywhere; }
.grow.json::after { font-family: var(--mono); font-size: .8125rem; } .grow > textarea { resize: none; }
.bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.bar .title { flex: 1 1 8rem; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.status { display: inline-flex; gap: 7px; align-items: center; color: var(--soft); font-size: .8125rem; font-variant-numeric: tabular-nums; }
.status::before { content: ""; inline-size: 9px; block-size: 9px; border: 2px solid var(--strong-line); border-radius: 50%; }
.status[data-run=going] { color: var(--accent); font-weight: 600; } .status[data-run=going]::before { border-color: var(--accent); border-block-start-color: transparent; }
.status[data-run=unknown] { color: var(--bad); font-weight: 600; } .status[data-run=unknown]::before { border: 0; border-radius: 2px; block-size: 3px; background: currentColor; }
.panes { display: none; }
.columns { display: grid; flex: 1; gap: 10px; min-block-size: 0; grid-template: "talk graph inspector" minmax(0, 1fr) "talk time time" auto / minmax(0, 10fr) minmax(0, 10fr) minmax(0, 9fr); }
.columns[data-rail=true] { grid-template: "rail talk graph inspector" minmax(0, 1fr) "rail talk time time" auto / 13.5rem minmax(0, 10fr) minmax(0, 10fr) minmax(0, 9fr); }
.part { display: flex; flex-direction: column; min-inline-size: 0; min-block-size: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); overflow: hidden; }
.part-talk { grid-area: talk; } .part-graph { position: relative; grid-area: graph; } .part-inspector { grid-area: inspector; } .part-time { grid-area: time; }
.part-graph > .hint, .part-time > .hint { padding: 14px; }
.rail { grid-area: rail; gap: 8px; padding: 10px; }
.rail > .row { flex-wrap: nowrap; } .rail ul { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; align-content: start; flex: 1; overflow: auto; }
.rail li { position: relative; } .rail form { flex-wrap: nowrap; }
.rail .thread { display: block; inline-size: 100%; padding: 6px 8px; border-color: transparent; background: none; text-align: start; white-space: normal; }
.rail .thread[aria-current=true] { border-color: var(--accent); background: var(--accent-wash); }
.rail .title { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.rail li:hover .title, .rail li:focus-within .title { padding-inline-end: 60px; }
.rail .hint { display: block; font-size: .75rem; } .rail .state { color: var(--warn); } .rail [data-status=error] .state { color: var(--bad); }
.rail .tools { position: absolute; inset: 4px 4px auto auto; opacity: 0; } .rail li:hover .tools, .rail li:focus-within .tools { opacity: 1; }
.rail .tools .icon-button { inline-size: max(28px, 1.1em + 4px); min-block-size: 28px; }
@container studio (max-width: 1100px) {
  .columns, .columns[data-rail=true] { grid-template: "talk graph" minmax(0, 1fr) "talk inspector" minmax(0, 1fr) "time time" auto / minmax(0, 1fr) minmax(0, 1fr); position: relative; }
  .rail { position: absolute; inset: 0 auto 0 0; z-index: 2; inline-size: min(20rem, 100%); box-shadow: 0 8px 30px #0006; }
}
@container studio (max-width: 700px) {
  .bar .title { order: 1; flex-basis: 100%; } .bar button > span:not(.count) { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  .panes { display: flex; flex-wrap: wrap; gap: 4px; }
  .panes button { flex: 1 1 0; padding: 0; border-color: transparent; background: none; border-block-end: 2px solid transparent; border-radius: 8px 8px 0 0; }
  .panes button[aria-pressed=true] { border-block-end-color: var(--accent); color: var(--accent); font-weight: 650; }
  .columns, .columns[data-rail=true] { grid-template: "part" minmax(0, 1fr) / minmax(0, 1fr); }
  .columns > .part:not(.rail) { display: none; grid-area: part; }
  .columns[data-shown=talk] > .part-talk, .columns[data-shown=graph] > .part-graph,
  .columns[data-shown=inspector] > .part-inspector, .columns[data-shown=time] > .part-time, .columns[data-shown=time] > .part-inspector { display: flex; }
  .columns[data-shown=time], .columns[data-shown=time][data-rail=true] { grid-template: "part" auto "state" minmax(0, 1fr) / minmax(0, 1fr); }
  .columns[data-shown=time] > .part-inspector { grid-area: state; }
}
@media (pointer: coarse) { button.small, .icon-button, .rail .tools .icon-button, button.chip { min-block-size: 40px; } .icon-button { min-inline-size: 40px; } .rail .tools, .who .tools { opacity: 1 !important; } }
@media (forced-colors: active) {
  .panes button[aria-pressed=true] { border: 2px solid Highlight; }
  .rail .thread[aria-current=true], .part-inspector [aria-selected=true] { outline: 2px solid Highlight; outline-offset: -3px; }
  .status::before { forced-color-adjust: none; border-color: CanvasText; }
}
@media (prefers-reduced-motion: no-preference) { .status[data-run=going]::before { animation: turn 1s linear infinite; } @keyframes turn { to { transform: rotate(1turn); } } }
`;

export const styleText = base + questionStyle + talkStyle + graphStyle + stateStyle;
