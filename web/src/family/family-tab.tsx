import { Link } from '@tanstack/react-router';
import { Network } from 'lucide-react';
import type { OrchestratedSession } from '../../../src/contract/orchestration.ts';
import { messageOf } from '../api/request.ts';
import { orderTree } from '../session/tabs/order-tree.ts';
import type { SessionFacts } from '../session/use-session-facts.ts';
import { clipLine, formatTokens, formatUsd, shortModel } from '../ui/format.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { FamilyState } from './family-state.tsx';
import { useFamily } from './use-family.ts';

/** The sessions that started this one and that it started, as a tree. */
export default function FamilyTab({ facts }: { facts: SessionFacts }) {
  const { data, error, refetch } = useFamily(facts.id);
  if (error) return <Failure message={messageOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={6} what="the session tree" />;
  if (data.sessions.length <= 1)
    return (
      <Empty icon={Network} title="No other sessions">
        <p>
          No session started this one, and it hasn't started any. An agent starts others with Ground Control's MCP
          tools.
        </p>
      </Empty>
    );
  return (
    <>
      <table className="data-table">
        <caption className="sr-only">Sessions by the session that started them</caption>
        <thead>
          <tr>
            <th scope="col">Session</th>
            <th scope="col">State</th>
            <th scope="col" className="wide-only">
              Model
            </th>
            <th scope="col" className="wide-only text-right">
              Tokens
            </th>
            <th scope="col" className="text-right">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {orderTree(data.sessions).map(({ item, depth }) => (
            <FamilyRow key={item.id} session={item} depth={depth} isThis={item.id === facts.id} />
          ))}
        </tbody>
      </table>
      {data.isCut && <p className="mt-3 text-ink-3">Only the first {data.sessions.length} sessions are listed.</p>}
    </>
  );
}

function FamilyRow({ session, depth, isThis }: { session: OrchestratedSession; depth: number; isThis: boolean }) {
  const { id, name, prompt, blueprint, model, spent } = session;
  return (
    <tr aria-current={isThis || undefined}>
      <td>
        <div className="min-w-0" style={{ paddingInlineStart: `${Math.min(depth, 5) * 1.25}rem` }}>
          {isThis ? (
            <span className="font-semibold">{name} (this session)</span>
          ) : (
            <Link to="/sessions/$sessionId" params={{ sessionId: id }} search={{ tab: 'tree' }} className="link">
              {name}
            </Link>
          )}
          {blueprint && <span className="ml-2 text-ink-3">{clipLine(blueprint, 60)}</span>}
          <p dir="auto" className="text-ink-3">
            {clipLine(prompt, 160)}
          </p>
        </div>
      </td>
      <td className="wrap-normal">
        <FamilyState session={session} />
      </td>
      <td className="wide-only text-ink-2">{model ? shortModel(model) : ''}</td>
      <td className="wide-only text-right tabular-nums text-ink-2">{formatTokens(spent.tokens)}</td>
      <td className="text-right tabular-nums text-ink-2">
        {spent.dollars === null ? 'unknown' : formatUsd(spent.dollars)}
      </td>
    </tr>
  );
}
