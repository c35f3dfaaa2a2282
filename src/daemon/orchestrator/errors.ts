import { DomainError } from '../errors.ts';

export const unknownSession = (ref: string): DomainError =>
  new DomainError(
    'session.unknown',
    404,
    `Ground Control started no session "${ref}". \`gctl list\` shows the ones it did.`,
  );

export const ambiguousName = (name: string, projects: (string | null)[]): DomainError =>
  new DomainError(
    'session.ambiguous',
    409,
    `Several projects have a session "${name}": ${projects.map((project) => project ?? 'no project').join(', ')}. Choose one: --project DIR.`,
    { projects },
  );

export const nameTaken = (name: string, project: string | null): DomainError =>
  new DomainError(
    'session.name_taken',
    409,
    `A session "${name}" already exists in ${project ?? 'that folder'}. Resume it (gctl resume ${name}), delete it (gctl delete ${name}), or use another name.`,
  );

export const stillRunning = (name: string): DomainError =>
  new DomainError('session.running', 409, `"${name}" is running. Stop it first: gctl stop ${name}`);

export const notItsOwn = (what: string): DomainError => new DomainError('access.not_its_child', 403, what);

export const openInTerminal = (id: string): DomainError =>
  new DomainError(
    'session.in_terminal',
    409,
    `Session ${id} is open in a terminal. Close it there first, or send it a prompt: gctl tell ${id}`,
  );
