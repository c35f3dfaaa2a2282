import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayAfter, localDay, localTime, parseDay, requireTimeZone, startOfDay, weekOf } from './local-time.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Santiago'];

it('converts to local time', () => {
  const at = Date.parse('2026-11-16T23:50:00Z');
  expect(localTime(at, 'UTC')).toEqual({ day: '2026-11-16', hour: 23 });
  expect(localTime(at, 'Asia/Kathmandu')).toEqual({ day: '2026-11-17', hour: 5 });
  expect(localTime(Date.parse('2026-11-16T00:10:00Z'), 'UTC').hour).toBe(0);
});

it('finds the start of a day, even with 23 or 25 hours or no midnight', () => {
  expect(startOfDay('2026-11-16', 'Europe/Berlin')).toBe(Date.parse('2026-11-15T23:00:00Z'));
  expect(startOfDay('2026-03-29', 'Europe/Berlin')).toBe(Date.parse('2026-03-28T23:00:00Z'));
  expect(startOfDay('2026-03-30', 'Europe/Berlin')).toBe(Date.parse('2026-03-29T22:00:00Z'));
  // clocks in Chile go from 23:59 to 01:00
  expect(startOfDay('2026-09-06', 'America/Santiago')).toBe(Date.parse('2026-09-06T04:00:00Z'));
  const day = fc.integer({ min: 0, max: 20_000 }).map((n) => new Date(n * 86_400_000).toISOString().slice(0, 10));
  fc.assert(
    fc.property(day, fc.constantFrom(...ZONES), (date, zone) => {
      const start = startOfDay(date, zone);
      expect(localDay(start, zone)).toBe(date);
      expect(localDay(start - 1, zone) < date).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it('computes days, next days and weeks', () => {
  expect(parseDay('2026-11')).toBe('2026-11-01');
  expect(parseDay('2026')).toBe('2026-01-01');
  for (const bad of ['2026-02-30', '2026-13-01', '26-1-1', 'x', '', '2026-11-16T00:00'])
    expect(parseDay(bad)).toBeUndefined();
  expect(dayAfter('2026-12-31')).toBe('2027-01-01');
  expect([weekOf('2026-11-16'), weekOf('2026-11-15'), weekOf('2027-01-01'), weekOf('2024-12-30')]).toEqual([
    '2026-W47',
    '2026-W46',
    '2026-W53',
    '2025-W01',
  ]);
});

it('refuses an unknown time zone', () => {
  expect(requireTimeZone('Europe/Berlin')).toBe('Europe/Berlin');
  expect(() => requireTimeZone('Mars/Base')).toThrow(/Unknown time zone Mars\/Base/);
});
