import { join } from 'node:path';

/** The Agent SDK keeps a started client in a separate folder there until a session takes it. Until then it isn't a session. */
export function isSpareFolder(cwd: unknown, configDir: string): boolean {
  return typeof cwd === 'string' && cwd.startsWith(join(configDir, 'spares', '/'));
}
