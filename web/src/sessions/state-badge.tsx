import type { AgentState } from '../../../src/contract/sessions.ts';
import { styleOf, type Tone } from './state-style.ts';

interface Props {
  agentState: AgentState;
  tone: Tone;
  subject: string;
}

/** An icon and a word, so color is never the only cue. */
export function StateBadge({ agentState, tone, subject }: Props) {
  const { icon: Icon, label } = styleOf(agentState);
  return (
    <p data-tone={tone} data-state={agentState.state} className="flex min-w-0 items-center gap-1.5">
      <Icon aria-hidden size={15} strokeWidth={2.25} className="shrink-0 text-tone" />
      <span className="state-words min-w-0 truncate">
        <span className="font-semibold text-tone">{label}</span>
        {subject && <bdi className="ml-1.5 font-medium text-ink-2">{subject}</bdi>}
      </span>
    </p>
  );
}
