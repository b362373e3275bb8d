// SPDX-License-Identifier: MIT
// The style of questions, for a shadow root that has the studio's colours.
export const questionStyle = `
:host {
  --raised: light-dark(#ffffff, #1b1e2a); --sunk: light-dark(#f0f1f7, #222634);
  --warn-line: light-dark(#eecb8c, #5c4820); --bad-line: light-dark(#f0b8b3, #6b2f2b);
}
.icon { width: 20px; height: 20px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
section.asked { display: flex; flex: none; flex-direction: column; gap: 12px; padding: 0; overflow: visible; border: 0; border-radius: 0; background: none; }
section.asked[hidden] { display: none; }
.asked > h2 { font-size: 1rem; }
:is(.asked, .asked h2, .question h3):focus { outline: none; }
.question { display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); padding: 14px 16px; border: 1.5px solid var(--warn-line); border-radius: 14px; background: var(--raised); scroll-margin: 10px; box-shadow: 0 1px 2px rgb(20 24 50 / 6%), 0 6px 18px rgb(20 24 50 / 6%); }
.question.settled { border-color: var(--line); box-shadow: none; }
.question > header { display: flex; flex-wrap: nowrap; gap: 9px; align-items: flex-start; color: var(--warn); }
.question.settled > header { color: var(--soft); }
.question h3 { flex: 1; min-width: 0; margin: 0; color: var(--ink); font-size: 1rem; line-height: 1.35; overflow-wrap: anywhere; }
.question > footer { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: baseline; color: var(--soft); font-size: .75rem; }
.question > footer:not(:has(*)) { display: none; }
.question button { display: inline-flex; gap: 6px; align-items: center; justify-content: center; min-height: 38px; padding: 6px 14px; border-radius: 10px; font-weight: 550; }
.question button.link { min-height: 24px; padding: 0; border: 0; background: none; color: var(--accent); font-size: inherit; font-weight: 400; text-decoration: underline; }
.question button.quiet { border-color: transparent; background: none; color: var(--soft); }
.question button.danger { border-color: var(--bad-line); background: var(--bad-wash); color: var(--bad); }
.question button.plain { min-height: 32px; padding: 5px; border-color: transparent; background: none; color: var(--soft); }
.question .call { display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); }
.question .call + .call { padding-top: 12px; border-top: 1px solid var(--line); }
.question .tool { display: flex; gap: 6px; align-items: baseline; color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
.question .tool code { padding: 1px 7px; border-radius: 6px; background: var(--sunk); color: var(--ink); font-weight: 600; }
.question .tool span { margin-left: auto; }
.question .arguments, .question .json { width: 100%; max-height: 34vh; padding: 10px 12px; overflow: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--sunk); font-family: var(--mono); font-size: .8125rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.question .said { max-height: 44vh; font-family: inherit; font-size: .9375rem; white-space: normal; }
.said :is(p, dd) { white-space: pre-wrap; unicode-bidi: isolate; }
.said > * + * { margin-top: 8px; }
.question .said > .end { display: block; height: 1px; margin: 0; }
.said dl { margin: 0; } .said dt { margin-top: 6px; color: var(--soft); font-size: .8125rem; } .said dd { margin: 0; }
.question[data-mode=edit] .arguments:not(.said) { max-height: 24vh; }
/* In sight when the last line is. */
.question .end { display: inline-block; width: 1px; height: 1.4em; vertical-align: bottom; }
.question .seat { display: inline-flex; flex-wrap: wrap; gap: 8px; }
/* Not a part of a point too little, when it is scrolled to. */
.question .seat, .seat button, .question .end { scroll-margin: 8px; }
.question .after { margin-bottom: -6px; font-weight: 600; font-size: .875rem; }
.question .verdict { min-height: 38px; color: var(--soft); font-size: .875rem; }
.question.many { gap: 6px; padding: 9px 12px; border-radius: 12px; }
.many .call { gap: 6px 10px; grid-template-columns: auto minmax(0, 1fr); align-items: center; }
.many .call > * { grid-column: 1 / -1; } .many .call > .tool:first-child { grid-column: 1; } .many .call > .tool + .arguments { grid-column: 2; }
.many .arguments { padding: 6px 10px; }
.many .tool { font-size: .8125rem; }
mark.hidden { padding: 0 3px; border-radius: 4px; background: var(--bad-wash); color: var(--bad); font-weight: 700; }
.framed, .question .warnings { display: flex; gap: 8px; padding: 8px 12px; border: 1px solid var(--bad-line); border-radius: 10px; background: var(--bad-wash); font-size: .875rem; }
.question .warnings { display: grid; gap: 6px; }
.warnings li { display: flex; gap: 8px; overflow-wrap: anywhere; }
:is(.framed, .warnings) .icon { color: var(--bad); }
.repairs, .note { padding: 8px 12px; border: 1px solid var(--warn-line); border-radius: 10px; background: var(--warn-wash); font-size: .8125rem; overflow-wrap: anywhere; }
.edits { display: grid; gap: 2px; font-size: .875rem; overflow-wrap: anywhere; }
.edits del { color: var(--bad); } .edits ins { color: var(--good); font-weight: 600; text-decoration: none; }
.digest code { font-size: inherit; }
.copy[data-copied]::after { content: " " attr(data-copied); }
.expiry { color: var(--warn); font-weight: 600; font-variant-numeric: tabular-nums; }
.entry { display: grid; grid-template-columns: minmax(0, 1fr); gap: 5px; }
.entry label, .question legend { font-size: .875rem; font-weight: 600; overflow-wrap: anywhere; }
.entry label span { color: var(--soft); font-weight: 400; }
.entry :is(input, select, textarea):not([type=checkbox]) { width: 100%; max-width: none; min-height: 38px; padding: 7px 11px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); line-height: 1.45; }
.entry textarea { resize: vertical; }
.entry .code { font-family: var(--mono); font-size: .8125rem; }
.entry small, .set small, .editor > small { color: var(--soft); font-size: .8125rem; }
.entry label code, .set legend code { color: var(--soft); font-weight: 400; }
.editor, .panel { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; min-width: 0; }
.panel { gap: 12px; }
.editor > .tabs { display: inline-flex; justify-self: start; gap: 2px; padding: 3px; border: 0; border-radius: 11px; background: var(--sunk); }
.editor > .tabs button { min-height: 32px; padding: 3px 13px; border-color: transparent; border-radius: 8px; background: none; color: var(--soft); font-size: .875rem; }
.editor > .tabs [aria-selected=true] { border-color: transparent; background: var(--raised); color: var(--ink); box-shadow: 0 1px 2px rgb(20 24 50 / 14%); }
.editor > .tabs [aria-disabled=true] { opacity: .45; cursor: not-allowed; }
.tick { display: flex; gap: 10px; align-items: center; min-height: 38px; }
.tick input { flex: none; width: 20px; height: 20px; accent-color: var(--accent); }
.set { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; min-width: 0; margin: 0; padding: 4px 0 4px 14px; border: 0; border-left: 2px solid var(--line); }
.set legend { margin: 0 0 6px -14px; padding: 0; }
.item { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 6px; align-items: start; }
.item > .entry + button { margin-top: 26px; }
.add { justify-self: start; max-width: 100%; overflow-wrap: anywhere; }
.question [aria-invalid=true] { border-color: var(--bad); }
.question .wrong { color: var(--bad); }
.decided { padding: 10px 12px; border: 1px solid var(--line); border-radius: 12px; font-size: .875rem; }
.decided summary { cursor: pointer; font-weight: 600; }
.decided .count { padding: 0 8px; border-radius: 10px; background: var(--sunk); color: var(--soft); font-size: .8125rem; }
.decided li { padding: 6px 0; overflow-wrap: anywhere; }
.decided > ol > li + li { border-top: 1px solid var(--line); }
.decided .edits li { padding: 0; }
.decided time { color: var(--soft); font-size: .8125rem; white-space: nowrap; }
@media (max-width: 640px) { .many .call > .tool + .arguments { grid-column: 1 / -1; } }
@media (pointer: coarse) { .question button, .editor > .tabs button { min-height: 44px; } }
@media (forced-colors: active) { .icon { stroke: CanvasText; } .question.open { border-width: 3px; } .editor > .tabs [aria-selected=true] { border: 2px solid Highlight; } .question [aria-invalid=true] { border-style: dashed; } }
`;
