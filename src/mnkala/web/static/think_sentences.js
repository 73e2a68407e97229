// One sentence for each step of a search: what just happened, with its numbers.

import { last } from "./dom.js";
import { named, namedLine } from "./scores.js";
import { number, t } from "./words.js";

/** `replay` stands just after the step. @param {Replay} replay @param {Reader} reader */
export function sentence(replay, reader) {
  const { tree, step, index } = replay;
  if (!step)
    return t(tree.algorithm === "mcts" ? "think.ready_mcts" : "think.ready", {
      nodes: number(tree.nodes),
    });
  const node = tree.nodes_list[step.node];
  const said = SENTENCES[step.event](step, node, reader, replay);
  return index === tree.steps.length ? `${said} ${finish(tree, reader)}` : said;
}

/** @param {SearchTree} tree @param {Reader} reader */
function finish(tree, reader) {
  const root = tree.nodes_list[0];
  if (tree.algorithm === "mcts")
    return t("think.finished_mcts", { move: named([tree.best], tree) });
  return t("think.finished", {
    move: named([tree.best], tree),
    value: reader.long(root, tree.value ?? 0),
  });
}

/** @type {Record<string, (step: SearchStep, node: SearchNode, reader: Reader, replay: Replay) => string>} */
const SENTENCES = {
  enter(step, node, reader) {
    const values = { move: reader.name(node), who: reader.who(node) };
    if (step.alpha === undefined)
      return t(
        node.parent === null
          ? "think.enter_root"
          : node.kind === "inner"
            ? "think.enter"
            : "think.enter_leaf",
        values,
      );
    const [alpha, beta] = reader
      .window(node, step.alpha, step.beta)
      .map((value) => reader.short(value));
    return t(node.parent === null ? "think.enter_root_window" : "think.enter_window", {
      ...values,
      alpha,
      beta,
    });
  },

  value(step, node, reader, replay) {
    const value = reader.returned(node);
    const key =
      node.kind === "end"
        ? "think.value_end"
        : node.kind === "leaf"
          ? "think.value_leaf"
          : node.bound === "lower" || node.bound === "upper"
            ? "think.value_bound"
            : "think.value_inner";
    const said = t(key, { move: reader.name(node), who: reader.who(node), value });
    const { tree } = reader;
    const next = tree.steps[replay.index];
    if (node.parent === null || (next?.event === "update" && next.child === node.id)) return said;
    const parent = tree.nodes_list[node.parent];
    return `${said} ${t("think.not_better", { who: reader.who(parent), value: reader.short(reader.value(parent, replay.value[parent.id])) })}`;
  },

  update(step, node, reader) {
    const [alpha, beta] =
      step.alpha === undefined ? [] : reader.window(node, step.alpha, step.beta);
    const values = {
      who: reader.who(node),
      move: reader.move(step.child),
      value: reader.long(node, step.value),
    };
    if (!step.raises || step.alpha === undefined) return t("think.update", values);
    return reader.flips(node)
      ? t("think.update_beta", { ...values, beta: reader.short(beta) })
      : t("think.update_alpha", { ...values, alpha: reader.short(alpha) });
  },

  cut(step, node, reader) {
    const [alpha, beta] = reader.window(node, step.alpha, step.beta);
    const flips = reader.flips(node);
    const { moves = [] } = step;
    return t(moves.length > 1 ? "think.cut" : moves.length ? "think.cut_one" : "think.cut_none", {
      value: reader.short(reader.value(node, step.value)),
      sign: flips ? "≤" : "≥",
      name: flips ? "α" : "β",
      bound: reader.short(flips ? alpha : beta),
      count: moves.length,
      moves: namedLine(moves, reader.tree),
    });
  },

  select(step, node, reader) {
    const choice = step.choices.find((each) => each.node === step.child);
    const move = reader.move(step.child);
    return choice?.bound === undefined
      ? t("think.select_first", { move })
      : t("think.select", { move, bound: number(choice.bound, 2) });
  },

  expand(step, node, reader) {
    return t("think.expand", { move: reader.move(step.child) });
  },

  playout(step, node, reader) {
    const who = step.result === 0.5 ? null : reader.tree.players[step.result === 1 ? 0 : 1];
    if (!step.moves) return who ? t("think.playout_over", { who }) : t("think.playout_over_draw");
    return t(who ? "think.playout" : "think.playout_draw", { count: step.moves.length, who });
  },

  backup(step, node, reader) {
    const who = step.result === 0.5 ? null : reader.tree.players[step.result === 1 ? 0 : 1];
    return t(who ? "think.backup" : "think.backup_draw", { count: step.counts.length, who });
  },

  proof(step, node, reader) {
    const { node: id, margin } = last(step.proofs);
    const proved = reader.tree.nodes_list[id];
    const winner = margin > 0 ? proved.player : 1 - proved.player;
    const values = {
      move: reader.name(proved),
      who: reader.tree.players[winner],
      count: step.proofs.length,
    };
    return t(
      `think.proof${margin === 0 ? "_draw" : ""}${proved.parent === null ? "_root" : ""}`,
      values,
    );
  },
};
