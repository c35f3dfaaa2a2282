import type { ShellView } from '../../../../src/contract/shells.ts';
import { formatDuration } from '../../ui/format.ts';

export function stateOf({ state, exitCode, signal, isBackground, createdAt, endedAt, processes }: ShellView): string {
  if (state === 'running')
    return `${isBackground ? 'In the background' : 'Running'} · ${formatDuration(Date.now() - createdAt)}`;
  if (processes.length > 0) return `Ended, ${processes.length} left running`;
  if (state === 'killed') return 'Killed';
  const took = endedAt === null ? '' : ` · ${formatDuration(endedAt - createdAt)}`;
  return signal ? `Ended by ${signal}${took}` : `Exit code ${exitCode}${took}`;
}

export function toneOf({ state, exitCode, processes }: ShellView): string {
  if (state === 'running' || processes.length > 0) return 'blue';
  return state === 'exited' && exitCode === 0 ? 'green' : 'red';
}
