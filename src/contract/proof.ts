/* How a browser proves which device it is. A cookie would go to every server on 127.0.0.1, on any port, so there is none: each browser has a key that never leaves our origin's storage, and signs the name of the daemon's run. The signature is the credential for that run. Without schemas, since the page's first script needs it. */

/** `Authorization: Proof <device id>.<signature>` */
export const PROOF_SCHEME = 'Proof';

/** Browsers can't set headers on a WebSocket: it offers this protocol, and another that ends in the proof. */
export const SOCKET_PROTOCOL = 'groundcontrol';
export const SOCKET_PROOF_PREFIX = 'proof.';

export const PROOF_KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const;
export const PROOF_SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** What is signed. Unknown before the run, so nobody with temporary access to our page can sign ahead. */
export const provenText = (run: string): string => `groundcontrol run ${run}`;

/** Where the page finds the path that a proxy serves it below: `/gc`, or nothing. */
export const BASE_META = 'groundcontrol-base';

/** Where the page finds the run's name; a refused request names it, too. */
export const RUN_META = 'groundcontrol-run';
