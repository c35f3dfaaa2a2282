import { notifyRoutes } from '../http/notify.ts';
import { Notify } from '../notify/notify.ts';
import type { AccessPart } from './access.ts';
import type { ApprovalsPart } from './approvals.ts';
import { type Base, urlOf } from './base.ts';
import type { CorePart } from './core.ts';
import type { PermissionsPart } from './permissions.ts';
import type { RemotePart } from './remote.ts';
import type { RulesPart } from './rules.ts';

type Needs = Pick<CorePart, 'core'> &
  Pick<AccessPart, 'devices' | 'passkeys'> &
  Pick<RemotePart, 'publicUrls'> &
  Pick<ApprovalsPart, 'approvals' | 'presence'> &
  Pick<RulesPart, 'io'> &
  Pick<PermissionsPart, 'judge'>;

/** Tells the operator, on every device and channel they chose, that an agent needs them. */
export function notifyPart(base: Base, { core, devices, passkeys, publicUrls, approvals, presence, io, judge }: Needs) {
  const notify = new Notify({
    ...base,
    core,
    approvals,
    presence,
    io,
    toolCall: (approval) => judge.toolCall(approval),
    // a phone cannot open an address of this machine
    projectsOf: (deviceId) => devices.get(deviceId)?.projects ?? [],
    pageUrl: () => publicUrls()[0] ?? urlOf(base),
    canAnswer: (deviceId) => {
      const device = devices.get(deviceId);
      return !device || !passkeys.isNeeded({ device, action: 'allow_blind', isElsewhere: device.remote });
    },
  });
  devices.onRevoked(({ id }) => notify.forgetDevice(id));
  return {
    isBlind: notify.isBlind,
    routes: [notifyRoutes({ notify })],
    start: () => notify.start(),
    stop: () => notify.stop(),
  };
}
