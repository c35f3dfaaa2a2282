import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import type { Pairing } from '../../../src/contract/access.ts';
import { confirmPairing, listPairings, refusePairing } from '../../../src/contract/routes/access.ts';
import { call, messageOf } from '../api/request.ts';
import { displayPath } from '../ui/display-path.ts';
import { clipLine } from '../ui/format.ts';
import { toast } from '../ui/toasts.tsx';
import { ROLE_NAMES } from './role-names.ts';

/** Devices on other machines that opened a pairing link. The operator compares the code with the one on the device. */
export function Pairings() {
  const { data } = useQuery({
    queryKey: ['pairings'],
    queryFn: ({ signal }) => call(listPairings, { signal }),
  });
  if (!data || data.pairings.length === 0) return null;
  return (
    <section aria-label="Devices to confirm" className="notice flex flex-col gap-3" data-tone="amber">
      <p className="flex items-start gap-2">
        <Smartphone aria-hidden size={17} className="mt-0.5 shrink-0 text-tone" />
        <span>Confirm a device only if you're holding it and it shows the same code.</span>
      </p>
      <ul className="flex flex-col divide-y divide-line">
        {data.pairings.map((pairing) => (
          <PairingRow key={pairing.id} pairing={pairing} />
        ))}
      </ul>
    </section>
  );
}

function PairingRow({ pairing: { id, name, role, projects, match } }: { pairing: Pairing }) {
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: (what: 'confirm' | 'refuse') =>
      call(what === 'confirm' ? confirmPairing : refusePairing, { params: { id } }),
    onError: (error) => toast({ tone: 'red', text: messageOf(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['pairings'] }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <p className="min-w-0 flex-1">
        <strong className="font-mono">{match}</strong> · <bdi>{clipLine(name, 60)}</bdi> · {ROLE_NAMES[role]}
        {projects.length > 0 && ` in ${projects.map((path) => displayPath(path)).join(', ')}`}
      </p>
      <button type="button" className="button" disabled={answer.isPending} onClick={() => answer.mutate('refuse')}>
        Refuse
      </button>
      <button
        type="button"
        className="button"
        data-kind="primary"
        disabled={answer.isPending}
        onClick={() => answer.mutate('confirm')}
      >
        Confirm {match}
      </button>
    </li>
  );
}
