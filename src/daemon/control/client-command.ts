import { DomainError } from '../errors.ts';

/**
 * `/compact`, `/clear`, `!ls`: what only the input line of the client understands. Sent from outside it reaches the model as plain text, and
 * does nothing. A path (`/etc/hosts`) is no command.
 */
export function findClientCommand(text: string): string | undefined {
  const [, slash] = /^(\/[A-Za-z][\w:.-]*)(?:\s|$)/.exec(text) ?? [];
  if (slash) return slash;
  const [, shell] = /^(!\s*\S+)/.exec(text) ?? [];
  return shell;
}

export class ClientCommand extends DomainError {
  constructor(command: string) {
    super(
      'prompt.client_command',
      409,
      `${command} is a command for Claude Code's own input line. Sent from here, it would reach the model as plain text and not run. Type it in the terminal, or send it as text: gctl tell --as-text, or asText in the API.`,
      { command },
    );
  }
}
