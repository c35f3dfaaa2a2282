import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Device, Role } from '../../../src/contract/access.ts';
import { createLink, listDevices, revokeDevice } from '../../../src/contract/routes/access.ts';
import { PairDevice } from '../access/pair-device.tsx';
import { Pairings } from '../access/pairings.tsx';
import { ProjectPicker } from '../access/project-picker.tsx';
import { ROLE_NAMES } from '../access/role-names.ts';
import { UnclearCallers } from '../access/unclear-callers.tsx';
import { call, messageOf } from '../api/request.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatDate, formatTime } from '../ui/dates.ts';
import { displayPath } from '../ui/display-path.ts';
import { Segmented } from '../ui/segmented.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Section } from './section.tsx';

const ROLES: ReadonlyArray<{ value: Role; label: string }> = (['admin', 'operator', 'viewer'] as const).map(
  (value) => ({ value, label: ROLE_NAMES[value] }),
);

/** This device first, then by last use. */
const byUse = (a: Device, b: Device) =>
  Number(b.current) - Number(a.current) || (b.lastSeenAt ?? 0) - (a.lastSeenAt ?? 0);

/** This machine's credential is in a file that every agent can read. */
function roleOf({ kind, role, projects }: Device): string {
  if (kind === 'local') return 'Admin from your terminals';
  return projects.length === 0
    ? ROLE_NAMES[role]
    : `${ROLE_NAMES[role]} in ${projects.map((path) => displayPath(path)).join(', ')}`;
}

const SOON_MS = 30 * 86_400_000;

/** Shown only when it matters. */
function expirySoon({ expiresAt }: Device): string | null {
  if (expiresAt === null || expiresAt - Date.now() > SOON_MS) return null;
  return ` · signed out on ${formatDate(expiresAt)} unless it's used`;
}

/** Signed-in devices, and a link to add one. */
export function DevicesSection() {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ['devices'] });
  const list = useQuery({
    queryKey: ['devices'],
    queryFn: ({ signal }) => call(listDevices, { signal }),
  });
  const revoke = useMutation({
    mutationFn: (device: Device) => call(revokeDevice, { params: { id: device.id } }),
    onSettled: refresh,
  });
  const [role, setRole] = useState<Role>('operator');
  const [projects, setProjects] = useState<string[]>([]);
  const invite = useMutation({
    mutationFn: () => call(createLink, { body: { role, projects: role === 'admin' ? [] : projects } }),
    onSettled: refresh,
  });

  return (
    <Section title="Devices" about="Signed-in browsers and programs. Revoke any time.">
      <Pairings />
      <UnclearCallers />
      {list.isPending && <Skeleton what="the devices" />}
      {list.error && <Failure message={messageOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && (
        <ul className="flex flex-col divide-y divide-line">
          {list.data.devices.toSorted(byUse).map((device) => (
            <li key={device.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <div className="min-w-0 flex-1">
                <p className="font-medium">
                  {device.name} {device.current && <span className="text-ink-3">(this one)</span>}
                </p>
                <p className="text-sm text-ink-3">
                  {roleOf(device)} ·{' '}
                  {device.lastSeenAt === null ? (
                    'never seen'
                  ) : (
                    <>
                      seen <Elapsed since={device.lastSeenAt} /> ago
                    </>
                  )}
                  {expirySoon(device)}
                </p>
              </div>
              {device.kind !== 'local' && (
                <button
                  type="button"
                  className="button"
                  aria-label={`Revoke ${device.name}`}
                  disabled={revoke.isPending}
                  onClick={() => revoke.mutate(device)}
                >
                  Revoke
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {revoke.error && <Failure message={messageOf(revoke.error)} />}
      <div className="flex flex-wrap items-center gap-3">
        <Segmented label="Access for the new device" value={role} options={ROLES} onChange={setRole} />
        <button type="button" className="button" disabled={invite.isPending} onClick={() => invite.mutate()}>
          Create link
        </button>
      </div>
      {role !== 'admin' && <ProjectPicker value={projects} onChange={setProjects} />}
      <PairDevice role={role} projects={role === 'admin' ? [] : projects} />
      {invite.error && <Failure message={messageOf(invite.error)} />}
      {invite.data && (
        <div className="notice flex flex-col gap-1" data-tone="blue">
          <p>Open this on the other browser, once, before {formatTime(invite.data.expiresAt)}:</p>
          <p className="flex items-center gap-2">
            <span className="min-w-0 flex-1 font-mono break-all">{invite.data.url}</span>
            <CopyButton text={invite.data.url} what="link" />
          </p>
          <p className="text-ink-2">
            Or enter the code <strong className="font-mono">{invite.data.code}</strong>
          </p>
        </div>
      )}
    </Section>
  );
}
