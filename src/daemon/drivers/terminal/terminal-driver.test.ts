import { expect, it } from 'vitest';
import { LiveModel } from '../../sessions/live-model.ts';
import { newSession } from '../../sessions/session.ts';
import { TerminalDriver } from './terminal-driver.ts';

const live = new LiveModel();
const driver = new TerminalDriver({ live, configDir: '/nowhere' });
const session = { ...newSession('s', 1), transcriptPath: '/w/s.jsonl' };
const prompt = { id: 'p', sessionId: 's', text: 'Go', status: 'queued' as const, createdAt: 1, expiresAt: 2, by: 'me' };

it('reports which controls a session supports', () => {
  const everything = {
    stop: true,
    endProcess: true,
    prompt: true,
    resume: true,
    settings: false,
    shells: false,
    rewind: false,
  };
  expect(driver.describe(session)).toEqual({ kind: 'terminal', capabilities: everything, noPrompts: null });
  expect(driver.describe({ ...session, entrypoint: 'sdk-cli' })).toMatchObject({
    capabilities: { stop: true, prompt: false },
    noPrompts: expect.stringContaining('headless'),
  });
  expect(driver.describe({ ...session, endedAt: 5 }).capabilities).toEqual({
    stop: false,
    endProcess: false,
    prompt: false,
    resume: true,
    settings: false,
    shells: false,
    rewind: false,
  });
  expect(driver.describe(newSession('posted', 1)).capabilities.resume).toBe(false);
});

it('delivers a prompt only to a session that listens, once', async () => {
  expect(await driver.deliver(prompt)).toBe(false);
  const heard: string[] = [];
  const wake = async (text: string) => heard.push(text) > 0;
  driver.hold('s', { wake, release: () => undefined, onHangUp: () => undefined });
  expect(driver.isListening('s')).toBe(true);
  expect(await driver.deliver(prompt)).toBe(true);
  expect(heard).toEqual(['Go']);
  expect(driver.isListening('s')).toBe(false);
});
