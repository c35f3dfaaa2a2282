import { makePatch } from './make-patch.ts';

/** A tool call, with its outcome if it runs. */
export interface Call {
  name: string;
  input: Record<string, unknown>;
  /** What the client passes to hooks and keeps in the transcript. */
  response: unknown;
  /** What the model reads. */
  output: string;
  /** The client asks the user first. */
  asks?: boolean;
  fails?: boolean;
}

export function bash(command: string, output: string, { description = 'Run a command', ...more }: BashMore = {}): Call {
  const response = { stdout: output, stderr: '', interrupted: false, isImage: false, noOutputExpected: output === '' };
  return { name: 'Bash', input: { command, description }, response, output: output || DONE, ...more };
}

const DONE = '(Bash completed with no output)';

interface BashMore {
  description?: string;
  asks?: boolean;
  fails?: boolean;
}

export function read(file_path: string, content: string): Call {
  const lines = content.split('\n');
  const file = { filePath: file_path, content, numLines: lines.length, startLine: 1, totalLines: lines.length };
  const output = lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join('\n');
  return { name: 'Read', input: { file_path }, response: { type: 'text', file }, output };
}

export function edit(
  file_path: string,
  old_string: string,
  new_string: string,
  { asks = false, startLine = 1 }: { asks?: boolean; startLine?: number } = {},
): Call {
  return {
    name: 'Edit',
    input: { file_path, old_string, new_string, replace_all: false },
    response: {
      filePath: file_path,
      oldString: old_string,
      newString: new_string,
      originalFile: `${old_string}\n`,
      structuredPatch: makePatch(old_string, new_string, { startLine }),
      userModified: false,
      replaceAll: false,
    },
    output: `The file ${file_path} has been updated successfully.`,
    asks,
  };
}

export function write(file_path: string, content: string, { asks = false }: { asks?: boolean } = {}): Call {
  return {
    name: 'Write',
    input: { file_path, content },
    response: {
      type: 'create',
      filePath: file_path,
      content,
      structuredPatch: [],
      originalFile: null,
      userModified: false,
    },
    output: `File created successfully at: ${file_path}`,
    asks,
  };
}

export type TodoStatus = 'pending' | 'in_progress' | 'completed';

/** The whole list each time, as the tool expects. */
export function todos(items: string[], done: number, { isOver = false }: { isOver?: boolean } = {}): Call {
  const status = (index: number): TodoStatus =>
    index < done ? 'completed' : index === done && !isOver ? 'in_progress' : 'pending';
  const list = items.map((content, index) => ({ content, status: status(index), activeForm: content }));
  return {
    name: 'TodoWrite',
    input: { todos: list },
    response: { oldTodos: [], newTodos: list },
    output: 'Todos have been modified successfully.',
  };
}

export interface Question {
  question: string;
  header: string;
  multiSelect: boolean;
  options: { label: string; description: string }[];
}

export function ask(questions: Question[], answers: Record<string, string>): Call {
  return {
    name: 'AskUserQuestion',
    input: { questions },
    response: { questions, answers },
    output: answersInWords(answers),
    asks: true,
  };
}

export function answersInWords(answers: Record<string, string>): string {
  const words = Object.entries(answers).map(([question, answer]) => `"${question}"="${answer}"`);
  return `User has answered your questions: ${words.join(', ')}. You can now continue with the user's answers in mind.`;
}

export function plan(text: string, planFilePath: string): Call {
  return {
    name: 'ExitPlanMode',
    input: { plan: text, planFilePath },
    response: { plan: text, isAgent: false, filePath: planFilePath },
    output: `User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n## Approved Plan:\n${text}`,
    asks: true,
  };
}

export function fetchPage(url: string, prompt: string, output: string): Call {
  const response = { bytes: output.length * 7, code: 200, codeText: 'OK', result: output, durationMs: 900, url };
  return { name: 'WebFetch', input: { url, prompt }, response, output };
}

/** An MCP server's tool. */
export function mcp(name: string, input: Record<string, unknown>, output: string, { asks = false } = {}): Call {
  return { name, input, response: [{ type: 'text', text: output }], output, asks };
}
