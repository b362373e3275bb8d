// SPDX-License-Identifier: MIT
// The screen Code: the module that a sample runs as, beside its graph; a node leads to its lines
// and a line to its node.
import { html, nothing, render, svg } from "lit-html";
import { layoutGraph } from "weftgraph/svg";
import { SAMPLES } from "../../samples/index.js";
import { Client } from "../../studio/server/client.js";
import { keepFocus } from "../keep-focus.js";
import { openPanel, saveAs } from "../panel.js";
import { digestOf, linesOf, portable, projectOf, readSources } from "./sample-source.js";
import { styleText } from "./style.js";

/** @typedef {import("./sample-source.js").Source} Source */
/** @typedef {import("../../studio/server/client.js").Drawing} Drawing */
/**
 * Whether the text that is shown has the digest of the file that the worker imports.
 * @typedef {{ sha256: string, isSame: boolean }} Proof
 */
/**
 * @typedef {{ engine: { server: { fetch: import("../../studio/server/client.js").Fetch }, ask(name:
 *   string, value: unknown): Promise<any> }, route: { params: string[] } }} Context
 */

/** How long "Copied" is shown, in ms. */
const COPIED_MS = 2000;

/**
 * Shows the screen.
 * @param {HTMLElement} main
 * @param {Context} context
 * @returns {{ close(): void }}
 */
export function open(main, { engine, route }) {
  const sample = SAMPLES.find(({ graph }) => graph === route.params[0]) ?? SAMPLES[0];
  const { root, close } = openPanel(main, styleText);
  /**
   * `proofs`: by module.
   * @type {{ sources: Source[], drawing?: Drawing, node?: string, problem?: string, did?: string,
   *   proofs: Record<string, Proof> }}
   */
  const view = { sources: [], proofs: {} };
  let isOpen = true;
  const show = (/** @type {Partial<typeof view>} */ change) => {
    Object.assign(view, change);
    if (isOpen) keepFocus(root, () => render(page(), root));
  };

  const choose = (/** @type {string} */ node) => {
    show({ node });
    root.querySelector('.code [aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  };

  /** @param {string} did @param {string} name of a file @param {string} text */
  const copy = async (did, name, text) => {
    try {
      await navigator.clipboard.writeText(text);
      show({ did });
    } catch {
      // Some browsers forbid it; a file serves as well.
      saveAs(name, text, "text/javascript");
      show({ did: `${name} is saved` });
    }
    setTimeout(() => show({ did: undefined }), COPIED_MS);
  };

  const page = () => html`<div class="screen">
    <header><h1>Code</h1>
      <p class="lead">The module that runs in this tab, as it is. Choose a node of the graph to see the lines that make it.</p></header>
    <nav class="samples" aria-label="Samples">${SAMPLES.map(
      ({ graph, title }) =>
        html`<a href="#/code/${graph}" aria-current=${graph === sample.graph ? "page" : nothing}>${title}</a>`,
    )}</nav>
    ${view.problem === undefined ? nothing : html`<p class="notice bad" role="alert">${view.problem}</p>`}
    ${view.sources.length === 0 ? nothing : body(view.sources)}
  </div>`;

  /** @param {Source[]} sources */
  const body = ([main, ...beside]) => html`<div class="both">
    <aside class="card side"><h2>${sample.title}</h2><p class="hint">${sample.about}</p>
      ${view.drawing === undefined ? nothing : graphView(view.drawing, main, view.node, choose)}
      <p><a href="#/work/${sample.graph}">Run it in the workbench</a></p></aside>
    <div class="modules">
      <div class="card"><div class="actions">
        <button class="primary" data-do="project" @click=${() => copy("The project is copied.", "index.mjs", project())}>Copy as a project</button>
        <button data-do="copy" @click=${() => copy("Copied.", `${sample.graph}.mjs`, portable(main.text))}>Copy</button>
        <button data-do="save" @click=${() => saveAs("index.mjs", project(), "text/javascript")}>Save the project</button>
        <span class="hint" role="status">${view.did ?? ""}</span></div>
        <p class="hint">The project is one file, <code>index.mjs</code>, and runs in Node: <code>npm install weftgraph</code>, then <code>node index.mjs</code>. In what runs here the imports lead to this page's own copy of the package.</p></div>
      ${moduleView(main)}
      ${beside.map((source) => html`<h2>${source.name}.js, which it imports</h2>${moduleView(source)}`)}
    </div></div>`;

  /** @param {Source} source */
  const moduleView = (
    source,
  ) => html`<section class="module" data-module=${source.name} aria-label="${source.name}.js">
    ${proofView(view.proofs[source.name])}${codeView(source, view.drawing, view.node, choose)}</section>`;

  const project = () => projectOf({ ...sample, input: sample.stories[0].input }, view.sources);

  /** Compares what is on the screen with the file that the worker imports. @param {string} name */
  const prove = async (name) => {
    const lines = root.querySelectorAll(`[data-module="${name}"] .code code`);
    const [sha256, { sha256: running }] = await Promise.all([
      digestOf([...lines].map(({ textContent }) => textContent).join("\n")),
      engine.ask("source", name),
    ]);
    show({ proofs: { ...view.proofs, [name]: { sha256, isSame: sha256 === running } } });
  };

  const load = async () => {
    const sources = await readSources(sample.graph);
    show({ sources });
    const [, node] = route.params;
    if (node !== undefined && linesFor(sources[0], node)) choose(node);
    const client = new Client({ fetch: engine.server.fetch, url: "http://weft.local" });
    await Promise.all([
      client.drawing(sample.graph).then((drawing) => show({ drawing })),
      ...sources.map(({ name }) => prove(name)),
    ]);
  };
  show({});
  load().catch((error) => show({ problem: error.message }));
  return {
    close: () => {
      isOpen = false;
      close();
    },
  };
}

/**
 * The lines that make a node; of one in a graph inside, those of its own name.
 * @param {Source} source
 * @param {string} id
 * @returns {[number, number][] | undefined}
 */
function linesFor({ nodes }, id) {
  const own = id.slice(id.lastIndexOf(":") + 1);
  return Object.hasOwn(nodes, id) ? nodes[id] : Object.hasOwn(nodes, own) ? nodes[own] : undefined;
}

/** @param {[number, number][]} ranges @param {number} line */
const within = (ranges, line) => ranges.some(([first, last]) => first <= line && line <= last);

/**
 * @param {Source} source
 * @param {Drawing | undefined} drawing
 * @param {string | undefined} node that is chosen
 * @param {(node: string) => void} choose
 */
function codeView(source, drawing, node, choose) {
  const chosen = node === undefined ? [] : (linesFor(source, node) ?? []);
  const drawn = new Set(drawing?.nodes.map(({ id }) => id));
  const ownerOf = (/** @type {number} */ line) => {
    const names = Object.keys(source.nodes).filter((name) => within(source.nodes[name], line));
    return names.find((name) => drawn.has(name)) ?? names[0];
  };
  const lines = linesOf(source.text, source.colours);
  return html`<ol class="code" tabindex="0" aria-label="Lines of ${source.name}.js">${lines.map(
    (pieces, index) => {
      const owner = ownerOf(index + 1);
      return html`<li data-line=${index + 1} data-node=${owner ?? nothing} aria-current=${within(chosen, index + 1) ? "true" : nothing}
        @click=${owner === undefined ? nothing : () => choose(owner)}><code>${pieces.map(({ text, kind }) => (kind === "" ? text : html`<span class=${kind}>${text}</span>`))}</code></li>`;
    },
  )}</ol>`;
}

/** @param {Proof | undefined} proof */
function proofView(proof) {
  if (proof === undefined)
    return html`<p class="hint" role="status">Comparing with the file that the worker runs…</p>`;
  const { sha256, isSame } = proof;
  return html`<p class="notice proof ${isSame ? "good" : "bad"}" role="status" data-same=${isSame}>
    <strong>${isSame ? "This text is the file that the worker runs." : "The worker runs another file than this text."}</strong>
    <span>SHA-256 <code>${sha256}</code></span></p>`;
}

/**
 * @param {Drawing} drawing
 * @param {Source} source
 * @param {string | undefined} chosen node
 * @param {(node: string) => void} choose
 */
function graphView(drawing, source, chosen, choose) {
  const { view, nodes, edges, boxes } = layoutGraph(drawing);
  const box = `${view.x} ${view.y} ${view.width} ${view.height}`;
  return html`<svg class="graph" viewBox=${box} width=${view.width} height=${view.height} role="group" aria-label="Graph">
    <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"></path></marker></defs>
    ${boxes.map(({ x, y, width, height }) => svg`<rect class="box" x=${x} y=${y} width=${width} height=${height} rx="12"></rect>`)}
    ${edges.map(({ path, conditional }) => svg`<path class="edge ${conditional ? "conditional" : ""}" d=${path} marker-end="url(#tip)"></path>`)}
    ${nodes.map(({ id, label, x, y, width, height }) => {
      const inner = svg`<rect x=${x} y=${y} width=${width} height=${height} rx="9"></rect>
        <text x=${x + width / 2} y=${y + height / 2 + 5} text-anchor="middle">${label}</text>`;
      if (linesFor(source, id) === undefined) return svg`<g class="node">${inner}</g>`;
      const press = (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose(id);
      };
      return svg`<g class="node" data-node=${id} role="button" tabindex="0" aria-pressed=${id === chosen} aria-label="Lines of ${label}"
        @click=${() => choose(id)} @keydown=${press}>${inner}</g>`;
    })}
  </svg>`;
}
