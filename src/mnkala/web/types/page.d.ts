// Types that several modules of the page share. Those of the server's messages are in messages.d.ts.

/** What `h` and `s` take as children: nothing where it is null or false. */
type Child = Node | string | number | false | null | undefined | readonly Child[];

/** The tag of a sign such as "button.primary#start". */
type TagOf<S extends string> = S extends `${infer Tag}.${string}` ? TagOf<Tag> : S extends `${infer Tag}#${string}` ? Tag : S;

/** What makes an element of a sign, with attributes or without, and its children. */
interface Hyperscript<Tags> {
  <S extends string>(sign: S, attributes: Attributes | null | undefined, ...children: Child[]): TagOf<S> extends keyof Tags ? Tags[TagOf<S>] : never;
  <S extends string>(sign: S, ...children: Child[]): TagOf<S> extends keyof Tags ? Tags[TagOf<S>] : never;
}

/** An event whose target is an element of ours; whoever asks for its value listens to a field. */
type On<E extends Event> = E & { readonly target: HTMLInputElement };

/** Attributes, properties and listeners of an element; `css` sets properties of its style. */
interface Attributes {
  css?: Record<string, string>;
  onblur?: (event: On<FocusEvent>) => unknown;
  onchange?: (event: On<Event>) => unknown;
  onclick?: (event: On<MouseEvent>) => unknown;
  ondragover?: (event: On<DragEvent>) => unknown;
  ondrop?: (event: On<DragEvent>) => unknown;
  onfocus?: (event: On<FocusEvent>) => unknown;
  onfocusin?: (event: On<FocusEvent>) => unknown;
  onfocusout?: (event: On<FocusEvent>) => unknown;
  oninput?: (event: On<Event>) => unknown;
  onkeydown?: (event: On<KeyboardEvent>) => unknown;
  onmouseenter?: (event: On<MouseEvent>) => unknown;
  onmouseleave?: (event: On<MouseEvent>) => unknown;
  onmouseover?: (event: On<MouseEvent>) => unknown;
  onpointercancel?: (event: On<PointerEvent>) => unknown;
  onpointerdown?: (event: On<PointerEvent>) => unknown;
  onpointerleave?: (event: On<PointerEvent>) => unknown;
  onpointermove?: (event: On<PointerEvent>) => unknown;
  onpointerover?: (event: On<PointerEvent>) => unknown;
  onpointerup?: (event: On<PointerEvent>) => unknown;
  onsubmit?: (event: On<SubmitEvent>) => unknown;
  ontoggle?: (event: On<Event>) => unknown;
  [name: string]: unknown;
}

/** What the shell gives every view (app.js). */
interface Context {
  catalogue: Catalogue;
  navigate(hash: string): void;
  notify(problem: unknown): void;
  announce(text: string): void;
  title(text: string): void;
}

/** The parameters of an address. */
type Params = Record<string, string | undefined>;

/** What a view answers when it is shown: an action of a key answers false if it did nothing. */
interface Shown {
  close(): void;
  keys?: Record<string, () => unknown>;
}

/** What the module of a view exports. */
type Show = (container: HTMLElement, params: Params, context: Context) => Promise<Shown>;

/** What went wrong with a request: its status, 0 without a server, none where it is a fault of the page. */
type Problems = Error & { status?: number; game?: string };

/** Messages of the live line by their type, and `online`, which says whether there is a line. */
type LiveMessages = { [M in SocketAnswer as M["type"]]: M } & { online: { online: boolean } };

/** A row and a column. */
type Cell = [number, number];
type Point = [number, number];
type Pair<T> = [T, T];

/** Where a position is: a game, how it began, the moves since. */
interface Place {
  game: string;
  start?: string | null;
  played: string[];
}

/** The same as an address has it, with its moves as a text. */
interface Asked {
  game?: string;
  start?: string | null;
  moves?: string | null;
}

/** A board for drawing: a View, or as much of one as a small picture needs. */
type Drawable = Pick<View, "cells"> & Partial<View> & { pointed?: Cell[] };

/** What the board says of a move, or draws over itself: a way, or a threat. */
interface Annotation {
  title: string;
  move?: string;
  text?: string;
  words?: string;
  note?: string;
  tone?: string;
  best?: boolean;
  proved?: boolean;
  path?: Leg[];
  threat?: LineThreatView;
}

/** An annotation of a move. */
type Said = Annotation & Required<Pick<Annotation, "move" | "text" | "tone" | "best" | "proved">>;

/** A part of a path over a board: the cells that it passes, a word where it begins, the cells that it takes with a word on them. */
interface Leg {
  cells: Cell[];
  label?: number | null;
  takes?: Cell[];
  note?: string | null;
}

/** Seeds that somebody holds over a cell. */
interface Hand {
  cell: Cell;
  seeds: number;
}

/** What a board is for. */
interface BoardConfig {
  /** Hears what is played. */
  onMove?: (move: string) => unknown;
  /** Hears of every cell that is chosen: the board is edited, and nothing is played. The stores of houses are cells then too: the second
   * player's is (0, -1), the first player's is one behind the last house of row 1. */
  onCell?: ((row: number, column: number) => void) | null;
  interactive?: boolean;
  id?: string;
}

/** What a board shows besides a position. */
interface BoardState {
  /** Of its moves, the best first, or of the moves before a `preview`; and ways and threats over the board. */
  annotations?: Annotation[] | null;
  /** Whether it is a position that was not played. */
  preview?: boolean;
  /** A move to point out. */
  hint?: string | null;
  /** Cells to point at. */
  cells?: Cell[];
  hand?: Hand | null;
  animate?: boolean;
  interactive?: boolean;
  /** The seats of the reader, who sits below. */
  yours?: boolean[] | null;
}

/** How a painter draws: with the names of rows and columns, turned so that the last row is at the top. */
interface PainterOptions {
  labels?: boolean;
  turned?: boolean;
}

/** What draws a kind of board (board_kinds.js). */
interface Painter {
  style: string;
  turned: boolean;
  rows: number;
  columns: number;
  width: number;
  height: number;
  radius: number;
  pitch: number;
  largestLabel: number;
  left?: number;
  below?: number;
  edge?: number;
  margin?: number;
  middle?: number;
  /** Whether what is pointed at tints a cell below its piece. */
  ringsBelow: boolean;
  /** Whether a move is just a column. */
  columnsPlayed: boolean;
  byDigits: boolean;
  storeCells: Cell[];
  first: Cell;
  under: SVGElement;
  pieces: SVGElement;
  over: SVGElement;
  /** The counts of houses, above whatever is drawn over the board. */
  counts?: SVGElement;
  /** When the movement under way ends, by performance.now(). */
  until?: number;
  /** The movement under way, where it is a single one. */
  moving?: Animation | null;
  paint(view: Drawable, options?: { animate?: boolean }): void;
  centre(row: number, column: number): Point;
  box(row: number, column: number): { x: number; y: number; width: number; height: number };
  meant(cells: Cell[]): Cell[];
  landing(cells: Cell[]): Cell[];
  ghost(cells: Cell[], mover: number): SVGElement;
  path(legs: Leg[]): SVGElement;
  rings(kind: string, cells: Cell[]): SVGElement[];
  focusShape(row: number, column: number): SVGElement;
  hand?(cell: Cell, count: number): SVGElement;
  badge?(each: Said, row: number, column: number, all: Said[]): { element: SVGElement; size: number };
  labels?(): { rows: [SVGElement, number][]; columns: [SVGElement, number][] };
}

/** What the position editor tells of what was done. */
interface EditingHooks {
  /** Another brush was chosen. */
  onBrush(): void;
  /** The board has changed. */
  onChange(): void;
}

/** A page with a board on which lines are looked ahead. */
interface Previewing {
  preview: View | null;
  hand: Hand | null;
  previewed?: object | null;
  draw(): void;
}

/** A node of a tree of moves (move_tree.js); the root has no parent and no move. */
interface MoveNode {
  parent: MoveNode | null;
  move: string;
  mover: number;
  children: MoveNode[];
  /** The child that was last gone to. */
  chosen: MoveNode | null;
}

/** A move or a turn of a review (review_parts.js); `ply` is its last one. */
type ReviewUnit = Omit<ReviewedMove, "move" | "best" | "best_turn"> & { number: number; first: number; moves: string[]; text: string; best: string[] };

/** A line of a review that is on the board up to one of its moves. */
interface ShownLine {
  of: "line" | "refutation";
  upTo: number;
}

/** What a record says of a game beside its moves. */
type Circumstances = Partial<Pick<Export, "players" | "resigned" | "out_of_time" | "fault">>;

// ---- Trees of searches ----

/** A tree of a search as the page reads it: what a node or a step has is told by its kind or its event (docs/api.md). */
type SearchTree = Omit<Tree, "nodes_list" | "steps"> & { nodes_list: SearchNode[]; steps: SearchStep[] };
type SearchNode = Required<TreeNode>;
type SearchStep = Required<TraceStep>;

/** What is asked of the page of trees. */
interface ThinkChoice {
  game: string;
  start: string | null;
  moves: string;
  algorithm: "minimax" | "alphabeta" | "mcts" | "compare";
  depth: number;
  iterations: number;
  heuristic: string;
  exploration: number;
  seed: number;
}

/** A step of a tour: a text, a position or a tree at a certain step, and perhaps a question. */
interface TourStep {
  id: string;
  board?: { game: string; moves?: string };
  tree?: TraceRequest;
  at?(tree: SearchTree): number;
  /** What fills the places of its text. */
  values?(tree: SearchTree, all: SearchTree[]): Record<string, unknown>;
  /** Trees whose nodes are compared as bars, and what these are called. */
  bars?: TraceRequest[];
  names?: string[];
  panel?: boolean;
  question?: Question;
}

/** A question: one of some words, of some nodes, or of the moves of a board. */
interface Question {
  choices?: string[];
  right?: string;
  moves?: string[];
  nodes?(tree: SearchTree): number[];
  among?(tree: SearchTree): number[];
  conceal?(tree: SearchTree): number[];
}

/** A tree that is replayed on the page. */
interface Walker {
  tree: SearchTree;
  replay: Replay;
  head: HTMLElement | null;
  holder: HTMLElement;
  view: TreeView;
}

interface Tour {
  id: string;
  steps: TourStep[];
}

// ---- Classes that others name ----

type Board = import("../static/board.js").Board;
type HousesPainter = import("../static/board_houses.js").HousesPainter;
type MoveTree = import("../static/move_tree.js").MoveTree;
type Reader = import("../static/think_values.js").Reader;
type Replay = import("../static/think_replay.js").Replay;
type TreeView = import("../static/tree.js").TreeView;
type Icon = keyof typeof import("../static/play_icons.js").PATHS;

// ---- The analysis beside a board ----

/** A question to the server about a position: what is wanted, by which number, whether it has ended, its last answer, what was wrong. */
interface Ask {
  wanted?: string | null;
  number?: number;
  ended?: boolean;
  answer?: AnalysisUpdate | null;
  trouble?: string;
}

interface AnalysisOptions {
  catalogue: Catalogue;
  /** Where the switch is kept, and whether it is on at first. */
  kept: [Storage, string];
  usual?: boolean;
  /** There is something new for the board. */
  onScores(): void;
  /** A line is looked ahead at. */
  onPreview(line: string[] | null, step?: StepView | null): void;
  /** A reason is pointed at. */
  onPoint?(cells: Cell[]): void;
  /** Play a move, or a line. */
  onMove?: ((move: string) => void) | null;
  onLine?: ((line: string[]) => void) | null;
  /** Go back to where the book knows the position. */
  onBack?: ((ply: number) => void) | null;
}

/** A new game as it is asked for; a page's own class has the name of the message. */
type Order = NewGame;

/** The board of the analysis page as it is kept; its tree is that of `MoveTree.serialise`. */
type KeptBoard = { game: string; start?: string | null; moves: string; tree: [number, string, number][] };

/** What is said of the seats of a game. */
type Seats = Pick<Game, "result" | "yours" | "players" | "open_seat" | "linked">;

/** A line of a badge, in letters' heights. */
interface BadgeLine {
  text: string;
  wide: number;
  size: number;
  shaped?: number;
  class?: string;
}

/** The parts of a drawn node that change. */
interface NodeParts {
  group: SVGElement;
  classes?: string | null;
  shown?: string;
  text?: SVGElement;
  bar?: SVGElement;
  halo?: SVGElement;
  ball?: SVGElement;
  fill?: SVGElement;
  centre?: number;
}

type NodePainter = import("../static/think_nodes.js").NodePainter;
type Player = import("../static/think_player.js").Player;
type Panel = import("../static/think_panel.js").Panel;

/** A kind of board in words. */
interface BoardWords {
  /** What stands on a cell. */
  cell(view: View, row: number, column: number, yours?: boolean[] | null): string;
  /** One sentence on the whole board, for its label. */
  board(view: View): string;
  /** What lies in a player's store. */
  store?(view: View, player: number): string;
  /** The position as lines of characters. */
  position(view: View): string;
}
