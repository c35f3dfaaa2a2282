import { GitBranch, MessagesSquare, Monitor } from 'lucide-react';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import type { Cost } from '../../../src/contract/usage.ts';
import { clipLine, formatTokens, formatUsd, shortModel } from '../ui/format.ts';
import { ContextGauge } from './context-gauge.tsx';
import { costText } from './cost-text.ts';
import { totalTokens } from './total-tokens.ts';
import { uncountedText } from './uncounted-text.ts';

interface Props {
  session: LiveSession;
  /** Shown only if there is more than one. */
  showMachine: boolean;
}

export function CardCells({ session, showMachine }: Props) {
  const { projectDisplayName, projectPath, gitBranch, model, turnCount, cost, tokens, machine } = session;
  const total = tokens && totalTokens(tokens);
  return (
    <div className="card-cells">
      <span className="card-place">
        <span data-cell="project" className="font-medium text-ink-2" title={clipLine(projectPath ?? '', 300)}>
          <bdi>{clipLine(projectDisplayName, 80) || 'No project'}</bdi>
        </span>
        {gitBranch && (
          <span data-cell="branch" title={clipLine(gitBranch, 300)}>
            <GitBranch aria-label="Branch" size={12} className="mr-1 inline align-[-1px]" />
            <bdi>{clipLine(gitBranch, 80)}</bdi>
          </span>
        )}
      </span>
      {showMachine && (
        <span data-cell="machine">
          <Monitor aria-label="Machine" size={12} className="mr-1 inline align-[-1px]" />
          <bdi>{clipLine(machine, 40)}</bdi>
        </span>
      )}
      {model && (
        <span data-cell="model" title={clipLine(model, 120)}>
          <bdi>{shortModel(model)}</bdi>
        </span>
      )}
      {session.contextWindowTokens !== null && session.contextWindowLimit !== null && (
        <span data-cell="context">
          <ContextGauge tokens={session.contextWindowTokens} limit={session.contextWindowLimit} />
        </span>
      )}
      {cost && (
        <span data-cell="cost" title={costTitle(session, cost)}>
          {costText(cost)}
        </span>
      )}
      {total !== null && (
        <span data-cell="tokens" title={`${total.toLocaleString()} tokens`}>
          {formatTokens(total)}
          <span className="sr-only"> tokens</span>
        </span>
      )}
      {turnCount > 0 && total === null && (
        <span data-cell="turns" title={turnCount === 1 ? '1 turn' : `${turnCount} turns`}>
          <MessagesSquare aria-label="Turns" size={12} className="mr-1 inline align-[-1px]" />
          {turnCount}
        </span>
      )}
    </div>
  );
}

function costTitle({ otherUsage, inherited, uncounted, endedAt }: LiveSession, { unpricedModels }: Cost): string {
  const lines = ['Cost, subagents included'];
  const others = otherUsage.reduce((sum, { cost }) => sum + (cost?.totalUsd ?? 0), 0);
  if (others > 0) lines.push(`${formatUsd(others)} of that for compaction, web search and other requests`);
  if (inherited?.cost)
    lines.push(`Forked from a session that had spent ${formatUsd(inherited.cost.totalUsd)}, counted there`);
  if (uncounted) lines.push(uncountedText(uncounted, { hasEnded: endedAt !== null }));
  if (unpricedModels.length > 0) lines.push(`No price for ${clipLine(unpricedModels.join(', '), 120)}`);
  return lines.join('\n');
}
