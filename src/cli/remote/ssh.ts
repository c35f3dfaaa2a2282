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
    '',
    'For a phone, forward a port of a server of yours to this machine, and serve it there over HTTPS:',
    '',
    '  gctl remote ssh me@server.example.com --url https://tower.example.com',
  ].join('\n');
}
