// SPDX-License-Identifier: MIT
// The order of the pages, which is that of the table of guides in README.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { top } from "./programs.mjs";
import { addressOfPage, pageOf } from "./pages.mjs";

/**
 * @typedef {{ text: string, link?: string, collapsed?: boolean, items?: Item[] }} Item
 */

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/**
 * @param {import("./pages.mjs").Pages} pages
 * @returns {Item[]}
 */
export function guidesSidebar(pages) {
  const readme = readFileSync(join(top, "README.md"), "utf8");
  const table = readme.split(/^## Guides$/m)[1].split(/^## /m)[0];
  const groups = [...table.matchAll(/^\| ([A-Z][^|]*) \| (.*) \|$/gm)].map(([, group, links]) => ({
    text: group,
    items: [...links.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text, path]) => {
      const page = pageOf(path);
      const inside = insideOf(page, pages);
      return {
        text: capital(text),
        link: addressOfPage(page),
        ...(inside.length > 0 ? { collapsed: true, items: inside } : {}),
      };
    }),
  }));
  groups[0].items.unshift({ text: "Overview", link: "/overview" });
  const shown = new Set(
    groups.flatMap(({ items }) =>
      items.flatMap(({ link, items = [] }) => [link, ...items.map(({ link }) => link)]),
    ),
  );
  const rest = [...pages.texts]
    .filter(([page]) => !/^(index\.md|files\/)/.test(page))
    .filter(([page]) => !shown.has(addressOfPage(page)))
    .map(([page, text]) => ({ text: titleOf(text), link: addressOfPage(page) }));
  groups.at(-1).items.push(...rest);
  return groups;
}

/** Pages of the folder that has the name of a page, or of its index. */
function insideOf(page, pages) {
  const folder = page.replace(/(index)?\.md$/, "").replace(/\/?$/, "/");
  return [...pages.texts]
    .filter(([other]) => other !== page && other.startsWith(folder) && folder !== "/")
    .map(([other, text]) => ({ text: titleOf(text), link: addressOfPage(other) }));
}

/** @param {string} text of a page @returns {string} its heading, without code */
export const titleOf = (text) => /^# (.*)$/m.exec(text)[1].replaceAll("`", "");

/**
 * @param {import("./reference/pages.mjs").Reference} reference
 * @returns {Item[]}
 */
export function referenceSidebar({ sections, parts }) {
  const item = ({ title, page }) => ({ text: title, link: addressOfPage(page) });
  const named = (test) => sections.filter(({ title }) => test.test(title)).map(item);
  const main = item(sections[0]);
  const groups = [
    [
      "Agents, tools, models",
      /^weftgraph\/(prebuilt|agent|tools|approval|messages|models|schema|mcp)\b/,
    ],
    ["Threads and stores", /^weftgraph\/(savers|stores|store-contract|checkpoint)\b/],
    ["Servers and front ends", /^weftgraph\/(server|remote|ag-ui|ai-sdk|studio)\b/],
    ["Development", /^weftgraph\/(testing|record|otel|svg)\b/],
  ];
  const grouped = groups.map(([text, test]) => ({ text, items: named(test) }));
  const shown = new Set(grouped.flatMap(({ items }) => items.map(({ link }) => link)));
  const others = sections
    .slice(1)
    .map(item)
    .filter(({ link }) => !shown.has(link));
  return [
    {
      text: "Reference",
      items: [
        { text: "Entries", link: "/reference/" },
        { text: "Names", link: "/reference/names" },
        { text: "Error codes", link: "/reference/errors" },
      ],
    },
    { text: "weftgraph", items: [{ ...main, text: "All names" }, ...parts.map(item)] },
    ...grouped,
    { text: "Other entries", items: others },
  ];
}
