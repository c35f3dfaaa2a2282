import { HOOK_EVENTS as SDK_EVENTS } from '@anthropic-ai/claude-agent-sdk';
import { expect, test } from 'vitest';
import { hookEventNames } from '../../src/daemon/drivers/terminal/settings/hook-events.ts';

const known = new Set<string>(SDK_EVENTS);
const classified = new Set<string>(hookEventNames);

test('every event of the installed SDK is classified', () => {
  const missing = [...known].filter((event) => !classified.has(event));
  expect(missing, `Classify in src/daemon/drivers/terminal/settings/hook-events.ts: ${missing.join(', ')}`).toEqual([]);
});

test('every classified event is one that the installed SDK has', () => {
  const gone = [...classified].filter((event) => !known.has(event));
  expect(gone, `The SDK has no such event (renamed or dropped?): ${gone.join(', ')}`).toEqual([]);
});
