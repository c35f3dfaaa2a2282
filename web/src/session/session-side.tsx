import { type ReactNode, useCallback } from 'react';
import { resumeCommand } from '../../../src/contract/resume-command.ts';
import { ContextGauge } from '../sessions/context-gauge.tsx';
import { costText } from '../sessions/cost-text.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { OTHER_REQUESTS } from '../sessions/other-requests.ts';
import { SpendingNotes } from '../sessions/spending-notes.tsx';
import { totalTokens } from '../sessions/total-tokens.ts';
import { useClock } from '../ui/clock.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatDateTime } from '../ui/dates.ts';
import { clip, clipLine, formatDuration, formatTokens, formatUsd, shortModel } from '../ui/format.ts';
import type { SessionFacts } from './use-session-facts.ts';

/** The session's figures and identifiers. */
export function SessionSide({ facts }: { facts: SessionFacts }) {
  const { session, history } = facts;
  const tokens = session?.tokens ?? history?.tokens ?? null;
  const cost = session?.cost ?? history?.cost ?? null;
  const models = session?.usageByModel.length ? session.usageByModel : (history?.usageByModel ?? []);
  const others = session ? session.otherUsage : (history?.otherUsage ?? []);
  const started = session?.startedAt ?? history?.startedAt ?? null;
  const transcript = session?.transcriptPath ?? history?.transcriptPath ?? null;
  return (
    <div className="flex flex-col gap-5">
      {session && session.contextWindowTokens !== null && (
        <Group title="Context">
          <p className="flex items-center justify-between gap-2 text-ink-2 tabular-nums">
            <ContextGauge tokens={session.contextWindowTokens} limit={session.contextWindowLimit} />
            <span className="text-ink-3">
              {formatTokens(session.contextWindowTokens)}
              {session.contextWindowLimit !== null && ` of ${formatTokens(session.contextWindowLimit)}`}
            </span>
          </p>
          {session.cacheWarmUntil !== null && <CacheState until={session.cacheWarmUntil} />}
        </Group>
      )}
      {tokens && (
        <Group title="Cost and tokens">
          <table className="side-table">
            <tbody>
              {models.map((usage) => (
                <tr key={usage.model}>
                  <th scope="row">{shortModel(usage.model)}</th>
                  <td>{formatTokens(totalTokens(usage.tokens))}</td>
                  <td>{usage.cost ? formatUsd(usage.cost.totalUsd) : 'unknown'}</td>
                </tr>
              ))}
              {others.map((usage) => (
                <tr key={usage.model} title={OTHER_REQUESTS}>
                  <th scope="row">{shortModel(usage.model)}, other requests</th>
                  <td>{formatTokens(totalTokens(usage.tokens))}</td>
                  <td>{usage.cost ? formatUsd(usage.cost.totalUsd) : 'unknown'}</td>
                </tr>
              ))}
              <tr className="side-total">
                <th scope="row">All</th>
                <td>{formatTokens(totalTokens(tokens))}</td>
                <td>{cost ? costText(cost) : 'unknown'}</td>
              </tr>
            </tbody>
          </table>
          <Rows>
            <Row name="Input">{formatTokens(tokens.inputTokens)}</Row>
            <Row name="Output">{formatTokens(tokens.outputTokens)}</Row>
            <Row name="Cache read">{formatTokens(tokens.cacheReadTokens)}</Row>
            <Row name="Cache write">{formatTokens(tokens.cacheCreationTokens)}</Row>
          </Rows>
          {cost && cost.unpricedModels.length > 0 && (
            <p className="text-ink-3">No price for {clipLine(cost.unpricedModels.join(', '), 120)}.</p>
          )}
          <SpendingNotes
            inherited={session?.inherited ?? history?.inherited ?? null}
            uncounted={session?.uncounted ?? null}
            hasEnded={!facts.isLive}
          />
        </Group>
      )}
      <Group title="Session">
        <Rows>
          {started !== null && <Row name="Started">{formatDateTime(started)}</Row>}
          {session && (
            <Row name="Age">
              <Elapsed since={session.startedAt} until={session.endedAt} />
            </Row>
          )}
          {session?.turnStartedAt && session.agentState.group === 'autonomous' && (
            <Row name="This turn">
              <Elapsed since={session.turnStartedAt} />
            </Row>
          )}
          {session && <Row name="Turns">{session.turnCount}</Row>}
          {session?.permissionMode && <Row name="Mode">{clipLine(session.permissionMode, 40)}</Row>}
          {session?.machine && <Row name="Machine">{clipLine(session.machine, 60)}</Row>}
          {session && session.pid !== null && <Row name="Process">{session.pid}</Row>}
          {session?.clientVersion && <Row name="Client">{clipLine(session.clientVersion, 40)}</Row>}
          {session?.endReason && <Row name="Ended by">{clipLine(session.endReason, 120)}</Row>}
        </Rows>
      </Group>
      <Group title="Location">
        <Path name="Session" value={facts.id} />
        {facts.cwd && <Path name="Folder" value={facts.cwd} />}
        {transcript && <Path name="Transcript" value={transcript} />}
        <Path name="Resume command" value={resumeCommand(facts)} />
      </Group>
    </div>
  );
}

function CacheState({ until }: { until: number }) {
  const left = useClock(useCallback((now: number) => (now < until ? formatDuration(until - now) : ''), [until]));
  return (
    <p className="text-ink-3">
      {left ? `Prompt cache warm for ${left}` : 'Prompt cache expired: the next prompt costs more'}
    </p>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2 text-md">
      <h2 className="side-heading">{title}</h2>
      {children}
    </section>
  );
}

function Rows({ children }: { children: ReactNode }) {
  return <dl className="side-rows">{children}</dl>;
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </>
  );
}

function Path({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <div className="flex items-center justify-between text-ink-3">
        {name}
        <CopyButton text={value} what={name.toLowerCase()} />
      </div>
      <p dir="ltr" className="break-all font-mono text-xs text-ink-2">
        {clip(value, { max: 600 })}
      </p>
    </div>
  );
}
