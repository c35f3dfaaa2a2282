import { expect, test } from 'vitest';
import { isLoopbackProxied } from './proxied-loopback.ts';

const HTTP_PROXY = 'http://proxy.example:3128';

test.each([
  [{}, false],
  [{ HTTP_PROXY: '' }, false],
  [{ HTTP_PROXY }, true],
  [{ https_proxy: HTTP_PROXY }, true],
  [{ HTTP_PROXY, NO_PROXY: 'localhost,.example' }, true],
  [{ HTTP_PROXY, NO_PROXY: '127.0.0.1:9000' }, true],
  [{ HTTP_PROXY, NO_PROXY: 'localhost, 127.0.0.1' }, false],
  [{ HTTP_PROXY, no_proxy: '127.0.0.1:8765' }, false],
  [{ HTTP_PROXY, NO_PROXY: '*' }, false],
])('%j: %s', (env, proxied) => {
  expect(isLoopbackProxied(env, 8765)).toBe(proxied);
});
