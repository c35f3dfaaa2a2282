import { CircleX, TriangleAlert } from 'lucide-react';
import type { BlueprintProblem } from '../../../src/contract/blueprints.ts';
import { clip } from '../ui/format.ts';

interface Props {
  problems: readonly BlueprintProblem[];
  /** Jumps to the line. Absent: the problem has no line. */
  onOpen: ((problem: BlueprintProblem) => void) | undefined;
}

/** What is wrong, with file and line. */
export function ProblemList({ problems, onOpen }: Props) {
  return (
    <section aria-label="Problems" aria-live="polite">
      {problems.length > 0 && (
        <ul className="panel divide-y divide-line">
          {problems.map((problem) => {
            const { severity, file, line, column, path, message } = problem;
            const isError = severity === 'error';
            const Icon = isError ? CircleX : TriangleAlert;
            const place = `${file}:${line}:${column}`;
            return (
              <li
                key={`${place} ${message}`}
                data-tone={isError ? 'red' : 'amber'}
                className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2"
              >
                <Icon
                  aria-label={isError ? 'Error' : 'Warning'}
                  size={14}
                  className="shrink-0 translate-y-0.5 text-tone"
                />
                {onOpen ? (
                  <button type="button" className="text-button font-mono" onClick={() => onOpen(problem)}>
                    {place}
                  </button>
                ) : (
                  <span className="font-mono text-ink-2">{place}</span>
                )}
                <span className="min-w-0 break-words">
                  {path.length > 0 && <code className="mr-1.5">{clip(path.join('.'), { max: 100 })}</code>}
                  {clip(message, { max: 500 })}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
