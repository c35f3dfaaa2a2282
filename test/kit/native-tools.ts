import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoopEvent } from '../../src/agent/events.ts';
import { createSandbox, type SandboxOptions } from '../../src/agent/sandbox/sandbox.ts';
import type { ShellLimits } from '../../src/agent/shells/shell.ts';
import { Shells } from '../../src/agent/shells/shells.ts';
import { createTools } from '../../src/agent/tools/create-tools.ts';
import type { CallContext, Tool } from '../../src/agent/tools/tool.ts';
import { Workspace } from '../../src/agent/tools/workspace.ts';

export interface NativeTools {
  folder: string;
  workspace: Workspace;
  shells: Shells;
  tools: Tool[];
  events: LoopEvent[];
  /** Validates and runs a call as the loop does after an allow. */
  call(name: string, input: object, control?: Partial<Pick<CallContext, 'signal' | 'background'>>): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  text: string;
  isError: boolean;
  content: unknown;
}

export interface NativeToolsOptions {
  limits?: Partial<ShellLimits>;
  most?: number;
  sandbox?: SandboxOptions;
  env?: NodeJS.ProcessEnv;
}

/** The real tools in their own folder. */
export async function openNativeTools({ limits, most, sandbox, env }: NativeToolsOptions = {}): Promise<NativeTools> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gc-tools-')));
  const events: LoopEvent[] = [];
  const emit = (event: LoopEvent) => void events.push(event);
  const workspace = new Workspace(folder);
  const shells = new Shells({
    emit,
    env: env ?? { PATH: process.env.PATH, HOME: folder },
    ...(limits ? { limits } : {}),
    ...(most === undefined ? {} : { most }),
  });
  const box = createSandbox(sandbox);
  const tools = createTools({ workspace, shells, sandbox: box, leavePlanMode: () => undefined });
  return {
    folder,
    workspace,
    shells,
    tools,
    events,
    async call(name, input, control = {}) {
      const tool = tools.find((one) => one.name === name);
      if (!tool) throw new Error(`no tool ${name}`);
      const { content, isError = false } = await tool
        .run(tool.input.parse(input), {
          callId: `call-${events.length}-${Math.random()}`,
          actor: { id: 'main' },
          signal: new AbortController().signal,
          background: new AbortController().signal,
          emit,
          output: (stream, text) => emit({ type: 'tool.output', actor: { id: 'main' }, callId: '', stream, text }),
          ...control,
        })
        .catch((error: Error) => ({ content: error.message, isError: true }));
      return { text: typeof content === 'string' ? content : JSON.stringify(content), isError, content };
    },
    async close() {
      await shells.close();
      await box.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
