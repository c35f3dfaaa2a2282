import { GitBranch, MessagesSquare } from 'lucide-react';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { clipLine, shortModel } from '../ui/format.ts';

export function CardCells({ session }: { session: LiveSession }) {
  const { projectDisplayName, projectPath, gitBranch, model, turnCount } = session;
  return (
    <div className="card-cells">
      <span data-cell="project" className="font-medium text-ink-2" title={clipLine(projectPath ?? '', 300)}>
        <bdi>{clipLine(projectDisplayName, 80) || 'No project'}</bdi>
      </span>
      {gitBranch && (
        <span data-cell="branch" title={clipLine(gitBranch, 300)}>
          <GitBranch aria-label="Branch" size={12} className="mr-1 inline align-[-1px]" />
          <bdi>{clipLine(gitBranch, 80)}</bdi>
        </span>
      )}
      {model && (
        <span data-cell="model" title={clipLine(model, 120)}>
          <bdi>{shortModel(model)}</bdi>
        </span>
      )}
      {turnCount > 0 && (
        <span data-cell="turns" title={turnCount === 1 ? '1 turn' : `${turnCount} turns`}>
          <MessagesSquare aria-label="Turns" size={12} className="mr-1 inline align-[-1px]" />
          {turnCount}
        </span>
      )}
    </div>
  );
}
