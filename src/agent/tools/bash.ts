import { existsSync, readFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Shell } from '../shells/shell.ts';
import type { Shells } from '../shells/shells.ts';
import { capText } from './cap-text.ts';
import { type CallContext, defineTool, failed, ok, type ToolOutput } from './tool.ts';
import type { Workspace } from './workspace.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const LONGEST_TIMEOUT_MS = 600_000;
const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash']);

const Input = z.object({
  command: z.string().min(1),
  timeout: z.number().int().min(1).max(LONGEST_TIMEOUT_MS).optional().describe('Milliseconds. Default 120000'),
  description: z.string().max(500).optional().describe('What the command does, in five to ten words'),
  run_in_background: z.boolean().optional().describe('Return at once. Use BashOutput and KillShell with the shell id'),
  sandbox: z
    .boolean()
    .optional()
    .describe('Run without asking, in a sandbox: writes only below the working directory, no network, no secrets'),
  shellExecutable: z.string().optional().describe('Absolute path of another shell: bash, zsh, sh or dash'),
});
type Input = z.infer<typeof Input>;

/**
 * Runs a command and records its final directory. `$1` is the file for the directory, `$2` the command. Uses a trap because the command may
 * call `exit`. A command that replaces the shell or is killed leaves the directory unchanged.
 */
const WRAPPER = '__gc_dir=$1; __gc_command=$2; shift 2; trap \'pwd -P >|"$__gc_dir"\' EXIT; eval "$__gc_command"';

export interface BashDeps {
  shells: Shells;
  workspace: Workspace;
  sandbox: Sandbox;
}

export function bashTool({ shells, workspace, sandbox }: BashDeps) {
  return defineTool<Input>({
    name: 'Bash',
    description:
      'Run a command in bash. The working directory is kept between calls. There is no input and no terminal. Long output is cut in the middle; the rest is in a file.',
    input: Input,
    gate: 'write',
    permission: ({ sandbox: isSandboxed }) => (isSandboxed ? 'confined' : 'permission'),
    canBackground: true,
    async run(input, context) {
      const executable = input.shellExecutable ?? 'bash';
      if (input.shellExecutable !== undefined && !isShell(executable))
        return failed(`Not run: ${executable} is not an absolute path to bash, zsh, sh or dash.`);
      const boxed = input.sandbox ? await sandbox.prepare(workspace.root, context) : undefined;
      if (boxed?.problem !== undefined) return failed(boxed.problem);

      const cwd = workspace.cwd;
      const plain = (folder: string): [string, ...string[]] => [
        executable,
        '-c',
        WRAPPER,
        basename(executable),
        join(folder, 'cwd'),
        input.command,
      ];
      let folderOf = '';
      const wrapped = boxed ? await boxed.wrap({ executable, command: input.command }) : undefined;
      const shell = shells.start({
        command: input.command,
        callId: context.callId,
        argv: (folder) => {
          folderOf = folder;
          return wrapped?.argv ?? plain(folder);
        },
        cwd,
        ...(wrapped ? { env: wrapped.env } : {}),
      });
      if (input.run_in_background) {
        shell.isBackground = true;
        return ok(`Command running in background (shell ID: ${shell.id})`);
      }
      const screen = throttled(context);
      const detach = shell.attach(0, screen.add);
      const end = await waitFor(shell, input.timeout ?? DEFAULT_TIMEOUT_MS, context).finally(() => {
        detach();
        screen.flush();
      });
      if (end === 'background') {
        shell.isBackground = true;
        return ok(`Command moved to background (shell ID: ${shell.id})\nThe working directory stays ${workspace.cwd}.`);
      }
      const output = await report(shell, end, { shells, workspace, cwdFile: join(folderOf, 'cwd') }, input);
      return boxed ? boxed.explain(output, context.callId) : output;
    },
  });
}

type End = 'ended' | 'background' | 'interrupted' | 'timeout';

async function waitFor(shell: Shell, timeoutMs: number, { signal, background }: CallContext): Promise<End> {
  let timer: NodeJS.Timeout | undefined;
  const on = (source: AbortSignal, end: End) =>
    new Promise<End>((resolve) => {
      if (source.aborted) return resolve(end);
      source.addEventListener('abort', () => resolve(end), { once: true });
    });
  const timeout = new Promise<End>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs);
  });
  return Promise.race([
    shell.ended.then((): End => 'ended'),
    on(background, 'background'),
    on(signal, 'interrupted'),
    timeout,
  ]).finally(() => clearTimeout(timer));
}

interface ReportDeps {
  shells: Shells;
  workspace: Workspace;
  cwdFile: string;
}

async function report(
  shell: Shell,
  end: Exclude<End, 'background'>,
  deps: ReportDeps,
  input: Input,
): Promise<ToolOutput> {
  const { shells, workspace, cwdFile } = deps;
  const left = end === 'ended' ? [] : await shell.kill();
  const notes: string[] = [];
  if (end === 'timeout')
    notes.push(`Command timed out after ${input.timeout ?? DEFAULT_TIMEOUT_MS} ms and was killed.`);
  if (end === 'interrupted') notes.push('Command killed by the operator.');
  if (left.length > 0) notes.push(`These processes could not be ended: ${left.join(', ')}.`);
  if (end === 'ended') {
    if (shell.signal) notes.push(`Command ended by ${shell.signal}.`);
    else if (shell.exitCode !== 0) notes.push(`Exit code ${shell.exitCode}`);
    const moved = movedTo(cwdFile);
    if (moved !== undefined && moved !== workspace.cwd) {
      workspace.cwd = moved;
      notes.push(
        `The working directory is now ${moved}. Only for commands: paths in other tools start at ${workspace.root}.`,
      );
    }
    const running = await shell.processes();
    shell.isBackground = running.length > 0;
    if (running.length > 0)
      notes.push(
        `${running.length === 1 ? 'A process' : `${running.length} processes`} left behind still running (shell ID: ${shell.id}): ${running.map(({ pid, command }) => `${pid} ${command.slice(0, 80)}`).join('; ')}`,
      );
    else shells.forget(shell);
  }
  const text = outputText(shell, shells.limits.inline);
  const content = [text, ...notes].filter((part) => part !== '').join('\n') || '(no output)';
  return end === 'ended' && shell.exitCode === 0 ? ok(content) : failed(content);
}

/** Standard output first, then standard error under its own heading, so that the model can tell them apart. */
function outputText(shell: Shell, inline: number): string {
  const { pieces, missed } = shell.read(0);
  const join = (stream: string) => pieces.flatMap((piece) => (piece.stream === stream ? [piece.text] : [])).join('');
  const where = shell.outputPath ? `Full output: ${shell.outputPath}` : undefined;
  const dropped = shell.droppedOnDisk > 0 ? ` (its last ${shell.droppedOnDisk} characters were not stored)` : '';
  const stdout = capText(join('stdout').trimEnd(), inline);
  const stderr = capText(join('stderr').trimEnd(), inline / 2);
  return [
    missed > 0 ? `[${missed} earlier characters are not shown]` : '',
    stdout,
    stderr === '' ? '' : `[stderr]\n${stderr}`,
    where === undefined ? '' : `${where}${dropped}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** At most one event per frame and stream, so that a flood doesn't go through every listener in full. */
function throttled({ output }: CallContext) {
  /** In order of arrival, so that errors appear where they happened. */
  let waiting: { stream: 'stdout' | 'stderr'; text: string }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    let room = LIVE_CHARS;
    const shown = waiting.reverse().flatMap(({ stream, text }) => {
      if (room <= 0) return [];
      const end = text.slice(-room);
      room -= end.length;
      return [{ stream, text: end }];
    });
    waiting = [];
    for (const { stream, text } of shown.reverse()) output(stream, text);
  };
  const add = (stream: 'stdout' | 'stderr', text: string) => {
    const last = waiting.at(-1);
    if (last?.stream === stream) last.text = (last.text + text).slice(-LIVE_CHARS);
    else waiting = [...waiting.slice(-LIVE_PIECES), { stream, text: text.slice(-LIVE_CHARS) }];
    timer ??= setTimeout(flush, 50).unref();
  };
  return { add, flush };
}

const LIVE_PIECES = 200;
const LIVE_CHARS = 8192;

function movedTo(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const folder = readFileSync(file, 'utf8').replace(/\n$/, '');
  return isAbsolute(folder) && existsSync(folder) ? folder : undefined;
}

function isShell(path: string): boolean {
  return isAbsolute(path) && SHELLS.has(basename(path)) && existsSync(path);
}
