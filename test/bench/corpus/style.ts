/** How the sessions of a corpus write. Each shape of corpus has its own style. */
export interface Style {
  /** Spread of file sizes. 0: all the same. */
  spread: number;
  /** Length of tool results relative to an ordinary day. */
  results: number;
  /** Probabilities per model reply, tool result, file or turn. */
  thinking: number;
  images: number;
  subAgents: number;
  copies: number;
  compacts: number;
  /** Lines per turn that are neither a prompt nor a reply. */
  notes: number;
  keyOrders: readonly [KeyOrder, ...KeyOrder[]];
  /** Maximum number of model replies to one prompt. */
  steps: number;
}

/** `client`: as Claude Code writes it. `contentLast`: usage before content. `sorted`: keys sorted. `spaced`: spaces after colons and commas. */
export type KeyOrder = 'client' | 'contentLast' | 'sorted' | 'spaced';

export const ORDINARY: Style = {
  spread: 2,
  results: 1,
  thinking: 0.25,
  images: 0,
  subAgents: 0.3,
  copies: 0.06,
  compacts: 0,
  notes: 0,
  keyOrders: ['client'],
  steps: 14,
};

export interface Shape {
  name: string;
  bytes: number;
  files: number;
  days?: number;
  style: Style;
}

/** Transcripts of six kinds of work. */
export const SHAPES: readonly Shape[] = [
  {
    name: 'ordinary days',
    bytes: 1000e6,
    files: 800,
    style: { ...ORDINARY, images: 0.01, compacts: 0.02, notes: 0.5 },
  },
  {
    name: 'long results and images',
    bytes: 600e6,
    files: 200,
    style: { ...ORDINARY, results: 6, images: 0.15, notes: 0.3 },
  },
  {
    name: 'many short answers, thinking, subagents',
    bytes: 300e6,
    files: 1500,
    style: { ...ORDINARY, results: 0.15, thinking: 0.8, subAgents: 0.7, notes: 1 },
  },
  {
    name: 'other key orders',
    bytes: 300e6,
    files: 300,
    style: { ...ORDINARY, keyOrders: ['client', 'contentLast', 'sorted', 'spaced'], notes: 0.5 },
  },
  {
    name: 'resumed and compacted sessions',
    bytes: 400e6,
    files: 400,
    style: { ...ORDINARY, copies: 0.6, compacts: 0.3, notes: 1 },
  },
  {
    name: '5,000 files of all sizes',
    bytes: 600e6,
    files: 5000,
    style: { ...ORDINARY, spread: 6, images: 0.01, compacts: 0.02, notes: 0.5 },
  },
  {
    name: '50,000 tiny files',
    bytes: 100e6,
    files: 50_000,
    style: { ...ORDINARY, spread: 0.5, results: 0.02, thinking: 0, subAgents: 0.5, copies: 0, steps: 2 },
  },
];
