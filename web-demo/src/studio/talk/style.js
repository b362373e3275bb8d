// SPDX-License-Identifier: MIT
// The style of what is said, of questions, and of the composer.
export const talkStyle = `
.talk { position: relative; display: flex; flex: 1; flex-direction: column; gap: 4px; padding: 14px; overflow: auto; overscroll-behavior: contain; }
.talk > li, .talk > slot > li { padding: 8px 12px; border-radius: 10px; overflow-wrap: anywhere; }
.talk > li.human { background: var(--accent-wash); }
.who { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; min-block-size: 28px; font-size: .8125rem; }
.who b { color: var(--soft); font-weight: 650; } .who .state { color: var(--accent); }
.who .tools { display: inline-flex; gap: 4px; margin-inline-start: auto; opacity: 0; }
.talk > li:hover .tools, .talk > li:focus-within .tools { opacity: 1; }
.who .tools button, .parting button { min-block-size: 26px; border-color: transparent; background: none; color: var(--soft); }
.who .tools .icon-button, .parting .icon-button { inline-size: max(26px, 1.1em + 4px); }
.parting { display: inline-flex; gap: 2px; align-items: center; color: var(--soft); font-variant-numeric: tabular-nums; }
.words, .raw { white-space: pre-wrap; }
.live .prose::after { content: ""; display: inline-block; inline-size: 7px; block-size: 1em; background: var(--accent); vertical-align: -2px; }
.talk > li.lost { border: 1px dashed var(--bad); } .lost .state { color: var(--bad); } .lost .prose { color: var(--soft); }
.prose > * + * { margin-block-start: 10px; }
.prose ul, .prose ol { padding-inline-start: 22px; list-style: disc; } .prose ol { list-style: decimal; }
.prose li + li { margin-block-start: 3px; } .prose li > ul, .prose li > ol { margin-block-start: 3px; } .prose .loose > li + li { margin-block-start: 10px; }
.prose li > p + * { margin-block-start: 8px; } .prose li:has(> .task) { list-style: none; margin-inline-start: -20px; }
.prose h3, .prose h4, .prose h5, .prose h6 { margin: 16px 0 0; font-size: 1rem; font-weight: 650; } .prose h3 { font-size: 1.125rem; } .prose > :first-child { margin-block-start: 0; }
.prose blockquote { margin-inline: 0; margin-block-end: 0; padding-inline-start: 12px; border-inline-start: 3px solid var(--line); color: var(--soft); }
.prose blockquote > * + * { margin-block-start: 8px; }
.prose a { color: var(--accent); } .prose hr { inline-size: 100%; border: 0; border-block-start: 1px solid var(--line); }
.prose :not(pre) > code { padding: 1px 5px; border-radius: 5px; background: var(--sheet); border: 1px solid var(--line); }
.prose .scroll { overflow-x: auto; } .prose table { border-collapse: collapse; font-size: .875rem; overflow-wrap: normal; }
.prose th, .prose td { padding: 5px 10px; border: 1px solid var(--line); text-align: start; } .prose th { background: var(--sheet); }
.prose [data-align=right] { text-align: end; } .prose [data-align=center] { text-align: center; }
.code-block { border: 1px solid var(--line); border-radius: 9px; background: var(--sheet); overflow: hidden; }
.code-block figcaption { display: flex; justify-content: space-between; align-items: center; padding: 3px 4px 3px 12px; border-block-end: 1px solid var(--line); color: var(--soft); font-size: .75rem; }
.code-block figcaption button { border-color: transparent; background: none; } .code-block pre { padding: 10px 12px; overflow: auto; overflow-wrap: normal; }
.tool-call { margin-block-start: 6px; border: 1px solid var(--line); border-radius: 9px; }
.tool-call summary { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 6px 10px; cursor: pointer; list-style: none; } .tool-call summary::-webkit-details-marker { display: none; }
.tool-call .brief { flex: 1; min-inline-size: 0; overflow: hidden; color: var(--soft); font-size: .8125rem; text-overflow: ellipsis; white-space: nowrap; }
.tool-call[open] .brief { visibility: hidden; } .tool-call .state { font-size: .8125rem; color: var(--soft); white-space: nowrap; }
.tool-call .sign { inline-size: 10px; block-size: 10px; border: 2px solid var(--strong-line); border-radius: 50%; flex: none; }
.tool-call[data-call=done] .sign, .tool-call[data-call=repaired] .sign { border-color: var(--good); background: var(--good); }
.tool-call[data-call=waiting] { border-color: var(--warn); } .tool-call[data-call=waiting] .sign { border-color: var(--warn); border-radius: 2px; transform: rotate(45deg); }
.tool-call[data-call=failed] .sign { border-color: var(--bad); border-radius: 0; background: var(--bad); } .tool-call[data-call=running] .sign { border-color: var(--accent); border-block-start-color: transparent; }
.tool-call[data-call=waiting] .state { color: var(--warn); } .tool-call[data-call=failed] .state { color: var(--bad); } .tool-call[data-call=done] .state, .tool-call[data-call=repaired] .state { color: var(--good); }
.tool-call h4 { margin: 0; padding: 4px 12px 0; color: var(--soft); font-size: .75rem; font-weight: 600; } .tool-call pre { max-block-size: 16rem; margin: 2px 12px 8px; overflow: auto; white-space: pre-wrap; }
.talk > li.tool pre { white-space: pre-wrap; }
.rewrite { display: grid; gap: 8px; } .notice { display: grid; gap: 8px; justify-items: start; border: 1px solid var(--line); } .notice[data-kind=failed] { border-color: var(--bad); } .notice .problem { inline-size: 100%; }
.welcome { margin: auto; max-inline-size: 26rem; text-align: center; color: var(--soft); } .welcome h2 { margin-block-end: 4px; color: var(--ink); }
.step { display: grid; gap: 3px; border-inline-start: 2px solid var(--line); border-radius: 0 !important; margin-inline-start: 6px; } .step[data-shown=true] { border-inline-start-color: var(--accent); }
.step button { justify-content: start; } .step .change { padding-inline-start: 2px; font-size: .8125rem; } .step .change code { color: var(--soft); }
.talk > .asks { padding-inline: 0; } .talk > .asks:has(> [hidden]) { display: none; }
.composer { display: grid; gap: 8px; padding: 10px 14px 12px; border-block-start: 1px solid var(--line); }
.composer .actions { flex-wrap: nowrap; } .composer .hint { flex: 1; text-align: end; }
/* A question needs the room: words are no answer to it. */
.part-talk:has(.question.open) .composer:not(:focus-within) :is(.chips, .actions) { display: none; }
.place { color: var(--bad); font-size: .8125rem; }
@media (prefers-reduced-motion: no-preference) {
  .live .prose::after { animation: blink 1s steps(2) infinite; } @keyframes blink { 50% { opacity: 0; } }
  .tool-call[data-call=running] .sign { animation: turn 1s linear infinite; }
}
@media (forced-colors: active) { .talk > li.human { border: 1px solid CanvasText; } .tool-call .sign { forced-color-adjust: none; border-color: CanvasText; } .code-block { border-color: CanvasText; } }
`;
