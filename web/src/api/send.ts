import { PROOF_SCHEME, PROOF_SIGNATURE, provenText, RUN_META } from '../../../src/contract/proof.ts';
import { type Identity, loadIdentity } from '../access/identity.ts';
import { BASE_PATH } from './base-path.ts';
import { base64url } from './base64url.ts';

/* The one place that adds credentials to requests: pages and workers send through here. The browser signs the name of the daemon's run with a key kept in this origin's storage (port included), and sends the signature as a header. */

interface Proof {
  run: string;
  identity: Identity;
  header: string;
}

/** The page has it in its HTML; a worker learns it from its first refusal. */
let run: string | undefined =
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>(`meta[name="${RUN_META}"]`)?.content;
let proof: Proof | undefined;
let proving: Promise<void> | undefined;

/** `fetch` as this browser's device. It signs again after a daemon restart or after pairing in another tab. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  if (!proof) await prove();
  const response = await fetch(BASE_PATH + path, withProof(init));
  if (response.status !== 401 || !(await isOutdated(response.clone()))) return response;
  return fetch(BASE_PATH + path, withProof(init));
}

/** This browser just signed in: sign all requests from now on. */
export async function signInAgain(): Promise<void> {
  proof = undefined;
  await prove();
}

function withProof(init: RequestInit): RequestInit {
  if (!proof) return init;
  const headers = new Headers(init.headers);
  headers.set('authorization', proof.header);
  return { ...init, headers };
}

/** Many requests start at once, so they share one signature. */
function prove(): Promise<void> {
  proving ??= sign().finally(() => {
    proving = undefined;
  });
  return proving;
}

async function sign(): Promise<void> {
  const identity = run === undefined ? undefined : await loadIdentity();
  if (run === undefined || !identity) return;
  const signed = run;
  const text = new TextEncoder().encode(provenText(signed));
  const signature = base64url(await crypto.subtle.sign(PROOF_SIGNATURE, identity.keys.privateKey, text));
  proof = { run: signed, identity, header: `${PROOF_SCHEME} ${identity.deviceId}.${signature}` };
}

/** Whether the refusal was for an outdated proof that we can now replace. */
async function isOutdated(refusal: Response): Promise<boolean> {
  const body: { error?: { run?: unknown } } | undefined = await refusal.json().catch(() => undefined);
  const told = body?.error?.run;
  const before = proof;
  if (typeof told === 'string') run = told;
  const isSame = proof?.run === run && proof?.identity.deviceId === (await loadIdentity())?.deviceId;
  if (!isSame) await signInAgain();
  return proof !== undefined && proof !== before;
}
