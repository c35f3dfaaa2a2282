import { getStopWait, setStopWait } from '../../../src/contract/routes/control.ts';
import { call } from '../api/request.ts';
import { SecondsSetting } from '../settings/seconds-setting.tsx';

const CHOICES = [0, 5, 10, 30, 60, 300];

/** How long a stop waits for a session that is thinking. */
export function StopWait() {
  return (
    <SecondsSetting
      label="Wait for the next hook"
      queryKey="stop-wait"
      load={(signal) => call(getStopWait, { signal })}
      save={(seconds) => call(setStopWait, { body: { seconds } })}
      secondsOf={({ seconds }) => seconds}
      choices={CHOICES}
      none="not at all"
    >
      {() =>
        "A thinking agent can't be reached until its next tool call. After this time, Ground Control asks before ending its process."
      }
    </SecondsSetting>
  );
}
