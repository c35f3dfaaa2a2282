import { connect } from 'node:net';

/** Sends these bytes as is, and returns the response until the connection is quiet or closed. */
export function sendRaw(port: number, bytes: string | Buffer, quietMs = 400): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let got = '';
    let timer = setTimeout(end, 5000);
    function end(): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(got);
    }
    socket.on('data', (chunk) => {
      got += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(end, quietMs);
    });
    socket.on('close', end);
    socket.on('error', end);
  });
}

/** The status of each response in it. */
export const statuses = (text: string): number[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
