/*
 * A session is (machine, id), written as one word: `id@machine`. A bare id is a session of the daemon that is asked. Free of the
 * schemas, since the page reads it too.
 */

export interface SessionRef {
  /** null: the machine of the daemon that is asked. */
  machine: string | null;
  id: string;
}

/** What no id that a client or a script makes up looks like by accident. */
export const MACHINE_ID = /^m-[0-9a-z]{16}$/;
const REF = /^(.+)@(m-[0-9a-z]{16})$/s;

export function parseRef(text: string): SessionRef {
  // every event passes here, and hardly any id has it
  if (!text.includes('@m-')) return { machine: null, id: text };
  const [, id, machine] = REF.exec(text) ?? [];
  return id && machine ? { machine, id } : { machine: null, id: text };
}

export const formatRef = ({ machine, id }: SessionRef): string => (machine === null ? id : `${id}@${machine}`);
