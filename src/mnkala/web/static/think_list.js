// The tree as a nested list, for those who hear the page and for those who like text. Branches open when they are asked for.

import { h } from "./dom.js";
import { namedLine } from "./scores.js";
import { Reader } from "./think_values.js";
import { number, t } from "./words.js";

/** A closed `details` with the whole tree in it. @param {SearchTree} tree @param {boolean} book */
export function treeList(tree, book) {
  const reader = new Reader(tree, book);
  const children = tree.nodes_list.map(() => /** @type {SearchNode[]} */ ([]));
  for (const node of tree.nodes_list) if (node.parent !== null) children[node.parent].push(node);
  const details = h("details.tree-list#tree-list", h("summary", t("think.as_list")));
  details.addEventListener(
    "toggle",
    () => {
      if (details.childElementCount === 1)
        details.append(h("ul", entry(tree.nodes_list[0], reader, children, true)));
    },
    { once: true },
  );
  return details;
}

/** @param {SearchNode} node @param {Reader} reader @param {SearchNode[][]} children @param {boolean} [open] */
function entry(node, reader, children, open = false) {
  const below = children[node.id];
  const text = describe(node, reader);
  if (!below.length) return h("li", text);
  const details = h("details", { open }, h("summary", text));
  const fill = () => {
    if (details.childElementCount === 1)
      details.append(
        h(
          "ul",
          below.map((child) => entry(child, reader, children)),
        ),
      );
  };
  if (open) fill();
  else details.addEventListener("toggle", fill, { once: true });
  return h("li", details);
}

/** @param {SearchNode} node @param {Reader} reader */
function describe(node, reader) {
  const move = node.parent === null ? "@think.root" : reader.move(node.id);
  if (node.kind === "cut")
    return t("think.list_cut", { moves: namedLine(node.cut_moves, reader.tree) });
  if (node.visits !== undefined)
    return t("think.list_visits", {
      move,
      visits: number(node.visits),
      reward: number(node.reward, Number.isInteger(node.reward) ? 0 : 1),
    });
  const value = reader.returned(node) + reader.plies(node);
  return node.kind === "inner"
    ? t("think.list_inner", { move, who: reader.who(node), value })
    : t("think.list_leaf", { move, value });
}
