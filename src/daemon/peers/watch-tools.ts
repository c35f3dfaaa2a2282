import type { Core } from '../core.ts';
import type { Session, ToolCall } from '../sessions/session.ts';
import type { TranslatedEvent } from '../sessions/translated-event.ts';
import { readFamily } from './descendants.ts';
import type { SeenProcesses } from './seen-processes.ts';

/** Often at first, since a process that detaches does so right away; a tool that runs for an hour is checked once a second. */
const FIRST_LOOK_MS = process.platform === 'linux' ? 15 : 300;
const LONGEST_MS = 1000;
const SLOWER = 1.4;

export interface WatchToolsOptions {
  core: Core;
  seen: SeenProcesses;
  onError: (error: unknown) => void;
}

/** Watches what each session's tools start while they run. */
export function watchTools({ core, seen, onError }: WatchToolsOptions): { stop(): void } {
  const { live } = core;
  const timers = new Map<string, NodeJS.Timeout>();
  let isStopped = false;

  core.observe((event) => {
    const session = live.get(event.sessionId);
    if (!session) return;
    noteStretch(event, seen);
    if (startsProcesses(session)) lookIn(session.id, FIRST_LOOK_MS);
  });

  function lookIn(sessionId: string, delay: number): void {
    clearTimeout(timers.get(sessionId));
    if (isStopped) return;
    const timer = setTimeout(() => {
      check(sessionId)
        .catch(onError)
        .finally(() => {
          if (timers.get(sessionId) !== timer) return;
          timers.delete(sessionId);
          const session = live.get(sessionId);
          if (session && startsProcesses(session)) lookIn(sessionId, Math.min(delay * SLOWER, LONGEST_MS));
        });
    }, delay);
    timers.set(sessionId, timer);
  }

  async function check(sessionId: string): Promise<void> {
    const client = live.get(sessionId)?.process;
    if (!client) return;
    const { root, below } = await readFamily(client.pid);
    if (root && (client.start === null || root.start === client.start)) seen.note(sessionId, below, root);
  }

  return {
    stop() {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** These run programs; the client handles the others itself. */
const STARTS_PROCESSES = /^(?:Bash|PowerShell|Monitor|mcp__.*)$/;

function startsProcesses({ main, subagents }: Session): boolean {
  const isOne = ({ name }: ToolCall) => STARTS_PROCESSES.test(name);
  return main.calls.some(isOne) || subagents.some(({ calls }) => calls.some(isOne));
}

/** The client reports how long a tool ran, without the time it waited for permission. */
function noteStretch({ sessionId, agent }: TranslatedEvent, seen: SeenProcesses): void {
  for (const event of agent) {
    if (event.type !== 'tool.ended' && event.type !== 'tool.failed') continue;
    const { call, durationMs } = event;
    if (durationMs === undefined || !STARTS_PROCESSES.test(call.name)) continue;
    const to = Date.now();
    seen.noteStretch({ sessionId, from: to - durationMs, to });
  }
}
