import { joinPieces } from '../../agent/shells/ring-buffer.ts';
import type { Shell } from '../../agent/shells/shell.ts';
import type { ShellCommand, ShellOutput, ShellView } from '../../contract/shells.ts';
import type { NativeSession } from './native-session.ts';

const MOST_CHARACTERS = 200_000;
const MOST_FOUND = 500;

/** Lets a remote operator see and control the shells of a session. */
export class ShellControl {
  readonly #session: NativeSession;

  constructor(session: NativeSession) {
    this.#session = session;
  }

  async take(command: ShellCommand): Promise<unknown> {
    const { running } = this.#session.agent;
    switch (command.do) {
      case 'list':
        return { shells: await this.#list() };
      case 'read':
        return this.#read(command.shellId, command.after);
      case 'search':
        return this.#search(command.shellId, command.text);
      case 'kill':
        return { left: await this.#session.shells.get(command.shellId).kill() };
      case 'kill_call':
        return running.kill(command.callId);
      case 'background':
        return running.background(command.callId);
    }
  }

  async #list(): Promise<ShellView[]> {
    const shells = this.#session.shells.list();
    const views = await Promise.all(shells.map(toView));
    return views.sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Reads from a position. Positions are absolute, so a reader that reconnects can detect gaps. */
  #read(id: string, after: number): ShellOutput {
    const { pieces, cursor, missed } = this.#session.shells.get(id).read(after);
    const shown: ShellOutput['pieces'] = [];
    let left = MOST_CHARACTERS;
    for (const { stream, text, at } of pieces) {
      if (left <= 0) break;
      shown.push({ stream, at, text: text.slice(0, left) });
      left -= text.length;
    }
    const end = shown.at(-1);
    return { pieces: shown, cursor: end ? end.at + end.text.length : cursor, missed };
  }

  /** Lines that contain the text, with their positions. */
  #search(id: string, text: string): ShellOutput {
    const { pieces, cursor, missed } = this.#session.shells.get(id).read(0);
    const wanted = text.toLowerCase();
    const found: ShellOutput['pieces'] = [];
    for (const { stream, text: part, at } of joinPieces(pieces)) {
      let start = at;
      for (const line of part.split(/(?<=\n)/)) {
        if (found.length >= MOST_FOUND) break;
        if (line.toLowerCase().includes(wanted)) found.push({ stream, at: start, text: line });
        start += line.length;
      }
    }
    return { pieces: found, cursor, missed };
  }
}

async function toView(shell: Shell): Promise<ShellView> {
  const { id, command, createdAt, endedAt, state, exitCode, signal, callId, isBackground } = shell;
  const processes = await shell.processes();
  const { cursor } = shell.read(Number.MAX_SAFE_INTEGER);
  return { id, command, createdAt, endedAt, state, exitCode, signal, callId, isBackground, cursor, processes };
}
