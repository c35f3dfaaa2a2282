import { isPublicAddress } from '../../../net/public-address.ts';
import type { Sender } from '../outgoing.ts';
import { unreached } from '../post.ts';
import { lookupAllowed } from './email-address.ts';

const TIMEOUT_MS = 20_000;

export function emailSender({ allowedHosts }: { allowedHosts: () => readonly string[] }): Sender<'email'> {
  return {
    updates: false,
    async send(message, { host, port, secure, user, password, from, to }) {
      const isListed = allowedHosts().includes(host);
      try {
        const address = await lookupAllowed(host, isListed ? () => true : isPublicAddress);
        // loaded on demand
        const { createTransport } = await import('nodemailer');
        const transport = createTransport({
          host: address,
          port,
          secure,
          // never send a password unencrypted; a listed host may be a local relay
          requireTLS: !secure && !isListed,
          tls: { servername: host },
          connectionTimeout: TIMEOUT_MS,
          greetingTimeout: TIMEOUT_MS,
          socketTimeout: TIMEOUT_MS,
          disableFileAccess: true,
          disableUrlAccess: true,
          ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
        });
        try {
          await transport.sendMail({
            from: { name: 'Ground Control', address: from },
            to,
            subject: message.title,
            text: `${message.body}\n\n${message.url}\n`,
            messageId: `<${message.id}@groundcontrol>`,
          });
        } finally {
          transport.close();
        }
        return { ok: true };
      } catch (error) {
        const code = (error as { responseCode?: number }).responseCode ?? 0;
        // 5xx: the server won't accept it, now or later
        return code >= 500 ? { ok: false, error: (error as Error).message, final: true } : unreached(error);
      }
    },
  };
}
