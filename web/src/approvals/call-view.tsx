import { Suspense } from 'react';
import { lazyPart } from '../app/load-part.ts';
import { humanise } from '../ui/format.ts';
import { pathInProject } from '../ui/say-path.ts';
import { CallText } from './call-text.tsx';
import { editsIn } from './edits-in.ts';

const EditDiff = lazyPart(() => import('./edit-diff.tsx'));

interface Props {
  toolName: string;
  input: Record<string, unknown>;
  /** The project's: paths in it are said from there. */
  folder?: string | null | undefined;
}

/** What a tool call would do, as one needs to see it to judge: the command, the change to the file, or its fields. */
export function CallView({ toolName, input, folder }: Props) {
  const edits = editsIn(toolName, input);
  if (edits) {
    return (
      <Suspense fallback={<p className="text-ink-3">Comparing…</p>}>
        <EditDiff edits={edits} folder={folder} />
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
            {description.slice(0, 500)}
          </p>
        )}
        <Fields fields={rest} folder={folder} />
      </>
    );
  }
  return <Fields fields={input} folder={folder} empty="It comes without input." />;
}

const MAX_FIELDS = 40;

interface FieldsProps {
  fields: Record<string, unknown>;
  folder: string | null | undefined;
  empty?: string;
}

function Fields({ fields, folder, empty }: FieldsProps) {
  const entries = Object.entries(fields);
  if (entries.length === 0) return empty ? <p className="text-ink-3">{empty}</p> : null;
  const short = entries.filter(([, value]) => isShort(value));
  const long = entries.filter(([, value]) => !isShort(value)).slice(0, MAX_FIELDS);
  return (
    <>
      {short.length > 0 && (
        <dl className="call-fields">
          {short.slice(0, MAX_FIELDS).map(([name, value]) => (
            <div key={name} className="contents">
              <dt>{humanise(name)}</dt>
              <dd dir="auto" title={isPath(name) ? String(value) : undefined}>
                {isPath(name) ? pathInProject(String(value), folder) : String(value)}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {long.map(([name, value]) => (
        <div key={name} className="flex flex-col gap-1">
          <p className="text-ink-3">{humanise(name)}</p>
          <CallText
            label={humanise(name)}
            text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
            prose={typeof value === 'string' && name !== 'pattern'}
          />
        </div>
      ))}
    </>
  );
}

const isPath = (field: string) => /(?:^|_)path$/.test(field);

function isShort(value: unknown): boolean {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return true;
  return typeof value === 'string' && value.length <= 160 && !value.includes('\n');
}
