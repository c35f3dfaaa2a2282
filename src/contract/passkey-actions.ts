/* Without schemas, since the page needs it. */

/** Carries the passkey's answer to the challenge of a refusal with `passkey.needed`: JSON, base64url. */
export const PASSKEY_HEADER = 'x-groundcontrol-passkey';

/** The code of that refusal. */
export const PASSKEY_NEEDED = 'passkey.needed';

/** What can be made to need a passkey. */
export const PASSKEY_ACTIONS = ['allow', 'allow_blind', 'rules', 'devices', 'settings', 'start', 'stop'] as const;
export type PasskeyAction = (typeof PASSKEY_ACTIONS)[number];

/** Changing these settings always needs a passkey while they are on. */
export const PASSKEY_ACTION_NAMES: Record<PasskeyAction, string> = {
  allow: 'Allow a request that no notification pattern covers',
  allow_blind: 'Allow a request that a notification pattern covers',
  rules: 'Always allow, and change rules, policies or notification patterns',
  devices: 'Add devices and tokens, and change remote access',
  settings: 'Change hooks, strict projects and notification channels',
  start: 'Start or change a session with pre-approved tools, and save agents',
  stop: 'Stop several sessions, or end a process',
};
