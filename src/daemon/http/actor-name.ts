import type { KnownDevice } from '../access/devices.ts';

/** Who acts, for the audit record. */
export function actorName(device: KnownDevice | undefined): string {
  return device ? `${device.name} (${device.id.slice(0, 8)})` : 'hook';
}
