import { spawn } from 'node:child_process';

/** Opens the link on a desktop; elsewhere the printed link is enough. */
export function openInBrowser(url: string): void {
  const program = opener();
  if (!program || !process.stdout.isTTY) return;
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => child.unref());
  child.unref();
}

function opener(): string | undefined {
  if (process.platform === 'darwin') return 'open';
  if (process.env.WSL_DISTRO_NAME) return 'wslview';
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}
