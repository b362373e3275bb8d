// SPDX-License-Identifier: MIT
// Lays a directed graph out in rows: breaks cycles, assigns rows by the longest path, splits long
// edges, orders each row by its neighbours. Pure: names in, rows and columns out. Does not depend
// on what is drawn.

/** @typedef {{ source: string, target: string }} Edge */
/**
 * A node, or without `id` a point where an edge crosses a row.
 * @typedef {{ id: string | undefined, row: number, x: number, width: number, up: Spot[], down:
 *   Spot[] }} Spot
 */

const SWEEPS = 8;

/**
 * Finds the edges that close a cycle, searching from the first node. Iterative, since graphs may be
 * long.
 * @param {string[]} ids
 * @param {Edge[]} edges
 * @returns {Set<Edge>}
 */
function findBackEdges(ids, edges) {
  const out = new Map(ids.map((id) => [id, edges.filter(({ source }) => source === id)]));
  /** @type {Map<string, "open" | "done">} */
  const state = new Map();
  /** @type {Set<Edge>} */
  const back = new Set();
  for (const root of ids) {
    if (state.has(root)) continue;
    state.set(root, "open");
    const stack = [{ id: root, at: 0 }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      const edge = out.get(top.id)?.[top.at++];
      if (edge === undefined) {
        state.set(top.id, "done");
        stack.pop();
      } else if (state.get(edge.target) === "open") back.add(edge);
      else if (!state.has(edge.target)) {
        state.set(edge.target, "open");
        stack.push({ id: edge.target, at: 0 });
      }
    }
  }
  return back;
}

/**
 * Computes the row of each node.
 * @param {string[]} ids
 * @param {Array<[from: string, to: string]>} downward edges without cycles
 * @returns {Map<string, number>} length of the longest path to each node
 */
function findRows(ids, downward) {
  const rows = new Map(ids.map((id) => [id, 0]));
  for (let changed = true, round = 0; changed && round <= ids.length; round++) {
    changed = false;
    for (const [from, to] of downward) {
      const least = (rows.get(from) ?? 0) + 1;
      if ((rows.get(to) ?? 0) >= least) continue;
      rows.set(to, least);
      changed = true;
    }
  }
  return rows;
}

/**
 * Lays out the nodes and edges.
 * @param {Array<{ id: string, width: number }>} nodes
 * @param {Edge[]} edges
 * @param {number} gap minimum distance of neighbours
 * @returns {{ rows: Spot[][], spots: Map<string, Spot>, ways: Spot[][] }} `ways`: spots of each
 *   edge, from source to target
 */
export function layOut(nodes, edges, gap) {
  const ids = nodes.map(({ id }) => id);
  const back = findBackEdges(ids, edges);
  const proper = edges.filter(({ source, target }) => source !== target);
  const rowOf = findRows(
    ids,
    proper.map((edge) =>
      back.has(edge) ? [edge.target, edge.source] : [edge.source, edge.target],
    ),
  );
  /** @type {Spot[][]} */
  const rows = Array.from({ length: Math.max(0, ...rowOf.values()) + 1 }, () => []);
  /** @type {(id: string | undefined, row: number, width: number) => Spot} */
  const put = (id, row, width) => {
    const spot = { id, row, x: 0, width, up: [], down: [] };
    rows[row].push(spot);
    return spot;
  };
  const spots = new Map(nodes.map(({ id, width }) => [id, put(id, rowOf.get(id) ?? 0, width)]));
  const ways = edges.map((edge) => makeWay(edge, back.has(edge), spots, put));
  for (let sweep = 0; sweep < SWEEPS; sweep++) orderRows(rows, sweep % 2 === 0);
  placeSpots(rows, gap);
  return { rows, spots, ways };
}

/**
 * @param {Edge} edge
 * @param {boolean} isBack
 * @param {Map<string, Spot>} spots
 * @param {(id: undefined, row: number, width: number) => Spot} put
 * @returns {Spot[]}
 */
function makeWay({ source, target }, isBack, spots, put) {
  const [top, bottom] = /** @type {[Spot, Spot]} */ (
    (isBack ? [target, source] : [source, target]).map((id) => spots.get(id))
  );
  if (top === bottom) return [top, top];
  const way = [top];
  for (let row = top.row + 1; row < bottom.row; row++) way.push(put(undefined, row, 0));
  way.push(bottom);
  for (let i = 1; i < way.length; i++) {
    way[i - 1].down.push(way[i]);
    way[i].up.push(way[i - 1]);
  }
  return isBack ? way.reverse() : way;
}

/** @param {Spot[]} row @param {Spot} spot */
const placeIn = (row, spot) => row.indexOf(spot) / row.length;

/**
 * Sorts each row by the average position of its neighbours in the previous row.
 * @param {Spot[][]} rows
 * @param {boolean} downward
 */
function orderRows(rows, downward) {
  for (const row of downward ? rows : [...rows].reverse()) {
    const wanted = new Map(
      row.map((spot, index) => {
        const neighbours = downward ? spot.up : spot.down;
        if (neighbours.length === 0) return [spot, index / row.length];
        return [
          spot,
          neighbours.reduce((sum, one) => sum + placeIn(rows[one.row], one), 0) / neighbours.length,
        ];
      }),
    );
    row.sort((left, right) => (wanted.get(left) ?? 0) - (wanted.get(right) ?? 0));
  }
}

/**
 * Assigns columns near the neighbours, at least `gap` apart.
 * @param {Spot[][]} rows
 * @param {number} gap
 */
function placeSpots(rows, gap) {
  for (const row of rows)
    spread(
      row,
      gap,
      row.map(() => 0),
    );
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const row of sweep % 2 === 0 ? rows : [...rows].reverse()) {
      spread(
        row,
        gap,
        row.map((spot) => {
          const neighbours = [...spot.up, ...spot.down];
          return neighbours.length === 0
            ? spot.x
            : neighbours.reduce((sum, { x }) => sum + x, 0) / neighbours.length;
        }),
      );
    }
  }
}

/**
 * Places a row's spots as near to `wanted` as their order allows, shifted so that the total error
 * is 0.
 * @param {Spot[]} row
 * @param {number} gap
 * @param {number[]} wanted
 */
function spread(row, gap, wanted) {
  let shift = 0;
  for (let i = 0; i < row.length; i++) {
    const least = i === 0 ? wanted[0] : row[i - 1].x + (row[i - 1].width + row[i].width) / 2 + gap;
    row[i].x = Math.max(wanted[i], least);
    shift += wanted[i] - row[i].x;
  }
  for (const spot of row) spot.x += shift / row.length;
}
