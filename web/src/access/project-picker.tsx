import { useKnownProjects } from '../rules/known-projects.ts';
import { displayPath } from '../ui/display-path.ts';

interface Props {
  value: string[];
  onChange: (projects: string[]) => void;
}

/** Limits a new device to some of the projects on the board. */
export function ProjectPicker({ value, onChange }: Props) {
  const projects = useKnownProjects();
  if (projects.length === 0) return null;
  return (
    <details>
      <summary className="text-ink-2">
        {value.length === 0 ? 'All projects' : `Limited to ${value.map((path) => displayPath(path)).join(', ')}`}
      </summary>
      <fieldset className="mt-1 flex flex-col">
        <legend className="text-ink-3">Limit the new device to these projects</legend>
        {projects.map((path) => (
          <label key={path} className="flex min-h-8 items-center gap-2">
            <input
              type="checkbox"
              checked={value.includes(path)}
              onChange={({ target }) =>
                onChange(target.checked ? [...value, path] : value.filter((one) => one !== path))
              }
            />
            <span className="min-w-0 break-all">{displayPath(path)}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
