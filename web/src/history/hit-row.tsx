import { Link } from '@tanstack/react-router';
import {
  Brain,
  ChevronRight,
  Info,
  type LucideIcon,
  MessageSquareText,
  Minimize2,
  Paperclip,
  SquareTerminal,
  Terminal,
  User,
} from 'lucide-react';
import type { SearchHit } from '../../../src/contract/search.ts';
import { useSession } from '../live/live.ts';
import { styleOf } from '../sessions/state-style.ts';
import { TitleText } from '../sessions/title-text.tsx';
import { clipLine } from '../ui/format.ts';
import { formatExactly, formatWhen } from './format-when.ts';

const KINDS: Record<SearchHit['kind'], { icon: LucideIcon; label: string }> = {
  prompt: { icon: User, label: 'Prompt' },
  answer: { icon: MessageSquareText, label: 'Response' },
  thinking: { icon: Brain, label: 'Thinking' },
  tool_input: { icon: Terminal, label: 'input' },
  tool_output: { icon: SquareTerminal, label: 'output' },
  command: { icon: ChevronRight, label: 'Command' },
  summary: { icon: Minimize2, label: 'Summary' },
  attachment: { icon: Paperclip, label: 'Attachment' },
  notice: { icon: Info, label: 'Notice' },
};

export function HitRow({ hit, now }: { hit: SearchHit; now: number }) {
  const { icon: Icon, label } = KINDS[hit.kind];
  // a subagent's prompt was written by an agent, not by a person
  const who = hit.kind === 'prompt' && hit.agentId !== null ? 'Subagent prompt' : label;
  const isTool = hit.kind === 'tool_input' || hit.kind === 'tool_output';
  return (
    <li className="result">
      <p className="result-meta">
        <span className="inline-flex items-center gap-1.5 font-medium text-ink-2">
          <Icon aria-hidden size={15} className="shrink-0" />
          {isTool ? `${hit.toolName ? clipLine(hit.toolName, 40) : 'Tool'} ${label}` : who}
        </span>
        {hit.agentId !== null && <span>in a subagent</span>}
        {hit.at !== null && (
          <time dateTime={new Date(hit.at).toISOString()} title={formatExactly(hit.at)}>
            {formatWhen(hit.at, now)}
          </time>
        )}
        {hit.isLive && <LiveState id={hit.sessionId} />}
      </p>
      <Link
        to="/sessions/$sessionId"
        params={{ sessionId: hit.sessionId }}
        search={{ message: hit.messageId, ...(hit.agentId === null ? {} : { agent: hit.agentId }) }}
        className="result-link"
        data-result
      >
        <span className="snippet" dir="auto">
          {hit.snippet.map((part, index) =>
            part.match ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move
              <mark key={index}>{part.text}</mark>
            ) : (
              part.text
            ),
          )}
        </span>
      </Link>
      <p className="result-meta">
        {!saysTheTitle(hit) && (
          <bdi className="min-w-0 truncate">
            <TitleText title={hit.title} max={120} />
          </bdi>
        )}
        <ProjectAndBranch project={hit.projectDisplayName} branch={hit.gitBranch} />
      </p>
    </li>
  );
}

/** A session's title is its first prompt, which may be the match itself. */
function saysTheTitle({ snippet, title }: SearchHit): boolean {
  return clipLine(snippet.map(({ text }) => text).join(''), 120) === clipLine(title, 120);
}

export function ProjectAndBranch({ project, branch }: { project: string; branch: string | null }) {
  return (
    <span className="min-w-0 truncate">
      {clipLine(project, 60)}
      {branch !== null && <span className="text-ink-3"> / {clipLine(branch, 60)}</span>}
    </span>
  );
}

/** The state of a session that is on the board. */
export function LiveState({ id }: { id: string }) {
  const session = useSession(id);
  const { tone, label } = session ? styleOf(session.agentState) : ({ tone: 'green', label: 'Running' } as const);
  return (
    <span data-tone={tone} className="running">
      {label}
    </span>
  );
}
