import {
  Bot,
  CircleQuestionMark,
  FilePen,
  FilePlus,
  FileSearch,
  FileText,
  Globe,
  ListTodo,
  type LucideIcon,
  Map as MapIcon,
  Plug,
  Search,
  Terminal,
  Wrench,
} from 'lucide-react';
import { clipLine, humanize } from '../../ui/format.ts';

export interface ToolWords {
  icon: LucideIcon;
  verb: string;
  /** What it was done to. */
  object: string;
  /** The object is a command, path or pattern. */
  code: boolean;
}

type Input = Record<string, unknown>;

interface Kind {
  icon: LucideIcon;
  /** While it runs, and after. */
  verbs: readonly [string, string];
  object: (input: Input) => string;
  code?: boolean;
}

const MAX_CHARS = 200;

const KINDS: Record<string, Kind> = {
  Bash: { icon: Terminal, verbs: ['Running', 'Ran'], object: field('command'), code: true },
  BashOutput: { icon: Terminal, verbs: ['Checking', 'Checked'], object: () => 'command output' },
  KillShell: { icon: Terminal, verbs: ['Stopping', 'Stopped'], object: () => 'a background command' },
  Read: { icon: FileText, verbs: ['Reading', 'Read'], object: path('file_path'), code: true },
  Edit: { icon: FilePen, verbs: ['Editing', 'Edited'], object: path('file_path'), code: true },
  MultiEdit: { icon: FilePen, verbs: ['Editing', 'Edited'], object: path('file_path'), code: true },
  NotebookEdit: { icon: FilePen, verbs: ['Editing', 'Edited'], object: path('notebook_path'), code: true },
  Write: { icon: FilePlus, verbs: ['Writing', 'Wrote'], object: path('file_path'), code: true },
  Grep: { icon: FileSearch, verbs: ['Searching for', 'Searched for'], object: field('pattern'), code: true },
  Glob: { icon: FileSearch, verbs: ['Finding files', 'Found files'], object: field('pattern'), code: true },
  LS: { icon: FileSearch, verbs: ['Listing', 'Listed'], object: path('path'), code: true },
  WebFetch: { icon: Globe, verbs: ['Fetching', 'Fetched'], object: field('url'), code: true },
  WebSearch: { icon: Search, verbs: ['Searching the web for', 'Searched the web for'], object: field('query') },
  Agent: { icon: Bot, verbs: ['Delegating', 'Delegated'], object: field('description', 'prompt') },
  Task: { icon: Bot, verbs: ['Delegating', 'Delegated'], object: field('description', 'prompt') },
  TodoWrite: { icon: ListTodo, verbs: ['Updating', 'Updated'], object: () => 'tasks' },
  TaskCreate: {
    icon: ListTodo,
    verbs: ['Adding task', 'Added task'],
    object: field('subject', 'title', 'description'),
  },
  TaskUpdate: { icon: ListTodo, verbs: ['Updating task', 'Updated task'], object: field('status', 'subject') },
  TaskList: { icon: ListTodo, verbs: ['Checking', 'Checked'], object: () => 'tasks' },
  AskUserQuestion: { icon: CircleQuestionMark, verbs: ['Asking', 'Asked'], object: firstQuestion },
  EnterPlanMode: { icon: MapIcon, verbs: ['Entering', 'Entered'], object: () => 'plan mode' },
  ExitPlanMode: { icon: MapIcon, verbs: ['Proposing', 'Proposed'], object: () => 'a plan' },
  Skill: { icon: Wrench, verbs: ['Using skill', 'Used skill'], object: field('skill', 'command'), code: true },
  ToolSearch: { icon: Search, verbs: ['Finding tools', 'Found tools'], object: field('query') },
};

/** What a tool call does or did, in words. */
export function toolWords(name: string, input: Input, { running }: { running: boolean }): ToolWords {
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (!kind) return foreignTool(name, input);
  const [doing, done] = kind.verbs;
  return { icon: kind.icon, verb: running ? doing : done, object: kind.object(input), code: kind.code ?? false };
}

/** `mcp__github__create_issue`, and tools from later clients. */
function foreignTool(name: string, input: Input): ToolWords {
  const mcp = /^mcp__(.+?)__(.+)$/.exec(name.slice(0, 300));
  const verb = mcp ? `${humanize(mcp[1]!)}: ${humanize(mcp[2]!).toLowerCase()}` : humanize(name) || 'A tool';
  return { icon: mcp ? Plug : Wrench, verb, object: firstText(input), code: true };
}

function field(...names: string[]) {
  return (input: Input) => {
    for (const name of names) {
      const value = input[name];
      if (typeof value === 'string' && value.trim()) return clipLine(value, MAX_CHARS);
    }
    return '';
  };
}

/** The last parts of a path identify the file; the details show the whole path. */
function path(name: string) {
  return (input: Input) => shortPath(field(name)(input));
}

export function shortPath(whole: string): string {
  const parts = whole.split('/');
  return parts.length > 4 ? `…/${parts.slice(-3).join('/')}` : whole;
}

function firstQuestion(input: Input): string {
  const [first] = Array.isArray(input.questions) ? input.questions : [];
  return typeof first === 'object' && first !== null ? field('question')(first as Input) : '';
}

function firstText(input: Input): string {
  for (const value of Object.values(input))
    if (typeof value === 'string' && value.trim()) return clipLine(value, MAX_CHARS);
  return '';
}
