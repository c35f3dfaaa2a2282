type Environment = Record<string, string | undefined>;

/**
 * Whether the client would send its HTTP hooks to a proxy instead of us. It makes no exception for loopback: with a proxy set, only
 * NO_PROXY keeps 127.0.0.1 direct (measured on 2.1.325), and the payload would leave the machine.
 */
export function isLoopbackProxied(env: Environment, port: number): boolean {
  const proxy = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].find((name) => env[name]);
  if (!proxy) return false;
  const exceptions = `${env.no_proxy ?? ''},${env.NO_PROXY ?? ''}`.split(/[,\s]+/);
  return !exceptions.some((exception) => ['*', '127.0.0.1', `127.0.0.1:${port}`].includes(exception));
}
