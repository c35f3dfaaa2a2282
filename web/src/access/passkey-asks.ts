/* A refused action that needs a passkey waits here until the dialog has an answer. */

/** The details of a refusal with `passkey.needed`. */
export interface PasskeyNeeded {
  /** One of PASSKEY_ACTIONS, or `passkeys` for their own settings. */
  action: string;
  options: PublicKeyCredentialRequestOptionsJSON;
}

export interface PasskeyAsk extends PasskeyNeeded {
  /** With what goes into the header. */
  answer: (header: string) => void;
  cancel: () => void;
}

export class PasskeyNotConfirmed extends Error {
  constructor() {
    super("Nothing was changed: you didn't confirm with your passkey.");
  }
}

const listeners = new Set<() => void>();
let current: PasskeyAsk | undefined;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** One at a time. `waited`: another one came first. */
export async function inTurn<T>(work: (turn: { waited: boolean }) => Promise<T>): Promise<T> {
  const waited = waiting > 0;
  waiting += 1;
  const mine = last.then(() => work({ waited }));
  last = mine.catch(() => undefined);
  return mine.finally(() => {
    waiting -= 1;
  });
}

/** Opens the dialog. Rejects if the operator cancels, or if no page is there to show it. */
export function askForPasskey(needed: PasskeyNeeded): Promise<string> {
  return new Promise<string>((answer, reject) => {
    const cancel = () => reject(new PasskeyNotConfirmed());
    if (listeners.size === 0) cancel();
    else show({ ...needed, answer, cancel });
  }).finally(() => show(undefined));
}

function show(ask: PasskeyAsk | undefined): void {
  current = ask;
  for (const listener of listeners) listener();
}

export const currentPasskeyAsk = (): PasskeyAsk | undefined => current;

export function subscribeToPasskeyAsks(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
