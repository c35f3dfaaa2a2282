import { useQuery } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import { confirmPairing, listPairings, refusePairing } from '../../../src/contract/routes/access.ts';
import { call } from '../api/request.ts';
import { displayPath } from '../ui/display-path.ts';
import { clipLine } from '../ui/format.ts';
import { ConfirmList, ConfirmRow } from './confirm-list.tsx';
import { ROLE_NAMES } from './role-names.ts';

/** Devices on other machines that opened a pairing link. The operator compares the code with the one on the device. */
export function Pairings() {
  const { data } = useQuery({
    queryKey: ['pairings'],
    queryFn: ({ signal }) => call(listPairings, { signal }),
  });
  if (!data || data.pairings.length === 0) return null;
  return (
    <ConfirmList
      label="Devices to confirm"
      icon={Smartphone}
      about="Confirm a device only if you're holding it and it shows the same code."
    >
      {data.pairings.map(({ id, name, role, projects, match }) => (
        <ConfirmRow
          key={id}
          code={match}
          refusal="Refuse"
          confirm={() => call(confirmPairing, { params: { id } })}
          refuse={() => call(refusePairing, { params: { id } })}
          queryKey="pairings"
        >
          <strong className="font-mono">{match}</strong> · <bdi>{clipLine(name, 60)}</bdi> · {ROLE_NAMES[role]}
          {projects.length > 0 && ` in ${projects.map((path) => displayPath(path)).join(', ')}`}
        </ConfirmRow>
      ))}
    </ConfirmList>
  );
}
