import { Link } from '@tanstack/react-router';
import type { HistorySession } from '../../../src/contract/history.ts';
import { TitleText } from '../sessions/title-text.tsx';
import { clipLine, formatTokens, formatUsd, shortModel } from '../ui/format.ts';
import { formatExactly, formatWhen } from './format-when.ts';
import { LiveState, ProjectAndBranch } from './hit-row.tsx';

export function SessionRow({ session, now }: { session: HistorySession; now: number }) {
  const { id, title, firstPrompt, lastActivityAt, models, prompts, cost, isLive } = session;
  const prompt = firstPrompt === null ? '' : clipLine(firstPrompt, 200);
  const name = clipLine(title, 160);
  // Many titles are just the truncated prompt.
  const isSaid = prompt.startsWith(name.replace(/…$/, '').slice(0, 60));
  return (
    <li className="session-row">
      <div className="min-w-0">
        <Link to="/sessions/$sessionId" params={{ sessionId: id }} className="session-link" data-result>
          <bdi>
            <TitleText title={title} max={160} />
          </bdi>
        </Link>
        {prompt !== '' && !isSaid && (
          <p className="truncate text-ink-2" dir="auto">
            {prompt}
          </p>
        )}
        <p className="result-meta">
          {isLive && <LiveState id={id} />}
          <ProjectAndBranch project={session.projectDisplayName} branch={session.gitBranch} />
          {models[0] !== undefined && (
            <span>
              {shortModel(models[0])}
              {models.length > 1 && ` +${models.length - 1}`}
            </span>
          )}
          <span>
            {prompts} {prompts === 1 ? 'prompt' : 'prompts'}
          </span>
          {session.subAgents > 0 && (
            <span>
              {session.subAgents} {session.subAgents === 1 ? 'subagent' : 'subagents'}
            </span>
          )}
          <Lines added={session.linesAdded} removed={session.linesRemoved} />
        </p>
      </div>
      <dl className="session-figures">
        <div>
          <dt className="sr-only">Last active</dt>
          <dd>
            <time dateTime={new Date(lastActivityAt).toISOString()} title={formatExactly(lastActivityAt)}>
              {formatWhen(lastActivityAt, now)}
            </time>
          </dd>
        </div>
        <div>
          <dt className="sr-only">Cost</dt>
          <dd className="font-semibold text-ink">
            {cost === null ? (
              <span className="font-normal text-ink-3" title="No price for the models it used">
                unknown
              </span>
            ) : (
              formatUsd(cost.totalUsd) + (cost.unpricedModels.length > 0 ? '+' : '')
            )}
          </dd>
        </div>
        {session.inherited?.cost && (
          <div title="Forked from another session, which counts this part">
            <dt className="sr-only">Inherited</dt>
            <dd className="text-ink-3">+ {formatUsd(session.inherited.cost.totalUsd)} inherited</dd>
          </div>
        )}
        <div>
          <dt className="sr-only">Tokens</dt>
          <dd>{formatTokens(tokensOf(session))} tokens</dd>
        </div>
      </dl>
    </li>
  );
}

function tokensOf({ tokens }: HistorySession): number {
  return tokens.inputTokens + tokens.outputTokens + tokens.cacheReadTokens + tokens.cacheCreationTokens;
}

function Lines({ added, removed }: { added: number; removed: number }) {
  if (added + removed === 0) return null;
  return (
    <span className="tabular-nums">
      <span data-tone="green" className="text-tone">
        +{added}
      </span>{' '}
      <span data-tone="red" className="text-tone">
        −{removed}
      </span>
      <span className="sr-only"> lines</span>
    </span>
  );
}
