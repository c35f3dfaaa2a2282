import type { AddressInfo } from 'node:net';
import { waitForStandIn } from '../drivers/terminal/keeper/stand-in.ts';
import { DomainError } from '../errors.ts';
import { prepareDrain } from './drain.ts';
import type { App } from './server.ts';

/** A fleet that calls all at once: past Node's 511 the system drops connections, and a hook is lost or late. */
const BACKLOG = 4096;

interface ListenOptions {
  host: string;
  port: number;
  /** When the port is ours and nobody can call yet. */
  beforeListening: () => Promise<void>;
}

/** Takes the port, from the stand-in of a daemon that died if there is one. */
export async function listen(app: App, { host, port, beforeListening }: ListenOptions) {
  const drain = prepareDrain(app.server);
  await waitForStandIn(port);
  await beforeListening();
  try {
    await app.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    throw isPortTaken(error) ? new PortTaken(port) : error;
  }
  return {
    port: (app.server.address() as AddressInfo).port,
    /** Gently: sessions that run get their answers first, and none sees a connection cut. */
    async close({ gently }: { gently: boolean }): Promise<void> {
      if (gently) await drain();
      await app.close();
    },
  };
}

class PortTaken extends DomainError {
  constructor(port: number) {
    super('daemon.port_taken', 409, `Port ${port} is in use by another program. Choose another: --port ${port + 1}`);
  }
}

function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}
