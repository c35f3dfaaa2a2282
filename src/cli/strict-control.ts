import type { StrictChange, StrictProject, StrictProjects } from '../contract/projects.ts';
import * as routes from '../contract/routes/projects.ts';
import { findDaemon } from './api.ts';
import { claudeConfigDir, defaultPort } from './common-options.ts';

interface StrictControl {
  isRunning: boolean;
  list(): Promise<StrictProjects>;
  set(change: StrictChange): Promise<StrictProject>;
}

/** Through the daemon if it is running, otherwise directly: strict mode must be removable when the daemon is dead. */
export async function strictControl(dataDir: string): Promise<StrictControl> {
  const api = await findDaemon(dataDir);
  if (api) {
    return {
      isRunning: true,
      list: () => api.call(routes.listStrictProjects),
      set: (change) => api.call(routes.setStrictProject, { body: change }),
    };
  }
  const [{ DataDir }, { createStrictControl }] = await Promise.all([
    import('../daemon/data-dir.ts'),
    import('../daemon/drivers/terminal/strict/strict-control.ts'),
  ]);
  const own = { dataDir: new DataDir(dataDir), configDir: claudeConfigDir(), port: defaultPort, isRunning: false };
  const { list, set } = createStrictControl(own);
  return { isRunning: false, list: async () => ({ projects: list() }), set };
}
