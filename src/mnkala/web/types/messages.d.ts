// The server's messages, which are described where they are defined (mnkala/web/messages.py and requests.py). Do not edit: this is made of the
// OpenAPI description by `python -m tests.page_types`.

interface Accuracy {
  turns: number;
  proved: number;
  best: number;
  given_away: number;
}

interface Action {
  action: "decline" | "decline_draw" | "draw" | "helped" | "pace" | "pause" | "redo" | "rematch" | "rename" | "resign" | "resume" | "step" | "undo";
  seconds?: number;
  nickname?: string | null;
}

interface Addresses {
  addresses: string[];
  loopback: boolean;
  command: string;
  opened: boolean;
  can_open: boolean;
}

interface Analyse {
  type: "analyse";
  game: string;
  start?: string | null;
  moves?: string;
  id: number;
  engine?: string;
  seconds?: number;
}

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
  proved: number | null;
  out_of_reach: Problem | null;
}

interface BriefView {
  report: string;
  words: string;
  study: string;
  title: string;
  values: Record<string, number>;
  claims: number;
  confirmed: number;
  figure: FigureView | null;
}

interface Can {
  move: boolean;
  undo: boolean;
  redo: boolean;
  resign: boolean;
  hint: boolean;
  rematch: boolean;
  draw: boolean;
}

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

interface Choice {
  node: number;
  visits: number;
  share: number;
  bound?: number;
}

interface ClaimView {
  report: string;
  study: string;
  says: string;
  verdict: "not decidable" | "not measured" | "refuted" | "reproduced";
  evidence: string;
}

interface ClockRequest {
  seconds: number;
  increment: number;
}

interface ClockView {
  seconds: number;
  increment: number;
  left: [number, number];
  running: number | null;
}

interface CompilerProgress {
  type: "compiling";
  busy: boolean;
  compiling: string;
  waiting: boolean;
  seconds: number;
  done: number;
  total: number;
}

interface Count {
  node: number;
  visits: number;
  reward: number;
}

interface CourseView {
  game: string;
  lessons: LessonView[];
}

interface Courses {
  courses: CourseView[];
}

interface Diagram {
  rows: string[];
  marked?: [number, number][];
  last?: [number, number][];
  houses?: number[][];
  stores?: [number, number];
}

interface EditRequest {
  game: string;
  cells: number[][];
  seeds?: SeedsRequest | null;
  mover?: number | null;
}

interface Edited {
  literal: string | null;
  view: View | null;
  reasons: ReasonView[];
}

interface EngineAnswer {
  move: string;
  worth: WorthView | null;
  depth: number;
  nodes: number;
  seconds: number;
  engine: string;
  opening: OpeningAnswer | null;
}

interface EngineInfo {
  name: string;
  summary: string;
  options: OptionInfo[];
  heuristics: boolean;
}

interface ExampleInfo {
  family: string;
  name: string;
  game: string;
  moves: string;
  depth: number;
}

interface Export {
  game: string;
  start?: string | null;
  moves?: string;
  format: string;
  language?: "en" | "it" | "pt";
  resigned?: number | null;
  agreed?: boolean;
  out_of_time?: boolean;
  fault?: string | null;
  players?: [string, string] | null;
}

interface Failed {
  type: "error";
  error: string;
  id?: number;
  key?: string;
  values?: Record<string, string | number>;
}

interface FairStart {
  game: string;
  literal: string;
  scores: Record<string, number>;
}

interface FairStarts {
  game: string;
  starts: FairStart[];
}

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

interface FigureView {
  title: string;
  svg: string;
  narrow: string;
}

interface Follow {
  type: "follow";
  game: string;
}

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
  ending: "agreement" | "fault" | "resignation" | "rules" | "time" | null;
  fault: string | null;
  opening: OpeningView | null;
  thinking: number | null;
  preparing: boolean;
  can: Can;
  unaided: boolean;
  undo_asked: number | null;
  draw_asked: number | null;
  paused: boolean;
  pace: number;
  clock: ClockView | null;
  answer: EngineAnswer | null;
  rematch: string | null;
  created: string;
  updated: string;
  trouble: Problem | null;
  invitation: string | null;
}

interface GameChanged {
  type: "game";
  game: Game;
}

interface GameReport {
  game: string;
  reviewed: number;
  kinds: KindReport[];
}

interface GameRequest {
  game: string;
}

interface Games {
  games: Summary[];
  more: boolean;
}

interface Hello {
  type: "hello";
  token: string;
}

interface HeuristicInfo {
  name: string;
  summary: string;
}

interface Hint {
  move: string;
  worth: WorthView | null;
  line: string[];
  reasons: ReasonView[];
  turn: TurnMove[];
}

interface Join {
  invitation: string;
  nickname?: string | null;
}

interface KindReport {
  kind: string;
  count: number;
  games: number;
  proved: number;
  by_game: number[];
  change: "few" | "fewer" | "more" | "none";
  places: MistakePlace[];
}

interface LessonMove {
  game: string;
  lesson: string;
  played?: string[];
  move: string;
}

interface LessonRequest {
  game: string;
  lesson: string;
  played?: string[];
}

interface LessonView {
  name: string;
  title: string;
  text: string;
  task: string;
  right: string;
  start: string | null;
  moves: string;
  cells: [number, number][];
  learned: boolean;
}

interface Level {
  number: number;
  name: string;
  engine: string;
  rating: number | null;
  low: number | null;
  high: number | null;
  exact_from: [string, number] | null;
}

interface LevelResult {
  level: string;
  points: number;
}

interface LineThreatView {
  player: number;
  kind: string;
  told: ReasonView;
  stones: [number, number][];
  at: [number, number][];
  stops: [number, number][];
  is_line: boolean;
}

interface LineThreats {
  threats: LineThreatView[];
}

interface Link {
  text: string;
}

interface Mistake {
  first: number;
  last: number;
  player: number;
  kind: string;
  grade: "best" | "blunder" | "good" | "inaccuracy" | "mistake";
  proved: boolean;
  cost: number;
}

interface MistakePlace {
  id: string;
  game: string;
  updated: string;
  mistake: Mistake;
  judge: string;
}

interface MistakeReport {
  total: number;
  open: number;
  games: GameReport[];
}

interface MistakesView {
  report: MistakeReport;
  running: boolean;
  done: number;
  todo: number;
  trouble: Problem | null;
}

interface Move {
  move: string;
  turn: number;
}

interface MoveView {
  move: string;
  cells: [number, number][];
}

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
  words: ReasonView;
  short: ReasonView;
  board: ReasonView;
  detail: ReasonView | null;
  move: string;
  line: string[];
  reasons: ReasonView[];
  turn: TurnMove[];
  turns: number[];
}

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
}

interface NewTournament {
  game: string;
  players: string[];
  games_each?: number;
  nodes?: number | null;
  seconds?: number | null;
}

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

interface Offers {
  engines: string[];
  heuristics: string[];
  levels: string[];
  ladder: Level[];
}

interface OpenNetwork {
  open: boolean;
}

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

interface OpeningAnswer {
  rule: string;
  did: string;
  stones: string[];
}

interface OpeningView {
  rule: string;
  stage: string;
  choices: string[];
  left: number;
}

interface OptionInfo {
  name: string;
  kind: string;
  default: unknown;
}

interface OwnRating {
  rating: number | null;
  low: number | null;
  high: number | null;
  games: number;
}

interface PartView {
  title: string;
  figures: FigureView[];
  tables: Table[];
}

interface PickRequest {
  pick: "daily" | "mixed" | "similar";
  game?: string | null;
  mistake?: string | null;
  date?: string | null;
  day?: string | null;
  count?: number;
}

interface Ping {
  type: "ping";
}

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

interface PlayerView {
  name: string;
  human: boolean;
  engine: string | null;
  nickname: string | null;
}

interface Pong {
  type: "pong";
}

interface PositionRequest {
  game: string;
  start?: string | null;
  moves?: string;
}

interface Problem {
  error: string;
  key: string;
  values: Record<string, string | number | Problem>;
}

interface Proof {
  node: number;
  margin: number;
  distance: number;
}

interface Proved {
  margin: number;
  plies: number;
  moves: number | null;
  words: Words;
}

interface PuzzleHelp {
  line: string[];
  reasons: ReasonView[];
  area: [number, number][];
  idea: ReasonView | null;
}

interface PuzzleMove {
  game: string;
  start?: string | null;
  moves?: string;
  win_in?: number | null;
  kind?: string | null;
  played?: string[];
  day?: string | null;
  move: string;
  helped?: boolean;
  everywhere?: boolean;
}

interface PuzzleProgress {
  rating: number | null;
  low: number | null;
  high: number | null;
  tried: number;
  solved: number;
  streak: number;
  today: boolean;
}

interface PuzzleRequest {
  game: string;
  start?: string | null;
  moves?: string;
  win_in?: number | null;
  kind?: string | null;
  played?: string[];
  day?: string | null;
}

interface PuzzleView {
  game: string;
  moves: string;
  grade: number;
  task: ReasonView;
  number: number;
  total: number;
  rating: number;
  state: "" | "alone" | "helped" | "tried";
  win_in: number | null;
  kind: string | null;
}

interface Puzzles {
  game: string;
  puzzles: PuzzleView[];
  progress: PuzzleProgress;
  at: number | null;
}

interface PuzzlesInfo {
  game: string;
  option: string;
  goals: (number | string)[];
  texts: string;
}

interface PuzzlesRequest {
  game?: string | null;
  win_in?: number | null;
  kind?: string | null;
  moves?: string | null;
  day?: string | null;
}

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

interface QuickStudyRequest {
  study: string;
}

interface ReasonView {
  key: string;
  values: Record<string, string | number>;
  text: string;
  cells: [number, number][];
}

interface RecordText {
  text: string;
  game?: string | null;
  start?: string | null;
}

interface RecordView {
  game: string;
  start: string | null;
  moves: string;
  result: string;
  tags: Record<string, string>;
  view: View;
  games: number;
}

interface Records {
  text: string;
}

interface ResultsRequest {
  game: string;
  results: LevelResult[];
}

interface ReviewGame {
  type: "review";
  game: string;
  start?: string | null;
  moves?: string;
  id: number;
  seconds?: number | null;
}

interface ReviewUpdate {
  type: "review";
  id: number;
  final: boolean;
  done: number;
  total: number;
  review: ReviewView;
}

interface ReviewView {
  moves: ReviewedMove[];
  chances: (number | null)[];
  accuracy: [number | null, number | null];
  turning_point: number | null;
  mistakes: Mistake[];
  engine: string;
  turns: ReviewedTurn[];
  margins: (number | null)[];
  exactness: [Accuracy | null, Accuracy | null];
  margin_texts: string;
}

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

interface RootScore {
  value: number;
  kind: string;
  result: string;
  plies: number | null;
  player: number;
  text: string;
}

interface RulesFigure {
  view: View;
  caption: string;
  cells: [number, number][];
}

interface RulesOfGame {
  title: string;
  sections: RulesSection[];
}

interface RulesRequest {
  game: string;
  language?: "en" | "it" | "pt";
}

interface RulesSection {
  heading: string;
  text: string;
  figures: RulesFigure[];
}

interface Seeds {
  houses: number[][];
  stores: [number, number];
}

interface SeedsRequest {
  houses: number[][];
  stores: [number, number];
}

interface SeriesResult {
  wins: number;
  draws: number;
  losses: number;
  pairs: number[];
}

interface SolveRequest {
  game: string;
  start?: string | null;
  moves?: string;
  seconds?: number;
}

interface Solved {
  whole: WorthView;
  scores: MoveWorth[];
  best: string[];
  line: string[];
  nodes: number;
  seconds: number;
  done: boolean;
}

interface SolvedPuzzles {
  solved: Record<string, "alone" | "helped">;
}

interface Spent {
  moves: number;
  nodes: number;
  seconds: number;
  longest: number;
}

interface StepView {
  kind: "capture" | "lift" | "sow" | "sweep";
  cells: [number, number][];
  board: Seeds;
  seeds: number;
  hand: number;
}

interface Steps {
  steps: StepView[];
}

interface StepsRequest {
  game: string;
  start?: string | null;
  moves?: string;
  move: string;
}

interface StopWork {
  type: "stop";
  id: number;
}

interface Studies {
  briefs: BriefView[];
  studies: StudySummary[];
  claims: ClaimView[];
  how_to_read: string;
  limitations: [string, string][];
  facts: [string, string][];
  quick: Record<string, string>;
}

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
  unreadable: Problem | null;
  nicknames: [string | null, string | null];
  ending: "agreement" | "fault" | "resignation" | "rules" | "time" | null;
  terminal: boolean;
}

interface Table {
  title: string;
  head: string[];
  rows: string[][];
  numeric: boolean[];
  note: string;
}

interface TableRow {
  player: number;
  name: string;
  result: SeriesResult;
  elo: number;
  low: number;
  high: number;
  faults: number;
  spent: Spent;
}

interface TakenIn {
  games: number;
}

interface TournamentAction {
  action: "resume" | "stop";
}

interface TournamentBoard {
  place: string;
  first: string;
  second: string;
  moves: string;
  view: View;
}

interface TournamentForecast {
  games: number;
  seconds: number;
  plies: number;
  at_once: number;
  longest: number;
}

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

interface TournamentGames {
  games: TournamentGame[];
  more: number;
}

interface TournamentRecord {
  about: TournamentGame;
  moves: string;
}

interface TournamentSummary {
  name: string;
  games: string[];
  format: string;
  usual_name: boolean;
  players: string[];
  played: number;
  total: number;
  updated: string;
  state: "failed" | "over" | "running" | "stopped" | "waiting";
  ahead: number;
  left: number | null;
  error: string;
  here: boolean;
  yours: boolean;
}

interface TournamentView {
  summary: TournamentSummary;
  names: string[];
  rows: TableRow[];
  cross: SeriesResult[][];
  games_each: number;
  rounds: number;
  clock: [number, number] | null;
  adjudicate: number | null;
  draw_share: number;
  failures: number;
  playing: TournamentBoard[];
}

interface Tournaments {
  tournaments: TournamentSummary[];
}

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
  noun: string;
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
  refutation: string[];
  said: ReasonView[];
  why: ReasonView[];
  progress: PuzzleProgress | null;
}

interface TurnMove {
  move: string;
  way: [number, number][];
  taken: [number, number][];
  captured: number;
  again: boolean;
}

interface Unfollow {
  type: "unfollow";
  game: string;
}

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
  files: string[];
  threats: boolean;
  legend: string[];
}

interface Words {
  key: string;
  values: Record<string, string | number>;
  text: string;
}

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
  words: ReasonView;
  short: ReasonView;
  board: ReasonView;
  detail: ReasonView | null;
}

type SocketRequest = Hello | Follow | Unfollow | Analyse | ReviewGame | StopWork | Ping;

type SocketAnswer = GameChanged | AnalysisUpdate | ReviewUpdate | CompilerProgress | Failed | Pong;

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
  get(path: `lessons` | `lessons?${string}`): Promise<Courses>;
  get(path: `mistakes`): Promise<MistakesView>;
  get(path: `quick-study`): Promise<QuickRunView>;
  get(path: `studies`): Promise<Studies>;
  get(path: `tournaments`): Promise<Tournaments>;
  post(path: `games/${string}/actions`, body: Action): Promise<Game>;
  post(path: `games/${string}/hint`): Promise<Hint>;
  post(path: `games/${string}/join`, body: Join): Promise<Game>;
  post(path: `games/${string}/moves`, body: Move): Promise<Game>;
  post(path: `tournaments/${string}/actions`, body: TournamentAction): Promise<TournamentView>;
  post(path: `lessons/help`, body: LessonRequest): Promise<PuzzleHelp>;
  post(path: `lessons/try`, body: LessonMove): Promise<Tried>;
  post(path: `puzzles/help`, body: PuzzleRequest): Promise<PuzzleHelp>;
  post(path: `puzzles/pick`, body: PickRequest): Promise<Puzzles>;
  post(path: `puzzles/solved`, body: SolvedPuzzles): Promise<TakenIn>;
  post(path: `puzzles/try`, body: PuzzleMove): Promise<Tried>;
  post(path: `tournaments/forecast`, body: NewTournament): Promise<TournamentForecast>;
  post(path: `book`, body: PositionRequest): Promise<Opening>;
  post(path: `edit`, body: EditRequest): Promise<Edited>;
  post(path: `fair`, body: GameRequest): Promise<FairStarts>;
  post(path: `games`, body: NewGame): Promise<Game>;
  post(path: `hint`, body: PositionRequest): Promise<Hint>;
  post(path: `look`, body: PositionRequest): Promise<View>;
  post(path: `mistakes`): Promise<MistakesView>;
  post(path: `network`, body: OpenNetwork): Promise<Addresses>;
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
  post(path: `tournaments`, body: NewTournament): Promise<TournamentView>;
  remove(path: `games/${string}`): Promise<void>;
  remove(path: `tournaments/${string}`): Promise<void>;
  remove(path: `mistakes`): Promise<void>;
  remove(path: `quick-study`): Promise<void>;
}
