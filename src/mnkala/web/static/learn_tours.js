// The tours as data: each step has a text (learn.TOUR.STEP.*), a live position or a real tree at a certain step, and perhaps a question. A question
// conceals the values of some nodes, and always the cuts and the line that are its answer, until it is answered or shown.
// Numbers in the texts come from the trees, positions from the examples of the catalogue: nothing about a game or a search is written here.

import { named, namedLine } from "./scores.js";

/** @param {SearchTree} tree @param {string} move */
const root = (tree, move) =>
  /** @type {SearchNode} */ (
    tree.nodes_list.find((node) => node.parent === 0 && node.move === move)
  );
/** @param {SearchTree} tree @param {(step: SearchStep) => boolean} test */
const after = (tree, test) => tree.steps.findIndex(test) + 1;
/** @param {SearchTree} tree @param {SearchNode} node */
const forMax = (tree, node) => (node.mover === tree.mover ? node.value : -node.value);
/** @param {SearchTree} tree */
const firstMin = (tree) =>
  /** @type {SearchNode} */ (tree.nodes_list.find((node) => node.parent === 0));
/** @param {SearchTree} tree @param {{ id: number }} node */
const leaves = (tree, node) => tree.nodes_list.filter((each) => each.parent === node.id);

/** The last moment at which the first move's replies are all valued and its own value is not. @param {SearchTree} tree */
const beforeFirstMin = (tree) =>
  after(tree, (step) => step.event === "value" && step.node === firstMin(tree).id) - 1;
/** @param {SearchTree} tree */
const beforeRoot = (tree) => tree.steps.length - 1;
/** @param {SearchTree} tree */
const firstCut = (tree) => after(tree, (step) => step.event === "cut");
/** @param {SearchTree} tree */
const beforeCut = (tree) => firstCut(tree) - 2;
/** @param {string} event @param {number} number */
const iteration = (event, number) => (/** @type {SearchTree} */ tree) =>
  after(tree, (step) => step.event === event && step.iteration >= number);

/**
 * The tours, which use the catalogue's examples.
 * @param {Catalogue} catalogue @returns {Tour[]}
 */
export function toursOf({ examples }) {
  /** @param {string} wanted */
  const at = (wanted) => {
    const { game, moves } = /** @type {ExampleInfo} */ (
      examples.find(({ name }) => name === wanted)
    );
    return { game, moves };
  };
  const SMALL = /** @type {TraceRequest} */ ({
    ...at("small"),
    algorithm: "minimax",
    depth: 2,
    heuristic: "basic",
  });
  const WINDOW = /** @type {TraceRequest} */ ({
    ...at("window"),
    algorithm: "alphabeta",
    depth: 2,
    heuristic: "basic",
  });
  const DEEPER = { ...WINDOW, depth: 3 };
  const MIRROR = { ...DEEPER, ...at("mirror") };
  const THREAT = at("threat");
  const GROW = /** @type {TraceRequest} */ ({
    ...at("grow"),
    algorithm: "mcts",
    iterations: 60,
    exploration: 1,
    seed: 1,
  });
  const FEW = { ...GROW, iterations: 8 }; // the same search, stopped early: a tree that can be seen at a glance
  const SOME = { ...GROW, iterations: 24 };
  return [
    {
      id: "minimax",
      steps: [
        { id: "board", board: SMALL },
        { id: "tree", tree: SMALL, at: () => 0 },
        { id: "leaf", tree: SMALL, at: (tree) => after(tree, (step) => step.event === "value") },
        {
          id: "min",
          tree: SMALL,
          at: beforeFirstMin,
          question: {
            nodes: (tree) => {
              const below = leaves(tree, firstMin(tree));
              const least = Math.min(...below.map((leaf) => forMax(tree, leaf)));
              return below.filter((leaf) => forMax(tree, leaf) === least).map(({ id }) => id);
            },
            among: (tree) => leaves(tree, firstMin(tree)).map(({ id }) => id),
            conceal: (tree) => [0, firstMin(tree).id],
          },
        },
        {
          id: "max",
          tree: SMALL,
          at: beforeRoot,
          question: {
            nodes: (tree) => [root(tree, tree.best).id],
            among: (tree) => leaves(tree, tree.nodes_list[0]).map(({ id }) => id),
            conceal: () => [0],
          },
        },
        {
          id: "end",
          tree: SMALL,
          at: (tree) => tree.steps.length,
          values: (tree) => ({ nodes: tree.nodes, line: namedLine(tree.line, tree) }),
        },
      ],
    },
    {
      id: "alphabeta",
      steps: [
        {
          id: "window",
          tree: WINDOW,
          at: (tree) =>
            after(tree, (step) => step.event === "enter" && step.node === root(tree, "3").id),
          values: (tree) => ({ alpha: forMax(tree, root(tree, "2")) }),
        },
        {
          id: "question",
          tree: WINDOW,
          at: beforeCut,
          question: { choices: ["yes", "no"], right: "no" },
          values: (tree) => ({
            first: forMax(tree, leaves(tree, root(tree, "3"))[0]),
            alpha: forMax(tree, root(tree, "2")),
          }),
        },
        {
          id: "cut",
          tree: WINDOW,
          at: firstCut,
          values: (tree) => ({
            first: forMax(tree, leaves(tree, root(tree, "3"))[0]),
            alpha: forMax(tree, root(tree, "2")),
          }),
        },
        {
          id: "same",
          tree: WINDOW,
          at: (tree) => tree.steps.length,
          bars: [{ ...WINDOW, algorithm: "minimax" }, WINDOW],
          values: (tree, all) => ({
            all: all[0].nodes,
            nodes: tree.nodes,
            move: named([tree.best], tree),
          }),
        },
        {
          id: "order",
          tree: MIRROR,
          at: (tree) => tree.steps.length,
          bars: [{ ...DEEPER, algorithm: "minimax" }, DEEPER, MIRROR],
          names: ["minimax", "first", "late"],
          values: (tree, all) => ({ all: all[0].nodes, good: all[1].nodes, bad: all[2].nodes }),
        },
        { id: "end", tree: DEEPER, at: (tree) => tree.steps.length },
      ],
    },
    {
      id: "depth",
      steps: [
        { id: "board", board: THREAT, question: { moves: ["2", "5"] } },
        {
          id: "one",
          tree: { ...THREAT, algorithm: "alphabeta", depth: 1 },
          at: (tree) => tree.steps.length,
          values: (tree) => ({ move: named([tree.best], tree) }),
        },
        {
          id: "two",
          tree: { ...THREAT, algorithm: "alphabeta", depth: 2 },
          at: (tree) => tree.steps.length,
          values: (tree) => ({ move: named([tree.best], tree) }),
        },
        {
          id: "deepening",
          board: THREAT,
          bars: [1, 2, 3, 4].map((depth) => ({ ...THREAT, algorithm: "alphabeta", depth })),
          names: ["d1", "d2", "d3", "d4"],
          values: (tree, all) => ({
            last: all[3].nodes,
            before: all.slice(0, 3).reduce((sum, each) => sum + each.nodes, 0),
            move: named([all[3].best], tree),
          }),
        },
      ],
    },
    {
      id: "mcts",
      steps: [
        { id: "board", board: GROW },
        { id: "playout", tree: FEW, at: iteration("playout", 1), panel: true },
        { id: "backup", tree: FEW, at: iteration("backup", 1), panel: true },
        { id: "expand", tree: FEW, at: iteration("backup", 7) },
        { id: "select", tree: SOME, at: iteration("select", 20), panel: true },
        {
          id: "question",
          tree: GROW,
          at: (tree) => tree.steps.length,
          question: {
            nodes: (tree) => [root(tree, tree.best).id],
            among: (tree) => leaves(tree, tree.nodes_list[0]).map(({ id }) => id),
          },
        },
        {
          id: "end",
          tree: { ...GROW, iterations: 200 },
          at: (tree) => tree.steps.length,
          values: (tree) => ({
            visits: root(tree, tree.best).visits,
            all: tree.evaluations,
            move: named([tree.best], tree),
          }),
        },
      ],
    },
  ];
}
