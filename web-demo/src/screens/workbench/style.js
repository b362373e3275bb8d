// SPDX-License-Identifier: MIT
// The style of the workbench, light or dark as the page is.
export const styleText = `
.bench { display: flex; flex-direction: column; gap: 10px; min-width: 0; padding: 0 14px 14px; }
.bench h1 { margin: 0; font-size: 1.25rem; } .bench h2 { margin: 0; font-size: 1rem; } .bench p { margin: 0; }
.bench-samples { display: flex; gap: 4px; overflow-x: auto; border-bottom: 1px solid var(--line); }
.bench-samples a { padding: 8px 12px; border-bottom: 3px solid transparent; color: var(--soft); text-decoration: none; white-space: nowrap; }
.bench-samples a:hover { color: inherit; }
.bench-samples a[aria-current] { border-color: var(--accent); color: inherit; font-weight: 600; }
.bench-head, .bench-row { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; justify-content: space-between; }
.bench-title { flex: 1 1 18rem; } .bench-title p { color: var(--soft); }
.bench-acts, .bench-stories { display: flex; flex-wrap: wrap; gap: 8px; }
.bench button { min-height: 36px; padding: 4px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); color: inherit; font: inherit; cursor: pointer; }
.bench button:disabled { opacity: .5; cursor: not-allowed; }
.bench button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
.bench button.plug { border-color: var(--bad); color: var(--bad); font-weight: 600; }
.bench button.link { flex: none; min-height: 0; padding: 0; border: 0; background: none; text-decoration: underline; }
.bench :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.bench-note { display: grid; gap: 6px; justify-items: start; padding: 12px 14px; border: 1px solid var(--line); border-left: 5px solid var(--accent); border-radius: 10px; background: var(--paper); overflow-wrap: anywhere; }
.bench-note > div { display: flex; gap: 12px; align-items: baseline; justify-content: space-between; inline-size: 100%; }
.bench-note.good { border-left-color: var(--good); } .bench-note.warn { border-left-color: var(--warn); }
.bench-note.bad { border-left-color: var(--bad); } .bench-note.good h2 { font-size: 1.125rem; }
.meters { display: flex; flex-wrap: wrap; gap: 6px 22px; margin: 0; }
.meters dt { color: var(--soft); font-size: .8125rem; } .meters dd { margin: 0; font-variant-numeric: tabular-nums; font-weight: 600; }
.limits { position: relative; } .limits summary { padding: 6px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); cursor: pointer; }
.limits > div { position: absolute; right: 0; z-index: 5; display: grid; gap: 8px; width: min(20rem, 86vw); margin-top: 6px; padding: 14px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); box-shadow: var(--shadow); }
.limits p { color: var(--soft); font-size: .875rem; }
.limit { display: grid; grid-template-columns: minmax(0, 1fr) 6.5rem; gap: 2px 12px; align-items: center; } .limit > span { grid-column: 1 / -1; font-size: .875rem; }
.limits input[type=range] { inline-size: 100%; min-block-size: 28px; margin: 0; accent-color: var(--accent); cursor: pointer; }
.limits input[type=number] { min-inline-size: 0; padding: 5px 8px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); color: inherit; font: inherit; }
.bench weft-studio { flex: none; border-radius: 12px; transition: filter .2s, opacity .2s; }
.bench[data-engine=gone] weft-studio { opacity: .45; filter: grayscale(1); }
@media (width > 760px) { .bench { min-block-size: 100dvh; } .bench weft-studio { flex: 1 0 40rem; block-size: auto; } }
@media (max-width: 640px) { .limits > div { right: auto; left: 0; } .bench-acts, .bench-acts button { flex: 1 1 auto; } }
@media (prefers-reduced-motion: reduce) { .bench weft-studio { transition: none; } }
`;
