import { DATA_FILES } from '../../contract/data-files.ts';
import type { Core } from '../core.ts';
import type { DataDir } from '../data-dir.ts';
import { readAncestors } from '../peers/ancestors.ts';
import { HookSource } from '../peers/hook-source.ts';
import type { ProcessKey } from '../peers/origin.ts';
import { Origins, startOf } from '../peers/origins.ts';
import { SavedProcesses, SeenProcesses } from '../peers/seen-processes.ts';
import { watchTools } from '../peers/watch-tools.ts';
import { bootId } from '../processes/boot-id.ts';
import { Acting } from './acting.ts';
import { Challenges } from './challenges.ts';
import { Codes } from './codes.ts';
import { Devices } from './devices.ts';
import { Guard } from './guard.ts';
import { Pairings } from './pairings.ts';
import { Passkeys } from './passkeys/passkeys.ts';
import { Proofs } from './proofs.ts';
import { Refusals } from './refusals.ts';
import { SessionTokens } from './session-tokens.ts';
import { UnclearCallers } from './unclear-callers.ts';

export interface AccessOptions {
  core: Core;
  dataDir: DataDir;
  configDir: string;
  port: () => number;
  publicUrls: () => readonly string[];
  /** Started in the background, by a program that prints our first link. */
  isDetached: boolean;
  /** The agents are simulated, so none of them can have started a terminal or a program. */
  isSimulated?: boolean | undefined;
  now: () => number;
  onError: (error: unknown) => void;
}

/** Who may sign in, and who may act. */
export async function createAccess(options: AccessOptions) {
  const { core, dataDir, configDir, port, publicUrls, isDetached, isSimulated, now, onError } = options;
  const { hookToken, localToken } = dataDir.credentials();
  const { live, record } = core;
  const devices = new Devices(core.journal.db, now);
  devices.admitLocal(localToken);
  const sessionTokens = new SessionTokens(core.journal.db);
  const proofs = new Proofs({ devices, port });
  const seen = new SeenProcesses();
  const saved = dataDir.readOwn(DATA_FILES.processes, SavedProcesses);
  const boot = bootId();
  if (saved?.boot === boot) seen.load(saved);
  const unclear = new UnclearCallers(now);
  const origins = new Origins({ core, configDir, seen, isSimulated, isConfirmed: unclear.isConfirmed });
  const refusals = new Refusals({ record, live, now, onError });
  const acting = new Acting({
    origins,
    challenges: new Challenges(now),
    unclear,
    refusals,
    devices,
    titleOf: (id) => live.view(id)?.title ?? id,
    onUnclear: ({ code, sessionId }) => {
      const payload = {
        by: 'control',
        detail: `A program that session ${sessionId} may have started asks to act: ${code}`,
      };
      record({ sessionId: '', source: 'control', name: 'access.asked', payload }).catch(onError);
    },
    starter: isDetached ? await keyOfParent() : undefined,
    onError,
  });
  const passkeys = new Passkeys({
    db: core.journal.db,
    devices,
    settings: dataDir.setting('passkeys'),
    record,
    noteRefused({ name, id }, request, why) {
      const [method = '', path = ''] = request.split(' ', 2);
      refusals.note({ sessionId: undefined, by: `${name} (${id.slice(0, 8)})`, method, path, why });
    },
    now,
  });
  const lookout = watchTools({ core, seen, onError });
  return {
    devices,
    codes: new Codes(now),
    pairings: new Pairings(now),
    passkeys,
    sessionTokens,
    origins,
    guard: new Guard({ port, publicUrls, hookToken, devices, proofs, sessionTokens }),
    acting,
    unclear,
    hookSource: new HookSource({ origins, live, refusals }),
    run: proofs.run,
    /** Separate from requests, so none of them waits for the disk or fails with it. */
    save(): void {
      for (const { name, role } of devices.revokeIdle()) {
        const payload = { by: 'control', detail: `${name}, ${role}, was not used for 90 days` };
        record({ sessionId: '', source: 'control', name: 'access.expired', payload }).catch(onError);
      }
      devices.saveSeen();
      seen.prune(startOf);
      const processes = seen.save(boot);
      if (processes) dataDir.writeOwn(DATA_FILES.processes, processes);
    },
    stop: () => lookout.stop(),
  };
}

async function keyOfParent(): Promise<ProcessKey | undefined> {
  const [parent] = await readAncestors(process.ppid);
  return parent && { pid: parent.pid, start: parent.start };
}
