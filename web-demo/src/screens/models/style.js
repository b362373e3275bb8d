// SPDX-License-Identifier: MIT
// The style of the screen Models.
export const styleText = `
.model-choice { display: grid; gap: 1.5rem; width: 100%; max-width: calc(var(--page-width) + 2 * var(--page-side)); margin-inline: auto; padding: var(--page-top) var(--page-side) 3rem; grid-template-columns: minmax(16rem, 22rem) minmax(0, 1fr); align-items: start; }
.model-choice > header { grid-column: 1 / -1; display: grid; gap: .5rem; }
.model-choice h1 { font-size: var(--title-size); font-weight: 700; letter-spacing: -.02em; line-height: 1.15; }
.model-choice h2 { font-size: 1.25rem; font-weight: 650; letter-spacing: -.012em; }
.model-choice .lead { max-width: 68ch; color: var(--soft); }
.model-choice .sources, .model-choice .tab-models { display: grid; gap: .625rem; min-width: 0; }
.model-choice .source { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .75rem; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: .875rem; background: var(--paper); cursor: pointer; transition: border-color .12s; }
.model-choice .source:hover { border-color: var(--accent); }
.model-choice .source:has(:checked) { border-color: var(--accent); background: var(--accent-wash); box-shadow: inset 0 0 0 1px var(--accent); }
.model-choice .source:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.model-choice .source input { width: 1.125rem; height: 1.125rem; margin: .2rem 0 0; accent-color: var(--accent); outline: none; }
.model-choice .words { display: grid; gap: .125rem; min-width: 0; }
.model-choice .words b { font-weight: 650; }
.model-choice .words > span { color: var(--soft); font-size: .875rem; line-height: 1.45; }
.model-choice .words small { display: flex; flex-wrap: wrap; gap: .375rem; margin-top: .25rem; font-size: .75rem; }
.model-choice .words small :is(em, i) { max-width: 100%; padding: .05rem .5rem; border-radius: 1rem; background: var(--sunk); color: var(--soft); font-style: normal; overflow-wrap: anywhere; }
.model-choice .words small em { background: var(--good-wash); color: var(--good); font-weight: 600; }
.model-choice .details { display: grid; gap: 1rem; align-content: start; min-width: 0; padding: 1.5rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--paper); }
.model-choice .details > p { max-width: 44em; line-height: 1.55; }
.model-choice .details > button { justify-self: start; }
.model-choice .fields { display: grid; gap: 1rem; }
.model-choice .field { display: grid; gap: .3rem; min-width: 0; }
.model-choice .field > label { font-size: .9375rem; font-weight: 600; }
.model-choice .field small { color: var(--soft); font-size: .8125rem; line-height: 1.45; overflow-wrap: anywhere; }
.model-choice .field small.wrong { color: var(--bad); font-weight: 550; }
.model-choice .field :is(input, select) { width: 100%; min-width: 0; min-height: 2.5rem; padding: .4rem .75rem; border: 1px solid var(--line); border-radius: .625rem; background: var(--ground); font-size: 1rem; }
.model-choice .field [aria-invalid=true] { border-color: var(--bad); }
.model-choice .beside { display: flex; gap: .5rem; }
.model-choice .beside input { flex: 1; }
.model-choice .beside button { flex: none; }
.model-choice .names { display: flex; flex-wrap: wrap; gap: .375rem; max-height: 12rem; padding: .625rem; overflow: auto; border: 1px solid var(--line); border-radius: .625rem; background: var(--ground); }
.model-choice .names button { min-height: 1.875rem; max-width: 100%; padding: .1rem .625rem; border-radius: 1rem; font-size: .875rem; font-weight: 500; overflow-wrap: anywhere; }
.model-choice .names button[aria-pressed=true] { border-color: var(--accent); background: var(--accent-wash); }
.model-choice .names small { flex-basis: 100%; }
.model-choice .last { padding-top: 1rem; border-top: 1px solid var(--line); }
.model-choice .soft { color: var(--soft); font-weight: 400; }
.model-choice :is(p.warn, p.good) { padding: .625rem .875rem; border-radius: .625rem; background: var(--warn-wash); color: var(--ink); font-size: .9375rem; }
.model-choice p.good { background: var(--good-wash); }
.model-choice .asked { display: grid; gap: .75rem; padding: 1rem; border: 1px solid var(--warn-line); border-radius: .75rem; background: var(--warn-wash); }
.model-choice .progress { display: grid; gap: .25rem; }
.model-choice progress { width: 100%; height: .625rem; accent-color: var(--accent); }
.model-choice .progress small { color: var(--soft); font-size: .8125rem; overflow-wrap: anywhere; }
.model-choice .tested { display: grid; gap: .625rem; padding: .875rem 1rem; border: 1px solid var(--line); border-inline-start: 4px solid var(--good); border-radius: .625rem; background: var(--good-wash); }
.model-choice .tested.warn { border-inline-start-color: var(--warn); background: var(--warn-wash); }
.model-choice .tested h3 { font-size: 1rem; }
.model-choice .tested p { font-size: .875rem; }
.model-choice .tested dl { display: flex; flex-wrap: wrap; gap: .375rem 2rem; }
.model-choice .tested dt { color: var(--soft); font-size: .8125rem; }
.model-choice .tested dd { font-weight: 600; font-variant-numeric: tabular-nums; }
.model-choice .tested blockquote { margin: 0; padding-inline-start: .75rem; border-inline-start: 2px solid var(--line); font-size: .9375rem; overflow-wrap: anywhere; white-space: pre-wrap; }
@media (max-width: 52rem) { .model-choice { grid-template-columns: minmax(0, 1fr); gap: 1.125rem; } .model-choice .details { padding: 1.125rem; } .model-choice .beside { flex-wrap: wrap; } .model-choice .beside input { flex-basis: 100%; } }
@media (forced-colors: active) { .model-choice .source:has(:checked) { outline: 2px solid Highlight; outline-offset: -3px; } .model-choice .names button[aria-pressed=true] { border: 2px solid Highlight; } .model-choice .field [aria-invalid=true] { border-style: dashed; } }
`;
