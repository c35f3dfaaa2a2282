import { getApprovalTimeout, setApprovalTimeout } from '../../../../src/contract/routes/approvals.ts';
import { call } from '../../api/request.ts';
import { SecondsSetting } from '../../settings/seconds-setting.tsx';

const CHOICES = [10, 30, 60, 300, 900, 3600, 8 * 3600, 24 * 3600];

/** How long a program that asks through the API waits, unless its request says otherwise. */
export function ApprovalTimeout() {
  return (
    <SecondsSetting
      label="Deny after"
      queryKey="approval-timeout"
      load={(signal) => call(getApprovalTimeout, { signal })}
      save={(seconds) => call(setApprovalTimeout, { body: { seconds } })}
      secondsOf={({ seconds }) => seconds}
      choices={CHOICES}
      isFixed={({ from }) => from === 'environment'}
    >
      {(value) =>
        value?.from === 'environment'
          ? 'Set by AGENT_ORCHESTRATOR_APPROVAL_TIMEOUT in the environment.'
          : 'A request can set its own timeout.'
      }
    </SecondsSetting>
  );
}
