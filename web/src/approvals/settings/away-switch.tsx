import { useEffect, useState } from 'react';
import { getAway, setAway as saveAway } from '../../../../src/contract/routes/approvals.ts';
import { call, messageOf } from '../../api/request.ts';
import { usePhase } from '../../live/live.ts';
import { Switch } from '../../ui/switch.tsx';

/** Whether the operator is at the desk. While away, even requests that no terminal shows are held. */
export function AwaySwitch() {
  const live = usePhase().name === 'live';
  const [away, setAway] = useState<boolean | null>(null);
  const [error, setError] = useState<string | null>(null);

  const take = (asked: Promise<{ away: boolean }>) =>
    asked.then(
      (answer) => {
        setAway(answer.away);
        setError(null);
      },
      (failure) => setError(messageOf(failure)),
    );

  /** Optimistic; the daemon's response wins. */
  function say(next: boolean) {
    setAway(next);
    void take(
      call(saveAway, { body: { away: next } }).catch((failure) => {
        setAway(!next);
        throw failure;
      }),
    );
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again with every new connection, and only then
  useEffect(() => {
    if (live) void take(call(getAway));
  }, [live]);

  return (
    <div className="flex flex-col gap-2">
      <Switch checked={away === true} disabled={away === null} onChange={say}>
        I'm away from my desk
      </Switch>
      <p className="text-ink-3">
        While you're away, requests from headless runs, subagents and MCP servers are held for you even if no page is
        open.
      </p>
      {error && (
        <p role="alert" className="notice" data-tone="red">
          {error}
        </p>
      )}
    </div>
  );
}
