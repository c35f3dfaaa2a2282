import type { Rule } from '../../../src/contract/rules.ts';
import { messageOf } from '../api/request.ts';
import { formatDateTime } from '../ui/dates.ts';
import { Dialog } from '../ui/dialog.tsx';
import { humanize } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { changesBetween } from './changes-between.ts';
import { useRuleActions, useVersions } from './use-rules.ts';

/** Who changed what, with a button to restore. */
export function VersionsDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { data, error, isPending, refetch } = useVersions(rule.id);
  const { restore } = useRuleActions();
  const versions = [...(data ?? [])].sort((a, b) => b.version - a.version);
  return (
    <Dialog title="Earlier versions" onClose={onClose}>
      {isPending && <Skeleton what="the versions" />}
      {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
      <ol className="flex w-[36rem] max-w-full flex-col divide-y divide-line">
        {versions.map((version, index) => {
          const changes = changesBetween(versions[index + 1]?.rule ?? null, version.rule);
          return (
            <li key={version.version} className="flex items-start gap-4 py-3">
              <div className="min-w-0 flex-1">
                <p>
                  <span className="font-semibold">Version {version.version}</span>{' '}
                  <span className="text-ink-3">
                    {humanize(version.action).toLowerCase()} by {version.by}, {formatDateTime(version.at)}
                  </span>
                </p>
                <ul className="mt-1 text-md text-ink-2">
                  {changes.map(({ name, before, after }) => (
                    <li key={name} className="break-words">
                      <span className="text-ink-3">{name}:</span>{' '}
                      {before !== null && (
                        <>
                          <del className="font-mono text-code">{before}</del> →{' '}
                        </>
                      )}
                      <span className="font-mono text-code">{after}</span>
                    </li>
                  ))}
                </ul>
              </div>
              {version.version !== rule.version && (
                <button
                  type="button"
                  className="button"
                  disabled={restore.isPending}
                  onClick={() => restore.mutate({ id: rule.id, version: version.version }, { onSuccess: onClose })}
                >
                  Restore
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}
