import { useId } from 'react';
import { useRecentProjects } from './recent-projects.ts';

/* Fields of every dialog that starts sessions. */

interface TextField {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function PromptField({ placeholder, value, onChange }: Omit<TextField, 'label'> & { placeholder: string }) {
  return (
    <label className="flex flex-col gap-1">
      Prompt
      <textarea
        required
        data-first
        rows={4}
        maxLength={200_000}
        className="field"
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

interface FolderFieldProps extends TextField {
  required?: boolean;
  placeholder?: string;
}

/** Suggests the folders of the sessions on the board. */
export function FolderField({ label, value, required = false, placeholder, onChange }: FolderFieldProps) {
  const folders = useId();
  const projects = useRecentProjects();
  return (
    <label className="flex flex-col gap-1">
      {label}
      <input
        required={required}
        className="field font-mono"
        list={folders}
        placeholder={placeholder}
        pattern="/.*"
        title="An absolute path"
        value={value}
        onChange={({ target }) => onChange(target.value.trim())}
      />
      <datalist id={folders}>
        {projects.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </label>
  );
}

type AgentDriver = 'claude' | 'native';

interface DriverSelectProps {
  label: string;
  className?: string;
  value: AgentDriver;
  onChange: (driver: AgentDriver) => void;
}

export function DriverSelect({ className = '', label, value, onChange }: DriverSelectProps) {
  return (
    <select
      aria-label={label}
      className={`field ${className}`}
      value={value}
      onChange={({ target }) => onChange(target.value === 'native' ? 'native' : 'claude')}
    >
      <option value="claude">Claude Code</option>
      <option value="native">Built-in agent</option>
    </select>
  );
}

export function BudgetField({ label, value, onChange }: TextField) {
  return (
    <label className="flex items-center justify-between gap-4">
      {label}
      <input
        type="number"
        min="0.01"
        step="0.01"
        className="field w-28 text-end"
        placeholder="None"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

export function AllowedToolsField({ value, onChange }: Omit<TextField, 'label'>) {
  return (
    <label className="flex flex-col gap-1">
      Pre-approved tools, one per line
      <textarea
        rows={3}
        className="field font-mono"
        placeholder={'Read\nBash(npm test*)'}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
