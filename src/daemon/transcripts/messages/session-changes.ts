import { setImmediate } from 'node:timers/promises';
import type { FileChanges, FileDiff, SessionChanges, UnseenCall } from '../../../contract/messages.ts';
import { recordOf, textOf } from '../../../contract/values.ts';
import { cutLine } from '../../sessions/clip.ts';
import type { ReaderContext } from '../threads/queries.ts';
import { openFile } from './byte-source.ts';
import { locate, type Wanted } from './conversation.ts';
import type { FoundPart } from './entry.ts';
import { NoAgentTranscript } from './errors.ts';
import { diffOf } from './file-diff.ts';
import type { Draft } from './fold-messages.ts';
import { PAGE_LIMITS } from './limits.ts';
import { agentsOf } from './session-agents.ts';
import { walkDrafts } from './walk-drafts.ts';

/** Per response. Beyond that, a change has only its counts, and its lines are read with its message. */
const MAX_LINES = 20_000;
const MAX_UNSEEN = 200;
const MAX_SUMMARY = 300;

type Call = Extract<FoundPart, { kind: 'tool' }>;
type Change = FileChanges['changes'][number];

/** What a session's editing tools changed, including its subagents', and the calls whose changes are unknown. */
export async function sessionChangesJson(context: ReaderContext, wanted: Omit<Wanted, 'agentId'>): Promise<string> {
  const own = locate(context, { ...wanted, agentId: undefined });
  const agents = agentsOf(context, { sessionId: wanted.sessionId, path: own.path });
  const files = new Map<string, FileChanges>();
  const unseen: SessionChanges['unseen'] = { total: 0, calls: [] };
  let lines = 0;

  for (const agentId of [undefined, ...agents]) {
    const place = tryLocate(context, { ...wanted, agentId });
    if (!place) continue;
    const source = openFile(place.path);
    try {
      for (const drafts of walkDrafts(source, place.options)) {
        for (const draft of drafts)
          for (const part of draft.parts) if (part.kind === 'tool') addCall(draft, part, agentId);
        await setImmediate();
      }
    } finally {
      source.close();
    }
  }
  for (const file of files.values()) file.changes.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  unseen.calls = unseen.calls.sort((a, b) => (a.at ?? 0) - (b.at ?? 0)).slice(-MAX_UNSEEN);
  return JSON.stringify({ files: [...files.values()], unseen } satisfies SessionChanges);

  function addCall(draft: Draft, part: Call, agentId: string | undefined): void {
    const result = draft.results.get(part.toolUseId);
    const { name: tool, toolUseId } = part;
    const place = { messageId: draft.id, toolUseId, agentId: agentId ?? null, tool: tool.slice(0, 200), at: draft.at };
    if (isUnseen(tool)) {
      unseen.total += 1;
      unseen.calls.push({ ...place, summary: summaryOf(part) });
      if (unseen.calls.length > 2 * MAX_UNSEEN) unseen.calls.splice(0, MAX_UNSEEN);
      return;
    }
    // what hasn't returned has changed nothing yet
    const diff = result ? diffOf(part, result, Math.min(PAGE_LIMITS.diffLines, MAX_LINES - lines)) : null;
    if (!diff) return;
    lines += countLines(diff);
    const { path, ...change } = diff;
    addChange(path, { ...place, ...change }, recordOf(result?.detail).type === 'create');
  }

  function addChange(path: string, change: Change, isNew: boolean): void {
    const file = files.get(path) ?? { path, added: 0, removed: 0, isNew, changes: [] };
    file.added += change.added;
    file.removed += change.removed;
    file.changes.push(change);
    files.set(path, file);
  }
}

const countLines = ({ hunks }: FileDiff) => hunks.reduce((sum, { lines }) => sum + lines.length, 0);

/** Tools that may change files in ways the transcript doesn't show. */
function isUnseen(tool: string): boolean {
  return tool === 'Bash' || tool === 'PowerShell' || tool.startsWith('mcp__');
}

function summaryOf({ input }: Call): UnseenCall['summary'] {
  const first = textOf(input.command) || Object.values(input).find((value) => typeof value === 'string');
  return cutLine(textOf(first), MAX_SUMMARY);
}

/** A subagent whose transcript is gone is left out. */
function tryLocate(context: ReaderContext, wanted: Wanted) {
  try {
    return locate(context, wanted);
  } catch (error) {
    if (error instanceof NoAgentTranscript) return undefined;
    throw error;
  }
}
