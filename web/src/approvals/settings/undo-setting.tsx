import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getUndoWindow, setUndoWindow } from '../../../../src/contract/routes/approvals.ts';
import { call, messageOf } from '../../api/request.ts';
import { Switch } from '../../ui/switch.tsx';

/** The daemon's value, unless the operator changed it here. */
const SECONDS = 4;
const KEY = ['undo-window'];

/** Whether decisions wait a moment before they take effect. */
export function UndoSetting() {
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: KEY, queryFn: () => call(getUndoWindow) });
  const save = useMutation({
    mutationFn: (seconds: number) => call(setUndoWindow, { body: { seconds } }),
    onSuccess: (saved) => queries.setQueryData(KEY, saved),
  });
  const failure = save.error ?? error;
  const seconds = save.isPending ? save.variables : (data?.seconds ?? SECONDS);
  return (
    <div className="flex flex-col gap-2">
      <Switch
        checked={seconds > 0}
        disabled={data === undefined || save.isPending}
        onChange={(on) => save.mutate(on ? SECONDS : 0)}
      >
        Hold decisions for {seconds || SECONDS} seconds
      </Switch>
      <p className="text-ink-3">
        {seconds > 0
          ? 'Until then you can undo with the Undo button, the z key or gctl undo. The agent waits.'
          : "Decisions take effect immediately and can't be undone."}
      </p>
      {failure && (
        <p role="alert" className="notice" data-tone="red">
          {messageOf(failure)}
        </p>
      )}
    </div>
  );
}
