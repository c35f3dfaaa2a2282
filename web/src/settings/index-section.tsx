import { useQuery } from '@tanstack/react-query';
import type { IndexStatus } from '../../../src/contract/history.ts';
import { getIndexStatus } from '../../../src/contract/routes/history.ts';
import { call, messageOf } from '../api/request.ts';
import { countOf } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Section } from './section.tsx';

const PHASES: Record<IndexStatus['phase'], string> = {
  finding: 'Looking for transcripts…',
  totals: 'Reading tokens and costs…',
  text: 'Indexing text for search…',
  idle: 'Up to date',
};
const BUSY_MS = 1_000;
const SHOWN_PROBLEMS = 20;

/** Indexing progress, and damaged lines. */
export function IndexSection() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['history', 'status'],
    queryFn: ({ signal }) => call(getIndexStatus, { signal }),
    refetchInterval: (query) => (query.state.data?.phase === 'idle' ? false : BUSY_MS),
  });
  return (
    <Section title="Transcripts" about="The source of history, search and costs.">
      {isPending && <Skeleton lines={2} what="the index" />}
      {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
      {data && (
        <>
          <p>
            {PHASES[data.phase]} {countOf(data.sessions, 'session')} in {countOf(data.files.total, 'file')},{' '}
            {formatBytes(data.bytes.total)}.
          </p>
          {data.failure !== null && (
            <Failure message={`Indexing stopped: ${data.failure}. Retrying every few seconds.`} />
          )}
          {data.phase !== 'idle' && (
            <progress
              className="w-full"
              aria-label={PHASES[data.phase]}
              value={data.bytes.done}
              max={Math.max(1, data.bytes.total)}
            />
          )}
          {data.problems.length > 0 && (
            <details>
              <summary className="cursor-pointer font-medium">Damaged lines</summary>
              <ul className="mt-2 flex flex-col gap-1 text-sm text-ink-2">
                {data.problems.slice(0, SHOWN_PROBLEMS).map(({ path, problem, count, isRead }) => (
                  <li key={`${path} ${problem}`}>
                    {problem}, {count}× in <span className="font-mono break-all">{path}</span>
                    {isRead ? ', read anyway' : ', skipped'}
                  </li>
                ))}
              </ul>
            </details>
          )}
          {data.unknownLineTypes.length > 0 && (
            <p className="text-ink-3">
              Line types this version doesn't know:{' '}
              {data.unknownLineTypes.map(({ type, count }) => `${type} (${count})`).join(', ')}
            </p>
          )}
        </>
      )}
    </Section>
  );
}

function formatBytes(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(0)} MB`;
  return `${Math.ceil(bytes / 1e3)} KB`;
}
