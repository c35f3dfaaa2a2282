import { useState } from 'react';
import { NOTIFY_KINDS, type NotifyKind, saveNotifyPreferences, useNotifyPreferences } from '../notify/preferences.ts';
import { Switch } from '../ui/switch.tsx';
import { Section } from './section.tsx';

/** Asked for when it is turned on, never before. */
export function NotificationsSection() {
  const preferences = useNotifyPreferences();
  const [refused, setRefused] = useState(false);
  const supported = 'Notification' in window && window.isSecureContext;

  async function turn(on: boolean) {
    const allowed = !on || (await Notification.requestPermission()) === 'granted';
    setRefused(!allowed);
    saveNotifyPreferences({ ...preferences, enabled: on && allowed });
  }

  return (
    <Section
      title="Notifications"
      about="In this browser, while the page is open and you look elsewhere. Only for what has waited long enough to be meant."
    >
      {supported ? (
        <>
          <Switch checked={preferences.enabled} onChange={(on) => void turn(on)}>
            Call me when a session needs me
          </Switch>
          {refused && (
            <p role="alert" className="notice" data-tone="amber">
              The browser does not allow notifications for this page. Allow them in the site's settings (beside the
              address), then turn this on again.
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
          This browser offers no notifications here. They need localhost or an encrypted connection.
        </p>
      )}
    </Section>
  );
}
