import { DomainError } from '../errors.ts';

/**
 * `/compact`, `/clear`, `!ls`: commands only the client's input line understands. Sent from outside, they reach the model as plain text and
 * do nothing. A path (`/etc/hosts`) isn't a command.
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
