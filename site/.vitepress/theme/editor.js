// SPDX-License-Identifier: MIT
// The editor of an example. It lives in a shadow root, where its style sheets are constructed ones:
// the pages' policy allows no others.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import {
  HighlightStyle,
  bracketMatching,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-constant)" },
  { tag: [tags.comment], color: "var(--code-comment)" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
    color: "var(--code-function)",
  },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--vp-code-block-color)", fontSize: "inherit" },
  "&.cm-focused": { outline: "2px solid var(--vp-c-brand-1)", outlineOffset: "-2px" },
  ".cm-scroller": {
    fontFamily: "var(--vp-font-family-mono)",
    lineHeight: "var(--vp-code-line-height)",
  },
  ".cm-content": { padding: "16px 0", caretColor: "var(--vp-c-text-1)" },
  ".cm-gutters": { backgroundColor: "transparent", border: "0", color: "var(--vp-c-text-2)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code-line)" },
  ".cm-cursor": { borderLeftColor: "var(--vp-c-text-1)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, ::selection": {
    backgroundColor: "var(--vp-c-brand-soft)",
  },
});

/**
 * Opens an editor in an element and gives it the focus. Ctrl+Enter (Cmd+Enter) runs; Escape, then
 * Tab leaves it by the keyboard.
 * @param {HTMLElement} place
 * @param {{ code: string, label: string, run: () => void }} options
 */
export function openEditor(place, { code, label, run }) {
  const root = place.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: code.replace(/\n$/, ""),
      extensions: [
        lineNumbers(),
        history(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        javascript({ typescript: true }),
        syntaxHighlighting(colors),
        look,
        EditorView.contentAttributes.of({ "aria-label": `${label}. Escape, then Tab leaves it.` }),
        keymap.of([
          { key: "Mod-Enter", run: () => (run(), true) },
          indentWithTab,
          ...defaultKeymap,
          ...historyKeymap,
        ]),
      ],
    }),
  });
  view.focus();
  return {
    text: () => view.state.doc.toString(),
    /** Puts the cursor on a line. @param {number} line */
    showLine(line) {
      if (line > view.state.doc.lines) return;
      const { from } = view.state.doc.line(line);
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from) });
    },
    close: () => view.destroy(),
  };
}
