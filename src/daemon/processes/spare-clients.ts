import { join } from 'node:path';

/** The Agent SDK keeps a started client in a folder of its own there until a session takes it. Until then it is no session. */
export function isSpareFolder(cwd: unknown, configDir: string): boolean {
  return typeof cwd === 'string' && cwd.startsWith(join(configDir, 'spares', '/'));
}
