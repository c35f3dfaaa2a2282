import type { SessionPrincipal } from '../access/session-tokens.ts';

/** Who starts or changes something: a person, by the name of their device, or an agent. */
export interface Actor {
  by: string;
  principal?: SessionPrincipal | undefined;
}
