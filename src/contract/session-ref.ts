/*
 * A session is (machine, id), written as one word: `id@machine`. A bare id is a session on the daemon that receives it. Without schemas, because the
 * page uses it too.
 */

export interface SessionRef {
  /** null: the machine of the daemon that receives it. */
  machine: string | null;
  id: string;
}

/** No id that a client or a script generates looks like this by accident. */
export const MACHINE_ID = /^m-[0-9a-z]{16}$/;
const REF = /^(.+)@(m-[0-9a-z]{16})$/s;

export function parseRef(text: string): SessionRef {
  // a fast path: every event passes here, and hardly any id has a machine
  if (!text.includes('@m-')) return { machine: null, id: text };
  const [, id, machine] = REF.exec(text) ?? [];
  return id && machine ? { machine, id } : { machine: null, id: text };
}

export const formatRef = ({ machine, id }: SessionRef): string => (machine === null ? id : `${id}@${machine}`);
