import { getRouteApi, Link } from '@tanstack/react-router';
import { Copy, Lock, Play, Save, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Blueprint, BlueprintProblem, BlueprintScope, BlueprintTexts } from '../../../src/contract/blueprints.ts';
import { ForOperators, ViewerNote } from '../access/for-operators.tsx';
import { useRole } from '../access/use-role.ts';
import { ApiError, messageOf } from '../api/request.ts';
import { NewSessionDialog } from '../orchestration/new-session-dialog.tsx';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { displayPath } from '../ui/display-path.ts';
import { useDraft } from '../ui/drafts.ts';
import { Page } from '../ui/page.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { FILES, type FileId, fileOf, isWritable, lineRange, newTexts, SCOPE_NAMES } from './blueprint-texts.ts';
import { draftKey, NewBlueprintDialog } from './new-blueprint-dialog.tsx';
import { ProblemList } from './problem-list.tsx';
import { useBlueprint, useBlueprintActions, useBlueprintCheck } from './use-blueprints.ts';

const route = getRouteApi('/agents/$scope/$name');

export function BlueprintPage() {
  const { scope, name } = route.useParams();
  const { project, new: isNew } = route.useSearch();
  const { data, error, isPending, refetch } = useBlueprint(name, scope as BlueprintScope, project);
  if (isPending)
    return (
      <Page title={name}>
        <Skeleton lines={8} what="the blueprint" />
      </Page>
    );
  const isMissing = error instanceof ApiError && error.status === 404;
  if (error && !(isNew && isMissing))
    return (
      <Page title={name}>
        <Failure message={messageOf(error)} onRetry={() => void refetch()} />
        <Link to="/agents" search={project ? { project } : {}} className="link mt-3 inline-block">
          All blueprints
        </Link>
      </Page>
    );
  const key = `${scope}/${name}`;
  return <Editor key={key} name={name} scope={scope as BlueprintScope} project={project} blueprint={data ?? null} />;
}

interface EditorProps {
  name: string;
  scope: BlueprintScope;
  project: string | undefined;
  /** null: not saved yet. */
  blueprint: Blueprint | null;
}

function Editor({ name, scope, project, blueprint }: EditorProps) {
  const saved = blueprint ? blueprint.texts : newTexts(name);
  const [draft, setDraft, dropDraft] = useDraft<BlueprintTexts | null>(draftKey(scope, name, project), null);
  /** The version the edit started from: someone else may save meanwhile. */
  const [base, setBase] = useState(blueprint?.version ?? null);
  const [dialog, setDialog] = useState<'copy' | 'remove' | 'start' | null>(null);
  const navigate = route.useNavigate();
  const viewer = useRole() === 'viewer';
  const { save } = useBlueprintActions(project);
  const texts = draft ?? saved;
  const canEdit = isWritable(scope) && !viewer && texts !== null;
  const check = useBlueprintCheck(name, canEdit ? texts : null);
  const problems = (canEdit ? check.data : undefined) ?? blueprint?.problems ?? [];
  const errors = problems.filter(({ severity }) => severity === 'error');
  const isChanged = blueprint === null || (draft !== null && JSON.stringify(draft) !== JSON.stringify(saved));
  const fields = useRef<Partial<Record<FileId, HTMLTextAreaElement | null>>>({});

  const submit = () => {
    if (!canEdit || !texts || !isWritable(scope) || save.isPending || !isChanged) return;
    const saving = save.mutateAsync({ name, scope, texts, expected: base });
    // Not a callback of the mutation: the page may have reloaded the blueprint by then.
    saving.then(({ version }) => {
      dropDraft();
      setBase(version);
      toast({ text: `Saved ${name}` });
      void navigate({ search: project ? { project } : {}, replace: true });
    }, ignoreShown);
  };
  const goTo = (problem: BlueprintProblem) => {
    const field = fields.current[fileOf(problem)];
    if (!field) return;
    field.focus();
    const [start, end] = lineRange(field.value, problem.line);
    field.setSelectionRange(start, end);
    const lineHeight = Number.parseFloat(getComputedStyle(field).lineHeight) || 20;
    field.scrollTop = Math.max(0, (problem.line - 4) * lineHeight);
  };
  useShortcuts('Blueprint', canEdit ? [{ keys: ['mod+s'], what: 'Save', inFields: true, run: submit }] : []);

  return (
    <Page
      title={name}
      actions={
        <ForOperators>
          {blueprint && (
            <>
              <button type="button" className="button" disabled={errors.length > 0} onClick={() => setDialog('start')}>
                <Play aria-hidden size={15} /> Start session…
              </button>
              <button type="button" className="button" onClick={() => setDialog('copy')}>
                <Copy aria-hidden size={15} /> Copy…
              </button>
            </>
          )}
          {canEdit && blueprint && (
            <button type="button" className="button" onClick={() => setDialog('remove')}>
              <Trash2 aria-hidden size={15} /> Delete…
            </button>
          )}
          {canEdit && (
            <button
              type="button"
              className="button"
              data-kind="primary"
              disabled={!isChanged || errors.length > 0 || save.isPending}
              onClick={submit}
            >
              <Save aria-hidden size={15} /> {save.isPending ? 'Saving…' : 'Save'}
            </button>
          )}
        </ForOperators>
      }
    >
      <div className="mx-auto flex max-w-[70rem] flex-col gap-4">
        <ViewerNote />
        <p className="text-ink-3">
          <Link to="/agents" search={project ? { project } : {}} className="link">
            Blueprints
          </Link>{' '}
          · {SCOPE_NAMES[scope]}
          {blueprint && (
            <>
              {' '}
              · <bdi className="font-mono">{displayPath(blueprint.path)}</bdi>
            </>
          )}
          {isChanged && <span className="font-medium text-ink-2"> · not saved</span>}
        </p>
        {!isWritable(scope) && (
          <p className="notice flex items-center gap-2" data-tone="gray">
            <Lock aria-hidden size={15} className="shrink-0" />
            Claude Code owns this file, so it can't be edited here. Copy it to create your own blueprint.
          </p>
        )}
        {save.error && (
          <Failure
            message={messageOf(save.error)}
            {...(isConflict(save.error) ? { onRetry: () => window.location.reload() } : {})}
          />
        )}
        {blueprint && base !== blueprint.version && isChanged && (
          <p className="notice" data-tone="amber" role="status">
            These files changed on disk after you opened them. Reload them before you save.{' '}
            <button
              type="button"
              className="text-button"
              onClick={() => {
                dropDraft();
                setBase(blueprint.version);
              }}
            >
              Discard my changes and reload
            </button>
          </p>
        )}
        <ProblemList problems={problems} onOpen={canEdit ? goTo : undefined} />
        {texts ? (
          <Files texts={texts} isReadOnly={!canEdit} onChange={setDraft} problems={problems} fields={fields.current} />
        ) : (
          <ReadOnly blueprint={blueprint!} />
        )}
        {canEdit && draft !== null && blueprint && isChanged && (
          <button type="button" className="text-button self-start" onClick={dropDraft}>
            Discard changes
          </button>
        )}
      </div>
      {dialog === 'copy' && blueprint && (
        <NewBlueprintDialog project={project} from={blueprint} onClose={() => setDialog(null)} />
      )}
      {dialog === 'remove' && blueprint && (
        <RemoveDialog blueprint={blueprint} project={project} onClose={() => setDialog(null)} />
      )}
      {dialog === 'start' && (
        <NewSessionDialog
          start={{ blueprint: name, ...(project ? { cwd: project } : {}) }}
          onClose={() => setDialog(null)}
        />
      )}
    </Page>
  );
}

/** The mutation's own error is shown. */
const ignoreShown = () => undefined;

const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409;

const ABOUT: Record<FileId, string> = {
  config: 'Name, description, model, tools, budget, parameters and result',
  systemPrompt: 'The system prompt. {{name}} is replaced by the parameter',
  mcp: 'MCP servers, in the format of .mcp.json',
};

interface FilesProps {
  texts: BlueprintTexts;
  isReadOnly: boolean;
  problems: readonly BlueprintProblem[];
  fields: Partial<Record<FileId, HTMLTextAreaElement | null>>;
  onChange: (texts: BlueprintTexts) => void;
}

function Files({ texts, isReadOnly, problems, fields, onChange }: FilesProps) {
  return (['config', 'systemPrompt', 'mcp'] as const).map((id) => {
    const text = texts[id];
    if (text === null)
      return isReadOnly ? null : (
        <button
          key={id}
          type="button"
          className="button self-start"
          onClick={() => onChange({ ...texts, mcp: '{\n  "mcpServers": {}\n}\n' })}
        >
          Add {FILES.mcp}
        </button>
      );
    const isWrong = problems.some((problem) => problem.severity === 'error' && fileOf(problem) === id);
    return (
      <label key={id} className="flex flex-col gap-1">
        <span className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-mono font-medium">{FILES[id]}</span>
          <span className="text-sm text-ink-3">{ABOUT[id]}</span>
        </span>
        <textarea
          ref={(field) => {
            fields[id] = field;
          }}
          className="field blueprint-text"
          data-keep={`blueprint:${id}`}
          rows={Math.min(28, Math.max(6, text.split('\n').length + 1))}
          spellCheck={id === 'systemPrompt'}
          readOnly={isReadOnly}
          aria-invalid={isWrong || undefined}
          maxLength={256 * 1024}
          value={text}
          onChange={({ target }) => onChange({ ...texts, [id]: target.value })}
        />
        {id === 'mcp' && !isReadOnly && (
          <button type="button" className="text-button self-start" onClick={() => onChange({ ...texts, mcp: null })}>
            Remove {FILES.mcp}
          </button>
        )}
      </label>
    );
  });
}

function ReadOnly({ blueprint: { config, systemPrompt } }: { blueprint: Blueprint }) {
  return (
    <>
      {config && (
        <section aria-label="Settings">
          <h2 className="mb-1 font-medium">Settings</h2>
          <pre className="field blueprint-text overflow-auto">{JSON.stringify(config, null, 2)}</pre>
        </section>
      )}
      <section aria-label="System prompt">
        <h2 className="mb-1 font-medium">System prompt</h2>
        <pre className="field blueprint-text overflow-auto whitespace-pre-wrap">{systemPrompt}</pre>
      </section>
    </>
  );
}

interface RemoveProps {
  blueprint: Blueprint;
  project: string | undefined;
  onClose: () => void;
}

function RemoveDialog({ blueprint: { name, scope, path, version }, project, onClose }: RemoveProps) {
  const { remove } = useBlueprintActions(project);
  const navigate = route.useNavigate();
  const submit = () => {
    if (!isWritable(scope)) return;
    remove.mutateAsync({ name, scope, expected: version }).then(() => {
      toast({ text: `Deleted ${name}` });
      void navigate({ to: '/agents', search: project ? { project } : {} });
    }, ignoreShown);
  };
  return (
    <ActionDialog
      title={`Delete ${name}`}
      action="Delete blueprint"
      icon={Trash2}
      isDestructive
      isPending={remove.isPending}
      error={remove.error && messageOf(remove.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        Deletes <code className="code break-all">{path}</code>. Sessions started with it keep running.
      </p>
    </ActionDialog>
  );
}
