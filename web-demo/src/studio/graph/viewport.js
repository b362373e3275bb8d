// SPDX-License-Identifier: MIT
// Owns which part of a drawing is in sight: the whole of it, or what a person chose by wheel,
// pointers and keys. Must not know: what is drawn.

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

const CLOSEST = 4;
/** The whole is not made larger than this: two nodes must not fill a screen. */
const LARGEST_FIT = 1.25;
const FURTHEST = 0.1;
const KEY_STEP = 60;
const MARGIN = 10;
/** Height of the buttons below the whole, in px. */
const BUTTONS = 44;
/** Movement that is no click any more, in px. */
const DRAG = 4;

export class Viewport {
  /** Of the pane, in px. */
  #pane = { width: 0, height: 0 };
  /** @type {Box} */
  #whole = { x: 0, y: 0, width: 1, height: 1 };
  /**
   * What a person chose: the drawing's point in the middle of the pane, px for each of its
   * units.
   */
  #chosen = /** @type {{ x: number, y: number, scale: number } | undefined} */ (undefined);
  /** @type {Map<number, { x: number, y: number }>} */
  #pointers = new Map();
  #moved = 0;
  #changed;
  /** @type {Element | undefined} */
  #element;
  #observer = new ResizeObserver(([{ contentRect }]) => {
    this.#pane = { width: contentRect.width, height: contentRect.height };
    this.#changed();
  });

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Watches the pane that the drawing fills. @param {Element | undefined} element */
  watch = (element) => {
    if (element === this.#element) return;
    if (this.#element !== undefined) this.#observer.unobserve(this.#element);
    this.#element = element;
    if (element === undefined) return;
    this.#observer.observe(element);
    // The page must not scroll meanwhile: lit's listeners cannot say so.
    element.addEventListener("wheel", (event) => this.#wheel(/** @type {WheelEvent} */ (event)), {
      passive: false,
    });
  };

  get isFit() {
    return this.#chosen === undefined;
  }

  /** A press that moved the drawing is no click. */
  get wasDragged() {
    return this.#moved > DRAG;
  }

  /** @param {Box} whole of the drawing @returns {string} the svg's viewBox */
  viewBox(whole) {
    this.#whole = whole;
    const { x, y, scale } = this.#middle();
    const [width, height] = [this.#pane.width / scale, this.#pane.height / scale];
    if (!(width > 0 && height > 0)) return `${whole.x} ${whole.y} ${whole.width} ${whole.height}`;
    return [x - width / 2, y - height / 2, width, height].map((side) => side.toFixed(2)).join(" ");
  }

  fit() {
    this.#chosen = undefined;
    this.#changed();
  }

  /** @param {number} factor @param {{ x: number, y: number }} [at] in px from the pane's middle */
  zoom(factor, at = { x: 0, y: 0 }) {
    const { x, y, scale } = this.#middle();
    const next = Math.min(CLOSEST, Math.max(Math.min(FURTHEST, this.#fitScale()), scale * factor));
    const shift = 1 / scale - 1 / next;
    this.#chosen = { x: x + at.x * shift, y: y + at.y * shift, scale: next };
    this.#changed();
  }

  /** @param {number} x in px @param {number} y */
  pan(x, y) {
    const middle = this.#middle();
    this.#chosen = { ...middle, x: middle.x + x / middle.scale, y: middle.y + y / middle.scale };
    this.#changed();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      "+": () => this.zoom(1.25),
      "=": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      0: () => this.fit(),
      ArrowLeft: () => this.pan(-KEY_STEP, 0),
      ArrowRight: () => this.pan(KEY_STEP, 0),
      ArrowUp: () => this.pan(0, -KEY_STEP),
      ArrowDown: () => this.pan(0, KEY_STEP),
    };
    if (!Object.hasOwn(acts, event.key)) return;
    event.preventDefault();
    acts[/** @type {keyof typeof acts} */ (event.key)]();
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button !== 0) return;
    if (this.#pointers.size === 0) this.#moved = 0;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  move(event) {
    const from = this.#pointers.get(event.pointerId);
    if (from === undefined) return;
    const to = { x: event.clientX, y: event.clientY };
    this.#moved += Math.hypot(to.x - from.x, to.y - from.y);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, to);
    if (!this.wasDragged) return;
    const pane = /** @type {Element} */ (event.currentTarget);
    // Captured before, the press of a node would be a press of the pane.
    if (!pane.hasPointerCapture(event.pointerId)) pane.setPointerCapture(event.pointerId);
    if (other === undefined) this.pan(from.x - to.x, from.y - to.y);
    else {
      const apart = (/** @type {{ x: number, y: number }} */ { x, y }) =>
        Math.max(1, Math.hypot(x - other.x, y - other.y));
      this.zoom(apart(to) / apart(from));
    }
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.#pointers.delete(event.pointerId);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const pane = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const at = {
      x: event.clientX - pane.x - pane.width / 2,
      y: event.clientY - pane.y - pane.height / 2,
    };
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
    this.zoom(Math.exp(-event.deltaY * lines * 0.0015), at);
  }

  #fitScale() {
    const { width, height } = this.#whole;
    const across = (this.#pane.width - 2 * MARGIN) / width;
    const down = (this.#pane.height - 2 * MARGIN - BUTTONS) / height;
    return Math.max(0.01, Math.min(LARGEST_FIT, across, down));
  }

  #middle() {
    if (this.#chosen !== undefined) return this.#chosen;
    const { x, y, width, height } = this.#whole;
    const scale = this.#fitScale();
    return { x: x + width / 2, y: y + height / 2 + BUTTONS / 2 / scale, scale };
  }
}
