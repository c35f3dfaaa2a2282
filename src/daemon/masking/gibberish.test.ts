import { expect, it } from 'vitest';
import { isGibberish } from './gibberish.ts';

it.each([
  'q7Zt2LxWv9KcB4nH',
  'xkqwzvbtjrplmgfh',
  'AZCS91ASJIZA15JMHU51EUWN',
  '1xo29zvlddx3k3xwj3m848sn',
  'nnnblAO1FCvlRmAfySxx',
])('tells that nobody typed %s', (value) => expect(isGibberish(value)).toBe(true));

it.each([
  'getElementsByClassName',
  'correct-horse-battery-staple',
  'DATABASE_CONNECTION_STRING',
  'lightningcss-linux-x64-gnu',
  '3f2d3720b2c044d5b3800849d13e4463aa11bb22',
  'subnet-02b9e612ae52ba0cb8',
  'internationalization',
])('takes %s for a name', (value) => expect(isGibberish(value)).toBe(false));
