import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Blueprint, BlueprintTexts, WritableScope } from '../../../src/contract/blueprints.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { drafts } from '../ui/drafts.ts';
import { newTexts, SCOPE_NAMES, textsOf } from './blueprint-texts.ts';

const NAME = /^[A-Za-z0-9_-]{1,60}$/;

export const draftKey = (scope: string, name: string, project: string | undefined) =>
  `blueprint:${scope}:${name}:${project ?? ''}`;

interface Props {
  project: string | undefined;
  /** To copy. */
  from?: Blueprint;
  onClose: () => void;
}

/** Asks for the name and location. The rest is written in the editor, and nothing is saved before that. */
export function NewBlueprintDialog({ project, from, onClose }: Props) {
  const [name, setName] = useState(from ? `${from.name}-copy`.slice(0, 60) : '');
  const [scope, setScope] = useState<WritableScope>(project === undefined ? 'user' : 'project');
  const navigate = useNavigate();
  const open = () => {
    const texts: BlueprintTexts = from ? textsOf(from, name) : newTexts(name);
    drafts.set(draftKey(scope, name, project), texts);
    onClose();
    void navigate({
      to: '/agents/$scope/$name',
      params: { scope, name },
      search: { new: true, ...(project ? { project } : {}) },
    });
  };
  return (
    <ActionDialog
      title={from ? `Copy ${from.name}` : 'New blueprint'}
      action="Continue"
      icon={Plus}
      isDisabled={!NAME.test(name)}
      onSubmit={open}
      onClose={onClose}
    >
      <label className="flex flex-col gap-1">
        Name
        <input
          data-first
          required
          className="field font-mono"
          pattern="[A-Za-z0-9_\-]{1,60}"
          title="1 to 60 letters, digits, - and _"
          placeholder="reviewer"
          spellCheck={false}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <span className="text-sm text-ink-3">Letters, digits, - and _. Its folder gets this name.</span>
      </label>
      <label className="flex flex-col gap-1">
        Save in
        <select className="field" value={scope} onChange={({ target }) => setScope(target.value as WritableScope)}>
          {project !== undefined && <option value="project">{SCOPE_NAMES.project}</option>}
          <option value="user">{SCOPE_NAMES.user}</option>
        </select>
        {project === undefined && (
          <span className="text-sm text-ink-3">Choose a project on the page to save it there.</span>
        )}
      </label>
    </ActionDialog>
  );
}
