import { getHold, setHold } from '../../../../src/contract/routes/approvals.ts';
import { call } from '../../api/request.ts';
import { SecondsSetting } from '../../settings/seconds-setting.tsx';

const CHOICES = [60, 300, 900, 1800, 3600, 2 * 3600, 8 * 3600, 23 * 3600];

/** How long requests that only this page shows are held. */
export function HoldTime() {
  return (
    <SecondsSetting
      label="Hold for up to"
      queryKey="hold"
      load={(signal) => call(getHold, { signal })}
      save={(holdSeconds) => call(setHold, { body: { holdSeconds } })}
      secondsOf={({ holdSeconds }) => holdSeconds}
      choices={CHOICES}
    >
      {() =>
        'After that, the terminal shows its own dialog. A headless run (claude -p) continues as it would without Ground Control: the call is denied.'
      }
    </SecondsSetting>
  );
}
