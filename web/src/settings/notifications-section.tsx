import { useState } from 'react';
import { NOTIFY_KINDS, type NotifyKind, saveNotifyPreferences, useNotifyPreferences } from '../notify/preferences.ts';
import { showNotice } from '../notify/show-notice.ts';
import { Switch } from '../ui/switch.tsx';
import { Section } from './section.tsx';

const FIRST = { title: 'Ground Control', body: 'Notifications look like this.', tag: 'first', onOpen: () => undefined };

/** Permission is requested when this is turned on, never earlier. */
export function NotificationsSection() {
  const preferences = useNotifyPreferences();
  const [refused, setRefused] = useState(false);
  const [supported, setSupported] = useState('Notification' in window && window.isSecureContext);

  async function turn(on: boolean) {
    const allowed = !on || (await Notification.requestPermission()) === 'granted';
    setRefused(!allowed);
    // Only trying shows whether it works.
    const able = !on || !allowed || showNotice(FIRST);
    setSupported(able);
    saveNotifyPreferences({ ...preferences, enabled: on && allowed && able });
  }

  return (
    <Section
      title="Notifications"
      about="In this browser, while this page is open in the background. Sent after a short delay to avoid false alarms."
    >
      {supported ? (
        <>
          <Switch checked={preferences.enabled} onChange={(on) => void turn(on)}>
            Notify me when a session needs me
          </Switch>
          {refused && (
            <p role="alert" className="notice" data-tone="amber">
              Your browser blocks notifications for this page. Allow them in the site settings next to the address, then
              turn this on again.
            </p>
          )}
          <fieldset disabled={!preferences.enabled} className="flex flex-col disabled:opacity-60">
            <legend className="mb-1 text-ink-3">When</legend>
            {Object.entries(NOTIFY_KINDS).map(([kind, label]) => (
              <label key={kind} className="flex min-h-8 items-center gap-2.5">
                <input
                  type="checkbox"
                  checked={preferences.kinds[kind as NotifyKind]}
                  onChange={(event) =>
                    saveNotifyPreferences({
                      ...preferences,
                      kinds: { ...preferences.kinds, [kind]: event.target.checked },
                    })
                  }
                />
                {label}
              </label>
            ))}
          </fieldset>
        </>
      ) : (
        <p className="text-ink-3">
          Notifications aren't available here. They need localhost or HTTPS, and most phone browsers don't support them
          for pages.
        </p>
      )}
    </Section>
  );
}
