// SPDX-License-Identifier: MIT
// The style of the inbox, on top of what screens and questions share.
export const styleText = `
input, textarea, select { font: inherit; color: inherit; }
.inbox h1:focus { outline: none; }
.halves { display: grid; gap: 20px; grid-template-columns: minmax(320px, 4fr) minmax(0, 6fr); align-items: start; }
.narrow .halves { grid-template-columns: minmax(0, 1fr); }
.list { min-width: 0; overflow: hidden; border: 1px solid var(--line); border-radius: 14px; background: var(--paper); }
.tools { display: grid; gap: 8px; grid-template-columns: minmax(0, 1fr) auto auto; padding: 12px; border-bottom: 1px solid var(--line); }
.tools input { min-width: 0; min-height: 36px; padding: 5px 12px; border: 1px solid var(--line); border-radius: 9px; background: var(--ground); }
.tools select { max-width: 11rem; padding: 5px 8px; }
.narrow .tools { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .narrow .tools input { grid-column: 1 / -1; } .narrow .tools select { max-width: none; }
.batch { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; min-height: 46px; padding: 6px 14px; border-bottom: 1px solid var(--line); font-size: .875rem; }
.batch > label { display: flex; gap: 10px; align-items: center; margin-right: auto; color: var(--soft); }
.batch .entry, .batch .actions { flex: 1 0 100%; }
.list [type=checkbox] { flex: none; width: 18px; height: 18px; margin: 0; accent-color: var(--accent); }
.list button.danger { border-color: var(--bad-line); background: var(--bad-wash); color: var(--bad); font-weight: 600; }
.rows li { display: flex; gap: 10px; align-items: center; padding-left: 14px; border-left: 3px solid transparent; content-visibility: auto; contain-intrinsic-size: auto 62px; }
.rows li + li { border-top: 1px solid var(--line); }
.rows li:hover { background: var(--ground); }
.rows li[aria-current] { border-left-color: var(--accent); background: var(--accent-wash); }
.rows li.sent { opacity: .55; }
.rows a { display: grid; flex: 1; gap: 2px; min-width: 0; padding: 9px 14px 9px 2px; color: inherit; text-decoration: none; }
.rows a:focus-visible { outline-offset: -3px; }
.rows .title { overflow: hidden; font-weight: 550; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.rows .facts { display: flex; flex-wrap: wrap; gap: 0 10px; color: var(--soft); font-size: .8125rem; }
.rows .facts > :not(:first-child)::before { margin-right: 10px; content: "·"; }
.rows .expiry { color: var(--warn); }
.none, .empty { padding: 16px; }
.empty { display: grid; gap: 14px; } .empty .button, .back { display: inline-flex; align-items: center; text-decoration: none; }
.cards { display: grid; gap: 14px; min-width: 0; }
.cards .asked > h2 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.back { justify-self: start; }
.problem { padding: 6px 10px; border-radius: 8px; background: var(--bad-wash); color: var(--bad); overflow-wrap: anywhere; }
@media (min-width: 901px) { .list { position: sticky; top: 12px; } .rows { max-height: calc(100dvh - 260px); overflow-y: auto; } }
@media (pointer: coarse) { .list [type=checkbox] { width: 24px; height: 24px; } }
@media (forced-colors: active) { .rows li[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; } }
`;
