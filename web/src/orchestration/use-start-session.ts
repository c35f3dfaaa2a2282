import { useMutation } from '@tanstack/react-query';
import type { StartRequest } from '../../../src/contract/orchestration.ts';
import { startSession } from '../../../src/contract/routes/orchestration.ts';
import { call } from '../api/request.ts';

export interface NewSession {
  cwd: string;
  prompt: string;
  name: string;
  blueprint: string;
  parameters: Record<string, string>;
  driver: 'claude' | 'native';
  worktree: boolean;
  dollars: string;
  allowedTools: string;
}

export function useStartSession(onStarted: (id: string) => void) {
  return useMutation({
    mutationFn: (session: NewSession) => call(startSession, { body: toRequest(session) }),
    onSuccess: ({ id }) => onStarted(id),
  });
}

/** The filled-in fields only: the daemon has its own defaults. */
export function toRequest(session: NewSession): StartRequest {
  const { cwd, prompt, name, blueprint, parameters, driver, worktree, dollars, allowedTools } = session;
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return {
    prompt,
    driver,
    parameters: Object.fromEntries(given.map(([key, value]) => [key, parseParameter(value)])),
    allowedTools: allowedTools
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    ...(cwd === '' ? {} : { cwd }),
    ...(name === '' ? {} : { name }),
    ...(blueprint === '' ? {} : { blueprint }),
    ...(worktree && cwd !== '' ? { worktree: {} } : {}),
    ...(dollars === '' ? {} : { budget: { dollars: Number(dollars) } }),
  };
}

/** Parses numbers, booleans and lists as JSON, and keeps everything else as text. */
function parseParameter(text: string): unknown {
  if (!/^(-?\d|true$|false$|null$|\[|\{)/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
