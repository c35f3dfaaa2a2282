import { DomainError } from '../errors.ts';

export class WorktreeUnknown extends DomainError {
  constructor(id: string) {
    super('worktree.unknown', 404, `No worktree ${id}. \`gctl worktrees\` lists them.`);
  }
}

/** The state of the worktree or its repository prevents the action. */
export class WorktreeRefused extends DomainError {
  constructor(code: string, message: string, details: Record<string, unknown> = {}) {
    super(`worktree.${code}`, 409, message, details);
  }
}
