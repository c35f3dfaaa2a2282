import type { HooksPreview, HooksStatus } from '../../contract/hooks.ts';
import type { DataDir } from '../data-dir.ts';
import { findClientVersion } from './client-version.ts';
import { hookStatus, previewHooks, registerHooks, removeRegisteredHooks } from './registrar.ts';

export interface HooksControlOptions {
  dataDir: DataDir;
  configDir: string;
  port: () => number;
  token: string;
}

export type HooksControl = ReturnType<typeof createHooksControl>;

/** Registration with the person's consent: asked once, remembered, and done again at each start. */
export function createHooksControl({ dataDir, configDir, port, token }: HooksControlOptions) {
  const target = async () => ({
    configDir,
    port: port(),
    token,
    clientVersion: await findClientVersion({ configDir }),
  });

  async function status(): Promise<HooksStatus> {
    const consent = dataDir.preferences().hooks ?? 'unasked';
    return { consent, ...(await hookStatus(await target())) };
  }

  return {
    status,
    async preview(): Promise<HooksPreview> {
      const { path, diff } = await previewHooks(await target());
      return { path, diff };
    },
    async install(): Promise<HooksStatus> {
      await registerHooks(await target());
      dataDir.savePreferences({ hooks: 'yes' });
      return status();
    },
    async remove(): Promise<HooksStatus> {
      await removeRegisteredHooks({ configDir });
      dataDir.savePreferences({ hooks: 'no' });
      return status();
    },
    async onStart(): Promise<void> {
      if (dataDir.preferences().hooks === 'yes') await registerHooks(await target());
    },
    async onStop(): Promise<void> {
      if (dataDir.preferences().hooks === 'yes') await removeRegisteredHooks({ configDir });
    },
  };
}
