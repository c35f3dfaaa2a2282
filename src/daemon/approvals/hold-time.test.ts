import { describe, expect, test } from 'vitest';
import { IDLE_MS, isWorthHolding, LOST_MS, overdue, releaseTo } from './hold-time.ts';

describe('who decides when a request is returned', () => {
  const permission = { kind: 'permission', agentId: undefined } as const;
  const subagent = { kind: 'permission', agentId: 'a1' } as const;
  const elicitation = { kind: 'elicitation', agentId: undefined } as const;

  test.each([
    ['cli', permission, undefined],
    [undefined, permission, undefined],
    ['cli', subagent, 'terminal'],
    ['cli', elicitation, 'terminal'],
    ['sdk-cli', permission, 'client'],
    ['sdk-cli', subagent, 'client'],
    ['sdk-cli', elicitation, 'client'],
    ['sdk-ts', permission, 'host'],
    ['claude-vscode', elicitation, 'host'],
  ] as const)('%s, %o: %s', (entrypoint, asked, expected) => {
    expect(releaseTo({ entrypoint, ...asked })).toBe(expected);
  });
});

test('only a terminal waits for a visible page without input', () => {
  const idle = { presence: 'idle', away: false } as const;
  const none = { presence: 'none', away: false } as const;
  expect([isWorthHolding('terminal', idle), isWorthHolding('terminal', none)]).toEqual([true, false]);
  expect([isWorthHolding('client', idle), isWorthHolding('host', idle)]).toEqual([false, false]);
  for (const to of ['terminal', 'client', 'host'] as const) {
    expect(isWorthHolding(to, { ...none, away: true })).toBe(true);
    expect(isWorthHolding(to, { presence: 'active', away: false })).toBe(true);
  }
});

describe('a request is returned', () => {
  const held = {
    to: 'client',
    releaseAt: 100_000,
    attendedAt: 0,
    attendance: { presence: 'active', away: false },
  } as const;
  const gone = { presence: 'none', away: false } as const;
  const idle = { presence: 'idle', away: false } as const;

  test('when its time is up, even if someone is there', () => {
    expect(overdue({ ...held, now: 99_999 })).toBeUndefined();
    expect(overdue({ ...held, now: 100_000 })).toContain('within the hold time');
    expect(overdue({ ...held, now: 100_000, attendance: { ...gone, away: true } })).toContain('within the hold time');
  });

  test('a moment after the last operator has left', () => {
    expect(overdue({ ...held, now: LOST_MS - 1, attendance: gone })).toBeUndefined();
    expect(overdue({ ...held, now: LOST_MS, attendance: gone })).toContain('anymore');
    expect(overdue({ ...held, now: LOST_MS, attendance: { ...gone, away: true } })).toBeUndefined();
  });

  test('later, to a terminal, while a page is still visible', () => {
    expect(overdue({ ...held, to: 'terminal', now: IDLE_MS - 1, attendance: idle })).toBeUndefined();
    expect(overdue({ ...held, to: 'terminal', now: IDLE_MS, attendance: idle })).toContain('anymore');
    expect(overdue({ ...held, now: LOST_MS, attendance: idle })).toContain('anymore');
  });
});
