import { Suspense, useMemo } from 'react';
import { lazyPart } from '../../app/load-part.ts';
import { pathInProject } from '../../ui/display-path.ts';
import { clip, humanize } from '../../ui/format.ts';
import { useFullView, useLeftOut } from '../../ui/full-view.ts';
import { CallText } from './call-text.tsx';
import { DiffPlaceholder } from './diff-placeholder.tsx';
import { editsIn } from './edits-in.ts';
import { RevealHidden } from './reveal-hidden.tsx';

const EditDiff = lazyPart(() => import('./edit-diff.tsx'));

interface Props {
  toolName: string;
  input: Record<string, unknown>;
  /** The project folder: paths inside it are shown relative to it. */
  folder?: string | null | undefined;
  /** The approval for this call: its edit is compared with the file. */
  approvalId?: string;
}

/** What a tool call would do, shown so the operator can judge it: the command, the file change, or its fields. */
export function CallView({ toolName, input, folder, approvalId }: Props) {
  // Memoized: a new object would trigger another comparison and measurement.
  const edits = useMemo(() => editsIn(toolName, input), [toolName, input]);
  if (edits) {
    return (
      <Suspense fallback={<DiffPlaceholder />}>
        <EditDiff edits={edits} folder={folder} approvalId={approvalId} />
      </Suspense>
    );
  }
  const { command, description, ...rest } = input;
  if (typeof command === 'string') {
    return (
      <>
        <CallText text={command} label="Command" />
        {typeof description === 'string' && description && (
          <p dir="auto" className="text-ink-2">
            {clip(description, { max: 500 })}
          </p>
        )}
        <Fields fields={rest} folder={folder} />
      </>
    );
  }
  return <Fields fields={input} folder={folder} empty="No input." />;
}

const MAX_FIELDS = 40;

interface FieldsProps {
  fields: Record<string, unknown>;
  folder: string | null | undefined;
  empty?: string;
}

function Fields({ fields, folder, empty }: FieldsProps) {
  const { isOpen } = useFullView();
  const all = Object.entries(fields);
  const entries = isOpen ? all : all.slice(0, MAX_FIELDS);
  useLeftOut(entries.length < all.length);
  if (entries.length === 0) return empty ? <p className="text-ink-3">{empty}</p> : null;
  const short = entries.filter(([, value]) => isShort(value));
  const long = entries.filter(([, value]) => !isShort(value));
  return (
    <>
      {short.length > 0 && (
        <dl className="call-fields">
          {short.map(([name, value]) => (
            <div key={name} className="contents">
              <dt>{humanize(name)}</dt>
              <dd dir="auto" title={isPath(name) ? String(value) : undefined}>
                <RevealHidden text={isPath(name) ? pathInProject(String(value), folder) : String(value)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {long.map(([name, value]) => (
        <div key={name} className="flex flex-col gap-1">
          <p className="text-ink-3">{humanize(name)}</p>
          <CallText
            label={humanize(name)}
            text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
            prose={typeof value === 'string' && name !== 'pattern'}
          />
        </div>
      ))}
      {entries.length < all.length && <p className="text-ink-3">{all.length - entries.length} more fields</p>}
    </>
  );
}

const isPath = (field: string) => /(?:^|_)path$/.test(field);

function isShort(value: unknown): boolean {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return true;
  return typeof value === 'string' && value.length <= 160 && !value.includes('\n');
}
