import { execFile } from 'node:child_process';
import type { Outgoing, Sender, Sent } from '../outgoing.ts';

const TIMEOUT_MS = 10_000;
/** For macOS. Text is passed as arguments, so none of it is executed. */
const APPLE_SCRIPT = 'on run {theTitle, theBody}\ndisplay notification theBody with title theTitle\nend run';
const APPLE_SCRIPT_SOUND = APPLE_SCRIPT.replace('\nend run', ' sound name "Glass"\nend run');

export function desktopSender(): Sender<'desktop'> {
  return {
    updates: false,
    send: (message, { sound }) => run(commandFor(message, sound)),
  };
}

export function commandFor(
  { title, body }: Pick<Outgoing, 'title' | 'body'>,
  sound: boolean,
  platform: NodeJS.Platform = process.platform,
): [string, string[]] {
  if (platform === 'darwin') return ['osascript', ['-e', sound ? APPLE_SCRIPT_SOUND : APPLE_SCRIPT, title, body]];
  const hint = sound ? ['--hint=string:sound-name:message-new-instant'] : [];
  return ['notify-send', ['--app-name=Ground Control', ...hint, '--', title, body]];
}

function run([program, args]: [string, string[]]): Promise<Sent> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: TIMEOUT_MS }, (error, _out, stderr) => {
      if (!error) return resolve({ ok: true });
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const why = isMissing
        ? `${program} is not installed (Debian: apt install libnotify-bin).`
        : stderr || error.message;
      resolve({ ok: false, error: why.trim(), final: isMissing });
    });
  });
}
