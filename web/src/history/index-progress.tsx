import { Failure } from '../ui/states.tsx';
import { useIndexStatus } from './use-index-status.ts';

const WORDS = {
  finding: 'Looking for transcripts',
  totals: 'Adding up tokens and costs',
  text: 'Indexing transcripts for search',
  idle: '',
};

/** Indexing progress, and a note that more results will follow. */
export function IndexProgress() {
  const status = useIndexStatus();
  if (!status || status.phase === 'idle') return null;
  const { phase, bytes, files, failure } = status;
  const share = bytes.total > 0 ? Math.min(1, bytes.done / bytes.total) : 0;
  return (
    <div role="status" className="index-progress">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-semibold">{WORDS[phase]}…</span>
        {files.total > 0 && (
          <span className="text-ink-2 tabular-nums">
            {files.done} of {files.total} files
          </span>
        )}
      </p>
      <progress aria-label={WORDS[phase]} max={1} value={share} className="index-bar" />
      {failure === null ? (
        <p className="text-ink-3">Results so far are correct. More will appear as files are read.</p>
      ) : (
        <Failure message={`Indexing stopped: ${failure}. Retrying every few seconds.`} />
      )}
    </div>
  );
}
