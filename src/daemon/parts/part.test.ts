import { beforeEach, expect, test } from 'vitest';
import { type Part, Parts } from './part.ts';

let steps: string[];
let errors: unknown[];
let parts: Parts;

beforeEach(() => {
  steps = [];
  errors = [];
  parts = new Parts((error) => errors.push(error));
});

const partOf = (name: string, failsAt?: keyof Part): Part => {
  const step = (what: keyof Part) => async () => {
    steps.push(`${what} ${name}`);
    if (what === failsAt) throw new Error(`${name} can't ${what}`);
  };
  return { prepare: step('prepare'), start: step('start'), stop: step('stop'), close: step('close') };
};

test('stops parts in reverse order, and closes when all have stopped', async () => {
  parts.add(partOf('a'));
  parts.add(partOf('b'));
  await parts.prepare();
  parts.onEnd(() => steps.push('close the port'));
  await parts.start();
  steps = [];
  await parts.stop();
  expect(steps).toEqual(['stop b', 'stop a', 'close the port', 'close b', 'close a']);
});

test('a start that fails halfway stops every started part', async () => {
  for (const part of [partOf('a'), partOf('b', 'start'), partOf('c')]) parts.add(part);
  await expect(parts.start()).rejects.toThrow("b can't start");
  await parts.stop();
  expect(steps).toEqual(['start a', 'start b', 'stop b', 'stop a', 'close c', 'close b', 'close a']);
});

test('a part that fails to stop does not keep others from stopping', async () => {
  for (const part of [partOf('a'), partOf('b', 'stop'), partOf('c', 'close')]) parts.add(part);
  await parts.start();
  steps = [];
  await parts.stop();
  expect(steps).toEqual(['stop c', 'stop b', 'stop a', 'close c', 'close b', 'close a']);
  expect(errors).toHaveLength(2);
});

test('stopping twice does nothing the second time', async () => {
  parts.add(partOf('a'));
  await parts.start();
  await Promise.all([parts.stop(), parts.stop()]);
  expect(steps).toEqual(['start a', 'stop a', 'close a']);
});
