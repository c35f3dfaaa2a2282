import type { Random } from './random.ts';

/** Simulated sessions use a home that does not exist, so that nothing reads a real transcript. */
export const HOME_OF_NOBODY = '/nonexistent/home';

export interface ToolCall {
  name: string;
  id: string;
  input: Record<string, unknown>;
  result: unknown;
  /** Whether the client asks the person first. */
  asks: boolean;
}

type Sample = (random: Random) => Omit<ToolCall, 'id'>;

const FILES = ['src/index.ts', 'src/cli/main.ts', 'README.md', 'test/index.test.ts', 'package.json'] as const;

const bash: Sample = (random) => ({
  name: 'Bash',
  input: {
    command: random.pick(['npm test', 'git status --short', 'ls -la src', 'npm run build', 'rg "TODO" src']),
    description: 'Run a command',
  },
  result: { stdout: 'ok\n'.repeat(random.integer(1, 200)), stderr: '', interrupted: false, isImage: false },
  asks: random.chance(0.2),
});

const read: Sample = (random) => {
  const file_path = random.pick(FILES);
  const content = 'const answer = 42;\n'.repeat(random.integer(5, 300));
  return {
    name: 'Read',
    input: { file_path },
    result: { type: 'text', file: { filePath: file_path, content } },
    asks: false,
  };
};

const edit: Sample = (random) => ({
  name: 'Edit',
  input: { file_path: random.pick(FILES), old_string: 'answer = 42', new_string: 'answer = 43', replace_all: false },
  result: { oldString: 'answer = 42', newString: 'answer = 43', userModified: false, replaceAll: false },
  asks: random.chance(0.5),
});

const write: Sample = (random) => {
  const content = 'export const line = 1;\n'.repeat(random.integer(1, 2000));
  return {
    name: 'Write',
    input: { file_path: random.pick(FILES), content },
    result: { type: 'create', content, structuredPatch: [], originalFile: null },
    asks: random.chance(0.5),
  };
};

const task: Sample = (random) => ({
  name: 'TaskUpdate',
  input: { taskId: String(random.integer(1, 9)), status: random.pick(['in_progress', 'completed']) },
  result: { success: true },
  asks: false,
});

const question: Sample = () => {
  const questions = [
    {
      question: 'Which database should it use?',
      header: 'Database',
      multiSelect: false,
      options: [
        { label: 'SQLite', description: 'One file' },
        { label: 'Postgres', description: 'A server' },
      ],
    },
  ];
  return {
    name: 'AskUserQuestion',
    input: { questions },
    result: { questions, answers: { 'Which database should it use?': 'SQLite' } },
    asks: true,
  };
};

const plan: Sample = () => ({
  name: 'ExitPlanMode',
  input: { plan: '# Plan\n\n1. Read\n2. Change\n3. Test\n', planFilePath: `${HOME_OF_NOBODY}/.claude/plans/plan.md` },
  result: { plan: '# Plan\n\n1. Read\n2. Change\n3. Test\n', isAgent: false },
  asks: true,
});

// weighted by repetition: mostly reading and running, rarely a question
const SAMPLES = [
  bash,
  bash,
  bash,
  bash,
  read,
  read,
  read,
  read,
  read,
  edit,
  edit,
  edit,
  write,
  task,
  question,
  plan,
] as const;

export function sampleTool(random: Random): ToolCall {
  return { id: `toolu_${random.hex(24)}`, ...random.pick(SAMPLES)(random) };
}
