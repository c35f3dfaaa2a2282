import { expect, it } from 'vitest';
import { isHarmless } from './harmless.ts';

it.each([
  ['3f2d3720-b2c0-44d5-b380-0849d13e4463', ''],
  ['vpc-0ba1847256b5c26e3e', ''],
  ['0xb83680f09f304b1aa4859a34713c87e485bc2812', ''],
  ['01HV39ZQJR5V8EVZ4QB3DC1PFF', ''],
  ['toolu_01Xer0KC8iVtf8MWgYUY9Z1P', ''],
  ['930cd809-HSgtSzKeaokn6CoyKppY6JwZ9ay', 'etag: W/"'],
  ['q7Zt2LxWv9KcB4nHyD8mJ3sFgP6rTe1A', '"requestId": "'],
  ['q7Zt2LxWv9KcB4nHyD8mJ3sFgP6rTe1A', 'client_id='],
])('leaves %s behind %j', (value, before) => expect(isHarmless(value, before)).toBe(true));

it.each([
  ['q7Zt2LxWv9KcB4nHyD8mJ3sFgP6rTe1A', ''],
  ['tok_9f8e7d6c5b4a9f8e7d6c5b4a', ''],
  ['q7Zt2LxWv9KcB4nHyD8mJ3sFgP6rTe1A', 'valid '],
])('does not leave %s behind %j', (value, before) => expect(isHarmless(value, before)).toBe(false));
