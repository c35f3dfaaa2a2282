import type { HooksControl } from './use-hooks.ts';

/** Above a board with sessions. Someone who declined isn't asked again; the settings page keeps the offer. */
export function HooksNotice({ hooks, onInstall }: { hooks: HooksControl; onInstall: () => void }) {
  const { status } = hooks;
  // Installed, but the client is told not to run them.
  const isBlocked = status?.state === 'installed' && status.fix !== null;
  if (!status || (status.state === 'installed' && !isBlocked) || status.consent === 'no') return null;
  return (
    <aside
      aria-label="Hooks"
      data-tone={status.state === 'invalid' ? 'red' : 'amber'}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line bg-[color-mix(in_oklab,var(--tone-edge)_12%,var(--bay))] px-4 py-2"
    >
      <p className="min-w-0 flex-1 basis-64">
        {status.detail} {status.fix && <span className="text-ink-2">{status.fix}</span>}
      </p>
      {status.state !== 'invalid' && !isBlocked && (
        <button type="button" className="button" onClick={onInstall}>
          Review and install…
        </button>
      )}
    </aside>
  );
}
