// SPDX-License-Identifier: MIT
// Knows: how to find what is wider than its page, and text that a box cuts off, also inside of
// shadow roots. Must not know what a page shows.

/**
 * Runs in the page.
 * @returns {Promise<string[]>}
 */
export async function overflows() {
  // Screens follow the width with the next frame.
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const TEXT = "button, a, h1, h2, h3, dt, dd, label, legend, summary, p, small, th, td";
  const all = (root) =>
    [...root.querySelectorAll("*")].flatMap((one) => [
      one,
      ...(one.shadowRoot ? all(one.shadowRoot) : []),
    ]);
  const isCut = (element) => {
    const { overflowX, overflowY, display, textOverflow, clipPath } = getComputedStyle(element);
    const clips = (overflow) => overflow === "hidden" || overflow === "clip";
    // What says that there is more is not cut off; what is for screen readers alone is not seen.
    const isApart = display === "inline" || textOverflow === "ellipsis" || clipPath !== "none";
    if (isApart || element.clientWidth <= 1) return false;
    const isText = element.matches(TEXT);
    const wide = element.scrollWidth > element.clientWidth + 1;
    const high = element.scrollHeight > element.clientHeight + 1;
    return (
      (wide && (clips(overflowX) || (isText && overflowX === "visible"))) ||
      (high && clips(overflowY))
    );
  };
  const root = document.documentElement;
  const wide = root.scrollWidth > root.clientWidth ? [`page ${root.scrollWidth}`] : [];
  const cut = all(document.body).filter(
    (element) =>
      element instanceof HTMLElement &&
      element.checkVisibility({ visibilityProperty: true }) &&
      isCut(element),
  );
  const nameOf = ({ localName, className, textContent }) =>
    `${localName}.${className} ${textContent.trim().replace(/\s+/g, " ").slice(0, 60)}`;
  return [...wide, ...cut.map(nameOf)];
}
