// The server's messages. Made of its OpenAPI description by `python -m tests.page_types`; edit mnkala/web/messages.py instead.

/** What else can be done with a game. */
interface Action {
  action: "helped" | "pace" | "pause" | "redo" | "rematch" | "rename" | "resign" | "resume" | "step" | "undo";
  seconds?: number;
  nickname?: string | null;
}

/** Where others reach this server, the likeliest first; none on a server that only its own computer can reach. */
interface Addresses {
  addresses: string[];
  loopback: boolean;
  command: string;
}

/** Score every move of a position, better and better. */
interface Analyse {
  type: "analyse";
  game: string;
  start?: string | null;
  moves?: string;
  id: number;
  engine?: string;
  seconds?: number;
}

/** An analysis as far as it has come. */
interface AnalysisUpdate {
  type: "analysis";
  id: number;
  final: boolean;
  game: string;
  moves: string;
  engine: string;
  whole: WorthView | null;
  best: string[];
  line: string[];
  scores: MoveWorth[];
  depth: number;
  nodes: number;
  seconds: number;
  note: string;
}

/** What the one who asks may do now. */
interface Can {
  move: boolean;
  undo: boolean;
  redo: boolean;
  resign: boolean;
  hint: boolean;
  rematch: boolean;
}

/** What the server has to offer. */
interface Catalogue {
  version: string;
  loopback: boolean;
  languages: Record<string, string>;
  levels: string[];
  games: FamilyInfo[];
  examples: ExampleInfo[];
  engines: EngineInfo[];
  heuristics: HeuristicInfo[];
  limits: Record<string, number>;
}

/** A child as the selection of Monte-Carlo search sees it. */
interface Choice {
  node: number;
  visits: number;
  share: number;
  bound?: number;
}

/** A claim of a report, and what the data say of it. */
interface ClaimView {
  report: string;
  study: string;
  says: string;
  verdict: "not decidable" | "not measured" | "refuted" | "reproduced";
  evidence: string;
}

/** Time for each side, and for each move. */
interface ClockRequest {
  seconds: number;
  increment: number;
}

/** Seconds left when this was sent; `running` is the side whose time passes. */
interface ClockView {
  seconds: number;
  increment: number;
  left: [number, number];
  running: number | null;
}

/** How far the background compiler has come. */
interface CompilerProgress {
  type: "compiling";
  busy: boolean;
  compiling: string;
  waiting: boolean;
  seconds: number;
  done: number;
  total: number;
}

/** The counts of a node after a back-up. */
interface Count {
  node: number;
  visits: number;
  reward: number;
}

/** A position to be drawn. */
interface Diagram {
  rows: string[];
  marked?: [number, number][];
  last?: [number, number][];
  houses?: number[][];
  stores?: [number, number];
}

/** A board as somebody sets it up: rows of cells as in a view, seeds where there are houses. Without a mover it is whoever's turn it is by the number of marks. */
interface EditRequest {
  game: string;
  cells: number[][];
  seeds?: SeedsRequest | null;
  mover?: number | null;
}

/** A board that somebody set up: its literal and view if it can arise, and what there is to say of it. */
interface Edited {
  literal: string | null;
  view: View | null;
  reasons: ReasonView[];
}

/** The last move of an engine. */
interface EngineAnswer {
  move: string;
  worth: WorthView | null;
  depth: number;
  nodes: number;
  seconds: number;
  engine: string;
  opening: OpeningAnswer | null;
  swap2: OpeningAnswer | null;
}

/** A search that plays. */
interface EngineInfo {
  name: string;
  summary: string;
  options: OptionInfo[];
  heuristics: boolean;
}

/** How exactly a player played where margins count: of so many turns, in how many that is proved, how many of those were best, what they gave away in all and each on average. */
interface Exactness {
  turns: number;
  proved: number;
  best: number;
  given_away: number;
  per_turn: number | null;
}

/** A position to show something by; its text has the key FAMILY.example.NAME. With a depth its tree is small enough to be looked at. */
interface ExampleInfo {
  family: string;
  name: string;
  game: string;
  moves: string;
  depth: number;
}

/** A picture or a record of a position. */
interface Export {
  game: string;
  start?: string | null;
  moves?: string;
  format: string;
  language?: "en" | "it" | "pt";
  resigned?: number | null;
  out_of_time?: boolean;
  fault?: string | null;
  players?: [string, string] | null;
}

/** What was wrong with a message, or with the work of that number. */
interface Failed {
  type: "error";
  error: string;
  id?: number;
}

/** A position to begin from that neither side wins, as `start` of a new game, and the exact score of every house. */
interface FairStartView {
  start: string;
  scores: Record<string, number>;
}

/** Those that come with the package. */
interface FairStarts {
  game: string;
  starts: FairStartView[];
}

/** A family of games. */
interface FamilyInfo {
  name: string;
  summary: string;
  grammar: string;
  example: string;
  names: string[];
  sample: [string, string[]];
  plugin: boolean;
  style: string;
  heuristic: string;
  family: string;
  sizes: number[];
  puzzles: PuzzlesInfo | null;
}

/** A plot. It has no style attributes, which the content policy forbids; its ink is currentColor, and it says what it shows. */
interface FigureView {
  title: string;
  svg: string;
  narrow: string;
}

/** Hear of every change of a game. */
interface Follow {
  type: "follow";
  game: string;
}

/** A game as one person sees it. */
interface Game {
  id: string;
  revision: number;
  turn: number;
  view: View;
  players: [PlayerView, PlayerView];
  yours: [boolean, boolean];
  present: [boolean | null, boolean | null];
  linked: boolean;
  watchable: boolean;
  open_seat: number | null;
  mover: number;
  over: boolean;
  result: string;
  ending: "fault" | "resignation" | "rules" | "time" | null;
  fault: string | null;
  opening: OpeningView | null;
  swap2: OpeningView | null;
  thinking: number | null;
  preparing: boolean;
  can: Can;
  unaided: boolean;
  undo_asked: number | null;
  paused: boolean;
  pace: number;
  clock: ClockView | null;
  answer: EngineAnswer | null;
  rematch: string | null;
  created: string;
  updated: string;
  trouble: string | null;
  invitation: string | null;
}

/** A followed game as it stands now. */
interface GameChanged {
  type: "game";
  game: Game;
}

/** A game. */
interface GameRequest {
  game: string;
}

/** A list of games. */
interface Games {
  games: Summary[];
  more: boolean;
}

/** Who is on the line. */
interface Hello {
  type: "hello";
  token: string;
}

/** A heuristic; `Offers` tells for which games. */
interface HeuristicInfo {
  name: string;
  summary: string;
}

/** What to play, and why. */
interface Hint {
  move: string;
  worth: WorthView | null;
  line: string[];
  reasons: ReasonView[];
  turn: TurnMove[];
}

/** An invitation to the open seat of a linked game. */
interface Join {
  invitation: string;
  nickname?: string | null;
}

/** A level of a game: what it is called as a player, its name if it has one, and its measured rating, if any, with the 95 % interval. */
interface LevelInfo {
  player: string;
  number: number;
  name: string;
  rating: number | null;
  low: number | null;
  high: number | null;
}

/** How a game against a level ended for the person: 1, 0.5 or 0. */
interface LevelResult {
  level: string;
  points: number;
}

/** A threat: whose and what it is, told in words; its marks, where it is carried out and what stops it, as cells. */
interface LineThreatView {
  player: number;
  kind: string;
  told: ReasonView;
  stones: [number, number][];
  at: [number, number][];
  stops: [number, number][];
  is_line: boolean;
}

/** What both sides threaten, the gravest first. */
interface LineThreats {
  threats: LineThreatView[];
}

/** An address that somebody's camera shall read. */
interface Link {
  text: string;
}

/** A move, or in an opening one of its choices, and the turn of the game that it answers. */
interface Move {
  move: string;
  turn: number;
}

/** A legal move and the cells on which a click means it, or all of them one after the other (`View.from_to`). */
interface MoveView {
  move: string;
  cells: [number, number][];
}

/** What a move is worth, the line after it, and why, where that is proved or can be read off the board. */
interface MoveWorth {
  player: number;
  chance: number;
  kind: "bound" | "estimate" | "exact" | "likely";
  result: "draw" | "loss" | "unknown" | "win";
  score: number | null;
  lower: number | null;
  upper: number | null;
  plies: number | null;
  heuristic: number | null;
  at: "least" | "most" | null;
  source: string;
  move: string;
  line: string[];
  reasons: ReasonView[];
  turn: TurnMove[];
  turns: number[];
}

/** A game to be played. */
interface NewGame {
  game: string;
  start?: string | null;
  moves?: string;
  players?: [string, string];
  linked?: boolean;
  side?: number;
  watchable?: boolean;
  clock?: ClockRequest | null;
  paused?: boolean;
  pace?: number;
  nicknames?: [string | null, string | null];
  opening?: string | null;
  swap2?: boolean;
}

/** A place in the tree. Its id counts from 0 in the order in which nodes came to be; those that were cut come last. */
interface TreeNode {
  id: number;
  parent: number | null;
  ply: number;
  mover: number;
  kind: "cut" | "end" | "inner" | "leaf";
  move?: string;
  board?: Diagram;
  value?: number;
  text?: string;
  bound?: "exact" | "lower" | "upper";
  alpha?: number;
  beta?: number;
  on_line?: boolean;
  cut_moves?: string[];
  player?: number;
  visits?: number;
  reward?: number;
  proof?: number;
  distance?: number;
}

/** What fits a game and is compiled, or can be: names of engines and of heuristics; and the levels, the weakest first. */
interface Offers {
  engines: string[];
  heuristics: string[];
  levels: string[];
  ladder: LevelInfo[];
}

/** What the book has of a position. It reaches to a `depth` in plies (discs on the board) or turns, of which this position has `here`; `last` is the number of moves to the last position whose moves are in it. */
interface Opening {
  book: string | null;
  unit: "ply" | "turn";
  depth: number;
  here: number | null;
  last: number;
  whole: WorthView | null;
  scores: MoveWorth[];
  best: string[];
}

/** What an engine did in an opening. */
interface OpeningAnswer {
  rule: string;
  did: string;
  stones: string[];
}

/** How far an opening has come. */
interface OpeningView {
  rule: string;
  stage: string;
  choices: string[];
  left: number;
}

/** An option of an engine. */
interface OptionInfo {
  name: string;
  kind: string;
  default: unknown;
}

/** Why no proof of a position is to be expected. */
interface OutOfReach {
  type: "out_of_reach";
  id: number;
  final: boolean;
  why: string;
}

/** What results against levels say of a person: null after too few games, and for games whose levels are not rated. */
interface OwnRating {
  rating: number | null;
  low: number | null;
  high: number | null;
  games: number;
}

/** A part of a study. */
interface PartView {
  title: string;
  figures: FigureView[];
  tables: TableView[];
}

/** Are you there? */
interface Ping {
  type: "ping";
}

/** Where the nodes stand: `x` and `y` of the middle of each upper edge, by the node's id. Levels lie `level` apart. They may be stretched, by adding as much to every `y` for each ply, and nothing will overlap. */
interface Places {
  x: number[];
  y: number[];
  widths: number[];
  heights: number[];
  stacked: number[];
  level: number;
  width: number;
  height: number;
  board: [number, number];
}

/** A player in the table. */
interface PlayerRow {
  player: number;
  name: string;
  elo: number;
  low: number;
  high: number;
  points: number;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  faults: number;
  moves: number;
  nodes: number;
  mean_seconds: number;
  longest_seconds: number;
}

/** Who sits on a side. */
interface PlayerView {
  name: string;
  human: boolean;
  engine: string | null;
  nickname: string | null;
}

/** Yes, I am here. */
interface Pong {
  type: "pong";
}

/** A position: a game, where it started, what was played. */
interface PositionRequest {
  game: string;
  start?: string | null;
  moves?: string;
}

/** What was wrong and what is allowed. */
interface Problem {
  error: string;
}

/** What was proved of a node: the margin for the player who moved into it, and the number of plies to the end. */
interface Proof {
  node: number;
  margin: number;
  distance: number;
}

/** The meaning of a value of a finished game. */
interface Proved {
  margin: number;
  plies: number;
}

/** The solution from here, and reasons for its first move. */
interface PuzzleHelp {
  line: string[];
  reasons: ReasonView[];
}

/** A move that is tried in it. */
interface PuzzleMove {
  game: string;
  start?: string | null;
  moves?: string;
  win_in?: number | null;
  kind?: string | null;
  played?: string[];
  move: string;
}

/** A puzzle, and what was played in it. */
interface PuzzleRequest {
  game: string;
  start?: string | null;
  moves?: string;
  win_in?: number | null;
  kind?: string | null;
  played?: string[];
}

/** A puzzle without its solution: its goal by the name that the game has for it, what is to be done in words, and its grade, 1 (easy) to 5 (hard). */
interface PuzzleView {
  game: string;
  moves: string;
  grade: number;
  task: ReasonView;
  win_in: number | null;
  kind: string | null;
}

/** Puzzles with a goal. */
interface Puzzles {
  game: string;
  puzzles: PuzzleView[];
  win_in: number | null;
  kind: string | null;
}

/** What puzzles a game has: the board that is offered first, what requests call a goal (win_in for numbers, kind for words), the goals, and the stem of their texts. */
interface PuzzlesInfo {
  game: string;
  option: string;
  goals: (number | string)[];
  texts: string;
}

/** Puzzles with a goal: the mover wins with so many moves of his own, or a kind of puzzle that the game has. Without a game it is the first that has puzzles with such goals. */
interface PuzzlesRequest {
  game?: string | null;
  win_in?: number | null;
  kind?: string | null;
}

/** The quick study that this server runs, or the last one that it ran. */
interface QuickRunView {
  study: string;
  state: "cancelled" | "done" | "failed" | "idle" | "running";
  done: number;
  total: number;
  failed: number;
  seconds: number;
  left: number | null;
  error: string;
  yours: boolean;
}

/** A study to be run quickly, by its name. */
interface QuickStudyRequest {
  study: string;
}

/** Why a move is good: a key of the words, its values, and the text in English. */
interface ReasonView {
  key: string;
  values: Record<string, string | number>;
  text: string;
  cells: [number, number][];
}

/** A game that somebody pasted, in any form; what names no game is of the one that is open. */
interface RecordText {
  text: string;
  game?: string | null;
  start?: string | null;
}

/** A game that was pasted. */
interface RecordView {
  game: string;
  start: string | null;
  moves: string;
  result: string;
  tags: Record<string, string>;
  view: View;
  games: number;
}

/** Records of many games, one after the other. */
interface Records {
  text: string;
}

/** Results of a person against the levels of a game. */
interface ResultsRequest {
  game: string;
  results: LevelResult[];
}

/** Grade every move of a game. */
interface ReviewGame {
  type: "review";
  game: string;
  start?: string | null;
  moves?: string;
  id: number;
  seconds?: number | null;
}

/** A review as far as it has come. */
interface ReviewUpdate {
  type: "review";
  id: number;
  final: boolean;
  done: number;
  total: number;
  review: ReviewView;
}

/** A game that was looked at again: the first player's chances before move 1, after move 1, …; null where not yet known. Where margins count it is told by turns, too, with the first player's exact margins in the places of the chances; null where they are not proved. `margin_texts` is the stem of what is said of margins, in the game's own unit. */
interface ReviewView {
  moves: ReviewedMove[];
  chances: (number | null)[];
  accuracy: [number | null, number | null];
  turning_point: number | null;
  engine: string;
  turns: ReviewedTurn[];
  margins: (number | null)[];
  exactness: [Exactness | null, Exactness | null];
  margin_texts: string;
}

/** A move that was looked at again; its grade is null until it is known. */
interface ReviewedMove {
  ply: number;
  player: number;
  move: string;
  grade: "best" | "blunder" | "good" | "inaccuracy" | "mistake" | null;
  worth: WorthView | null;
  best: string;
  best_worth: WorthView | null;
  line: string[];
  loss: number;
  turned: [string, string] | null;
  refutation: string[];
  reasons: ReasonView[];
  best_turn: string[];
  given_away: number | null;
}

/** A turn that was looked at again, where margins count: moves of one player in a row, `first` and `last` their plies. The exact margins `before` and `after` it are its player's, and what it gave away is their difference; null where they are not proved. */
interface ReviewedTurn {
  number: number;
  player: number;
  first: number;
  last: number;
  moves: string[];
  grade: "best" | "blunder" | "good" | "inaccuracy" | "mistake" | null;
  before: number | null;
  after: number | null;
  given_away: number | null;
  best: string[];
  line: string[];
  refutation: string[];
  turned: [string, string] | null;
  reasons: ReasonView[];
}

/** The engine's score of the root. */
interface RootScore {
  value: number;
  kind: string;
  result: string;
  plies: number | null;
  player: number;
  text: string;
}

/** A position that shows a rule, and the cells to point at. */
interface RulesFigure {
  view: View;
  caption: string;
  cells: [number, number][];
}

/** How a game is played. */
interface RulesOfGame {
  title: string;
  sections: RulesSection[];
}

/** A game whose rules are asked for, and the language to tell them in. */
interface RulesRequest {
  game: string;
  language?: "en" | "it" | "pt";
}

/** A rule. */
interface RulesSection {
  heading: string;
  text: string;
  figures: RulesFigure[];
}

/** What lies on a board of houses: in the houses of the upper row and the lower, both from the left; in the first player's store and the second's. */
interface Seeds {
  houses: number[][];
  stores: [number, number];
}

/** Seeds in houses, the upper row and the lower from the left, and in the stores of the first player and the second. */
interface SeedsRequest {
  houses: number[][];
  stores: [number, number];
}

/** Prove the score of every move: bounds stream out until they meet. */
interface Solve {
  type: "solve";
  game: string;
  start?: string | null;
  moves?: string;
  id: number;
  seconds?: number;
}

/** Prove the score of every move, within some seconds. */
interface SolveRequest {
  game: string;
  start?: string | null;
  moves?: string;
  seconds?: number;
}

/** A proof as far as it has come. */
interface SolveUpdate {
  type: "solve";
  whole: WorthView;
  scores: MoveWorth[];
  best: string[];
  line: string[];
  nodes: number;
  seconds: number;
  done: boolean;
  id: number;
  final: boolean;
  game: string;
  moves: string;
}

/** What is proved of a position and of every move, the best first. */
interface Solved {
  whole: WorthView;
  scores: MoveWorth[];
  best: string[];
  line: string[];
  nodes: number;
  seconds: number;
  done: boolean;
}

/** One thing that happens during a move. */
interface StepView {
  kind: "capture" | "lift" | "sow" | "sweep";
  cells: [number, number][];
  board: Seeds;
  seeds: number;
  hand: number;
}

/** What happens during a move, one thing after the other; nothing in games that do not tell. */
interface Steps {
  steps: StepView[];
}

/** A position and a move to be watched. */
interface StepsRequest {
  game: string;
  start?: string | null;
  moves?: string;
  move: string;
}

/** End an analysis, a proof or a review. */
interface StopWork {
  type: "stop";
  id: number;
}

/** All studies, as the report that comes with the package has them. */
interface Studies {
  studies: StudySummary[];
  claims: ClaimView[];
  how_to_read: string;
  limitations: [string, string][];
  facts: [string, string][];
  quick: Record<string, string>;
}

/** A study in the list. */
interface StudySummary {
  name: string;
  title: string;
  question: string;
  source: string;
  state: "full" | "none" | "partial" | "quick";
  done: number;
  total: number;
  stale: number;
  answer: string;
  measured: string;
}

/** A study with its data: those of the report, or of a quick run on this computer. */
interface StudyView {
  summary: StudySummary;
  data: "quick" | "report";
  finding: string[];
  parts: PartView[];
  claims: ClaimView[];
  about: string;
  command: string;
  failures: string[];
  quick: string;
}

/** A game in a list. */
interface Summary {
  id: string;
  game: string;
  players: [string, string];
  yours: [boolean, boolean];
  moves: number;
  over: boolean;
  result: string;
  created: string;
  updated: string;
  linked: boolean;
  open_seat: number | null;
  unreadable: string | null;
  nicknames: [string | null, string | null];
  ending: "fault" | "resignation" | "rules" | "time" | null;
  terminal: boolean;
}

/** A table, all texts. */
interface TableView {
  title: string;
  note: string;
  head: string[];
  numeric: boolean[];
  rows: string[][];
}

/** How many games were taken in. */
interface TakenIn {
  games: number;
}

/** A game of a tournament. */
interface TournamentGame {
  place: string;
  game: string;
  first: string;
  second: string;
  result: string;
  ending: string;
  fault: string;
  plies: number;
  finished: string;
}

/** Games of a tournament, the latest first. */
interface TournamentGames {
  games: TournamentGame[];
  more: number;
}

/** A game of a tournament with its moves. */
interface TournamentRecord {
  about: TournamentGame;
  moves: string;
}

/** A tournament in a list. */
interface TournamentSummary {
  name: string;
  games: string[];
  format: string;
  players: number;
  played: number;
  total: number;
  updated: string;
  going: boolean;
}

/** A tournament as it stands. */
interface TournamentView {
  summary: TournamentSummary;
  names: string[];
  rows: PlayerRow[];
  cross: [number, number, number][][];
  games_each: number;
  rounds: number;
  clock: [number, number] | null;
  adjudicate: number | null;
  draw_share: number;
  failures: number;
}

/** All tournaments, the latest first. */
interface Tournaments {
  tournaments: TournamentSummary[];
}

/** The same as a file. */
interface TraceExport {
  game: string;
  start?: string | null;
  moves?: string;
  algorithm?: "alphabeta" | "mcts" | "minimax";
  depth?: number;
  iterations?: number;
  heuristic?: string;
  exploration?: number;
  seed?: number;
  format: "dot" | "json" | "svg";
}

/** A small search to be shown step by step. */
interface TraceRequest {
  game: string;
  start?: string | null;
  moves?: string;
  algorithm?: "alphabeta" | "mcts" | "minimax";
  depth?: number;
  iterations?: number;
  heuristic?: string;
  exploration?: number;
  seed?: number;
}

/** One thing that the search did. enter: it came to `node` with the window. value: `node` handed `value` up. update: `child` gave `node` a better `value`, and raised alpha if `raises`. cut: `value` reached beta, so `node` was left and the nodes `skipped` never entered. Monte-Carlo search: select: of the `choices` at `node` it went to `child`. expand: `child` was added below `node`. playout: from `node` the `moves` were played at random and the first player got `result` (1, 0.5, 0); no moves where the game had ended. backup: the `counts` of the path. proof: the `proofs` that followed. */
interface TraceStep {
  event: "backup" | "cut" | "enter" | "expand" | "playout" | "proof" | "select" | "update" | "value";
  node: number;
  child?: number;
  value?: number;
  alpha?: number;
  beta?: number;
  raises?: boolean;
  skipped?: number[];
  moves?: string[];
  result?: number;
  board?: Diagram;
  choices?: Choice[];
  counts?: Count[];
  proofs?: Proof[];
  iteration?: number;
}

/** The tree of a search, and every step of the walk. */
interface Tree {
  algorithm: "alphabeta" | "mcts" | "minimax";
  game: string;
  start: string | null;
  played: string[];
  style: string;
  rows: number;
  columns: number;
  row_labels: string[];
  column_labels: string[];
  players: [string, string];
  mover: number;
  graded: boolean;
  depth: number;
  iterations: number | null;
  heuristic: string | null;
  exploration: number | null;
  seed: number | null;
  nodes: number;
  evaluations: number;
  cutoffs: number;
  cut_moves: number;
  best: string;
  line: string[];
  value: number | null;
  score: RootScore | null;
  infinity: number;
  proved: Record<string, Proved>;
  limit: number;
  nodes_list: TreeNode[];
  steps: TraceStep[];
  places: Places[];
}

/** What the solver says of a move in a puzzle; `line` refutes a wrong one, turn by turn in `turns`. `left` is the number of moves for the win, where moves are counted. */
interface Tried {
  move: string;
  worth: WorthView;
  right: boolean;
  solved: boolean;
  left: number | null;
  reply: string | null;
  after: View;
  answered: View;
  line: string[];
  turns: string[][];
  said: ReasonView[];
}

/** One move of a turn on the board. */
interface TurnMove {
  move: string;
  way: [number, number][];
  taken: [number, number][];
  captured: number;
  again: boolean;
}

/** No more. */
interface Unfollow {
  type: "unfollow";
  game: string;
}

/** A position for drawing. */
interface View {
  game: string;
  style: string;
  rows: number;
  columns: number;
  cells: number[][];
  row_labels: string[];
  column_labels: string[];
  marked: [number, number][];
  last: [number, number][];
  way: [number, number][];
  players: [string, string];
  mover: number;
  start: string | null;
  played: string[];
  movers: number[];
  moves: MoveView[];
  over: boolean;
  result: string;
  seeds: Seeds | null;
  graded: boolean;
  from_to: boolean;
  noun: string;
  solver: boolean;
  book: boolean;
  puzzles: boolean;
  fair: boolean;
  editor: boolean;
  tells_mover: boolean;
  openings: string[];
  swap2: boolean;
  files: string[];
  threats: boolean;
  legend: string[];
}

/** What a position or a move is worth to a player. */
interface WorthView {
  player: number;
  chance: number;
  kind: "bound" | "estimate" | "exact" | "likely";
  result: "draw" | "loss" | "unknown" | "win";
  score: number | null;
  lower: number | null;
  upper: number | null;
  plies: number | null;
  heuristic: number | null;
  at: "least" | "most" | null;
  source: string;
}

type SocketRequest = Hello | Follow | Unfollow | Analyse | Solve | ReviewGame | StopWork | Ping;

type SocketAnswer = GameChanged | AnalysisUpdate | SolveUpdate | OutOfReach | ReviewUpdate | CompilerProgress | Failed | Pong;

/** What can be asked of the server. */
interface Api {
  file(path: `think/export`, body: TraceExport): Promise<Blob>;
  file(path: `export`, body: Export): Promise<Blob>;
  file(path: `qr`, body: Link): Promise<Blob>;
  file(path: `records` | `records?${string}`): Promise<Blob>;
  get(path: `tournaments/${string}/games/${string}`): Promise<TournamentRecord>;
  get(path: `tournaments/${string}/games` | `tournaments/${string}/games?${string}`): Promise<TournamentGames>;
  get(path: `games/${string}`): Promise<Game>;
  get(path: `studies/${string}` | `studies/${string}?${string}`): Promise<StudyView>;
  get(path: `tournaments/${string}`): Promise<TournamentView>;
  get(path: `words/${string}`): Promise<Record<string, string>>;
  get(path: `addresses`): Promise<Addresses>;
  get(path: `catalogue`): Promise<Catalogue>;
  get(path: `games` | `games?${string}`): Promise<Games>;
  get(path: `quick-study`): Promise<QuickRunView>;
  get(path: `studies`): Promise<Studies>;
  get(path: `tournaments`): Promise<Tournaments>;
  post(path: `games/${string}/actions`, body: Action): Promise<Game>;
  post(path: `games/${string}/hint`): Promise<Hint>;
  post(path: `games/${string}/join`, body: Join): Promise<Game>;
  post(path: `games/${string}/moves`, body: Move): Promise<Game>;
  post(path: `puzzles/help`, body: PuzzleRequest): Promise<PuzzleHelp>;
  post(path: `puzzles/try`, body: PuzzleMove): Promise<Tried>;
  post(path: `book`, body: PositionRequest): Promise<Opening>;
  post(path: `edit`, body: EditRequest): Promise<Edited>;
  post(path: `fair`, body: GameRequest): Promise<FairStarts>;
  post(path: `games`, body: NewGame): Promise<Game>;
  post(path: `hint`, body: PositionRequest): Promise<Hint>;
  post(path: `look`, body: PositionRequest): Promise<View>;
  post(path: `offers`, body: GameRequest): Promise<Offers>;
  post(path: `own-rating`, body: ResultsRequest): Promise<OwnRating>;
  post(path: `puzzles`, body: PuzzlesRequest): Promise<Puzzles>;
  post(path: `quick-study`, body: QuickStudyRequest): Promise<QuickRunView>;
  post(path: `record`, body: RecordText): Promise<RecordView>;
  post(path: `records`, body: Records): Promise<TakenIn>;
  post(path: `rules`, body: RulesRequest): Promise<RulesOfGame>;
  post(path: `solve`, body: SolveRequest): Promise<Solved>;
  post(path: `steps`, body: StepsRequest): Promise<Steps>;
  post(path: `think`, body: TraceRequest): Promise<Tree>;
  post(path: `threats`, body: PositionRequest): Promise<LineThreats>;
  remove(path: `games/${string}`): Promise<void>;
  remove(path: `quick-study`): Promise<void>;
}
