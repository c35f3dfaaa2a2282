import { DomainError } from '../errors.ts';

/** The browser chooses the address we post to, so it must belong to a known push service. */
const SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^(?:[\w-]+\.)*push\.services\.mozilla\.com$/,
  /^(?:[\w-]+\.)*push\.apple\.com$/,
  /^(?:[\w-]+\.)*notify\.windows\.com$/,
];

/** `listed`: hosts that the operator added in preferences.json. */
export function checkPushEndpoint(endpoint: string, listed: readonly string[]): void {
  const { protocol, hostname, host, port } = new URL(endpoint);
  if (listed.includes(host) || listed.includes(hostname)) return;
  if (protocol === 'https:' && port === '' && SERVICES.some((service) => service.test(hostname))) return;
  throw new DomainError(
    'channel.unknown_push_service',
    400,
    `${host} is not a push service that Ground Control knows. Add it to notifyHosts in preferences.json to allow it.`,
  );
}
