import { createAccess } from '../access/create-access.ts';
import { accessRoutes } from '../http/access.ts';
import { passkeyRoutes } from '../http/passkeys.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';
import type { RemotePart } from './remote.ts';

const SAVE_MS = 10_000;

export type AccessPart = Awaited<ReturnType<typeof accessPart>>;

type Needs = Pick<CorePart, 'core'> & Pick<RemotePart, 'publicUrls'> & { isDetached: boolean; isDemo: boolean };

/** Who may sign in, and who may act. */
export async function accessPart(base: Base, { core, publicUrls, isDetached, isDemo }: Needs) {
  const access = await createAccess({ ...base, core, publicUrls, isDetached, isSimulated: isDemo });
  const save = () => {
    try {
      access.save();
    } catch (error) {
      base.onError(error);
    }
  };
  let saving: NodeJS.Timeout | undefined;
  return {
    ...access,
    routes: [
      accessRoutes({ ...access, publicUrls, port: base.port, record: core.record }),
      passkeyRoutes({ ...access, publicUrls }),
    ],
    start() {
      saving = setInterval(save, SAVE_MS);
    },
    stop: () => clearInterval(saving),
    close() {
      access.stop();
      save();
    },
  };
}
