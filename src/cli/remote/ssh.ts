import { hostname, userInfo } from 'node:os';

export function sshSteps(port: number): string {
  const here = `${userInfo().username}@${hostname()}`;
  return [
    'On the other computer, run:',
    '',
    `  ssh -N -L ${port}:127.0.0.1:${port} ${here}`,
    '',
    `Then open http://127.0.0.1:${port} there, and sign in with the link that gctl link prints here.`,
    'The forwarded port must be the same: Ground Control checks the address it is asked for.',
  ].join('\n');
}
