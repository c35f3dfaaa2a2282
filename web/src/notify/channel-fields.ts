import type { ChannelDraft } from '../../../src/contract/notify.ts';

type Kind = ChannelDraft['target']['kind'];
export type AddedKind = Exclude<Kind, 'push'>;

interface Field {
  name: string;
  label: string;
  type: 'text' | 'url' | 'password' | 'email' | 'number' | 'checkbox';
  placeholder?: string;
  optional?: boolean;
}

/** The settings of each kind of channel, in display order. */
export const FIELDS: Record<AddedKind, Field[]> = {
  webhook: [{ name: 'url', label: 'URL', type: 'url', placeholder: 'https://example.com/hooks/agents' }],
  slack: [
    { name: 'url', label: 'Incoming webhook URL', type: 'url', placeholder: 'https://hooks.slack.com/services/…' },
  ],
  discord: [
    { name: 'url', label: 'Channel webhook URL', type: 'url', placeholder: 'https://discord.com/api/webhooks/…' },
  ],
  telegram: [
    { name: 'token', label: 'Bot token', type: 'password', placeholder: '123456:ABC…' },
    { name: 'chatId', label: 'Chat ID', type: 'text', placeholder: '-1001234567890' },
  ],
  ntfy: [
    { name: 'url', label: 'Topic URL', type: 'url', placeholder: 'https://ntfy.sh/my-topic' },
    { name: 'token', label: 'Access token', type: 'password', optional: true },
  ],
  email: [
    { name: 'host', label: 'SMTP server', type: 'text', placeholder: 'smtp.example.com' },
    { name: 'port', label: 'Port', type: 'number', placeholder: '587' },
    { name: 'secure', label: 'TLS from the start (port 465)', type: 'checkbox' },
    { name: 'user', label: 'User name', type: 'text', optional: true },
    { name: 'password', label: 'Password', type: 'password', optional: true },
    { name: 'from', label: 'From', type: 'email' },
    { name: 'to', label: 'To', type: 'email' },
  ],
  desktop: [{ name: 'sound', label: 'Play a sound', type: 'checkbox' }],
  bell: [],
};

/** Builds the target from the form. The daemon validates it. */
export function toTarget(kind: AddedKind, values: Record<string, string | boolean>): ChannelDraft['target'] {
  const given = FIELDS[kind].flatMap(({ name, type, optional }) => {
    const value = values[name] ?? (type === 'checkbox' ? false : '');
    if (optional && value === '') return [];
    return [[name, type === 'number' ? Number(value) : value] as const];
  });
  // the form has exactly this kind's fields, and the daemon reports errors in them
  return { kind, ...Object.fromEntries(given) } as ChannelDraft['target'];
}
