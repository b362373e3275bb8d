// SPDX-License-Identifier: MIT
// Knows: how to find states of elements that are lost where a person's system sets the colours:
// each attribute that a style sheet asks for is set to each of its values, and what differs in the
// page's own colours must then differ by more than a background. Must not know what a page shows.

/** Runs in the page: what each state of each kind of element looks like, without its background. */
export function looksOf(isForced) {
  const WORDS = ["data-sample", "data-do", "data-pane", "data-tab", "data-lane"];
  const SEEN = `color opacity visibility display font-weight font-style text-decoration-line content
    width height stroke stroke-width stroke-dasharray transform clip-path filter`.split(/\s+/);
  const SIDES = ["top", "right", "bottom", "left"].map((side) => `border-${side}`);
  const roots = (root) => [
    root,
    ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) =>
      shadowRoot ? roots(shadowRoot) : [],
    ),
  ];
  const line = (style, name) => {
    const kind = style.getPropertyValue(`${name}-style`);
    const width = style.getPropertyValue(`${name}-width`);
    if (kind === "none" || width === "0px") return "";
    return `${kind} ${width} ${style.getPropertyValue(`${name}-color`)}`;
  };
  const one = (element, pseudo) => {
    const style = getComputedStyle(element, pseudo);
    if (pseudo && style.content === "none") return "";
    const list = [...SEEN.map((name) => style.getPropertyValue(name))];
    list.push(line(style, "outline"), ...SIDES.map((side) => line(style, side)));
    if (element instanceof SVGElement || !isForced) list.push(style.fill);
    if (!isForced) list.push(style.backgroundColor, style.backgroundImage, style.boxShadow);
    return list.join();
  };
  const look = (element) =>
    [element, ...[...element.querySelectorAll("*")].slice(0, 12)]
      .flatMap((part) => [one(part), one(part, "::before"), one(part, "::after")])
      .join("|");
  const asked = (root) => {
    const values = new Map();
    const read = (rules) => {
      for (const rule of rules) {
        const written = rule.selectorText?.replace(/:(host|not|root)\([^)]*\)/g, "") ?? "";
        for (const [, name, , value] of written.matchAll(/\[([a-z-]+)(="([^"]*)")?\]/g))
          values.set(name, (values.get(name) ?? new Set()).add(value));
        if (rule.cssRules) read(rule.cssRules);
      }
    };
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) read(sheet.cssRules);
    return values;
  };
  const still = new CSSStyleSheet();
  still.replaceSync(
    "*, *::before, *::after { transition: none !important; animation: none !important; }",
  );
  const found = {};
  for (const root of roots(document)) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, still];
    for (const [name, values] of asked(root)) {
      if (!/^(data|aria)-/.test(name) || WORDS.includes(name)) continue;
      for (const element of root.querySelectorAll(`[${name}]`)) {
        const key = `${element.localName}.${element.getAttribute("class") ?? ""} in .${element.parentElement?.className ?? ""} ${name}`;
        if (found[key] || !element.checkVisibility()) continue;
        const kept = element.getAttribute(name);
        const looks = {};
        for (const value of [...values, "none-of-them"]) {
          element.setAttribute(name, value ?? kept);
          if (value === undefined && kept === "false") continue;
          looks[value ?? kept] = look(element);
        }
        element.setAttribute(name, kept);
        found[key] = looks;
      }
    }
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== still);
  }
  return found;
}

/** What a word or a form beside it tells too, and what is no state. */
const SAID = /node.* data-state$|mark.* data-kind$|data-(change|task|status|theme)$/;

/**
 * States that nothing but a background tells apart when colours are forced.
 * @param {ReturnType<typeof looksOf>} own in the page's own colours
 * @param {ReturnType<typeof looksOf>} forced
 * @returns {string[]}
 */
export function lostOf(own, forced) {
  const lost = [];
  for (const [key, looks] of Object.entries(own))
    for (const [value, look] of Object.entries(looks))
      for (const [other, otherLook] of Object.entries(looks)) {
        if (value >= other || SAID.test(key) || look === otherLook) continue;
        if (forced[key]?.[value] === forced[key]?.[other]) lost.push(`${key}: ${value} = ${other}`);
      }
  return lost;
}

/**
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>} as of `lostOf`
 */
export async function lostStates(page) {
  const own = await page.evaluate(looksOf, false);
  await page.emulateMedia({ forcedColors: "active" });
  const forced = await page.evaluate(looksOf, true);
  await page.emulateMedia({ forcedColors: "none" });
  return lostOf(own, forced);
}
