import { expect, it } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

const at = (text: string) => Date.parse(text);
const night = { from: '22:00', to: '07:00', timeZone: 'UTC' };

it('lasts until the end of quiet hours, across midnight', () => {
  expect(quietUntil(night, at('2026-03-01T23:15:20Z'))).toBe(at('2026-03-02T07:00:00Z'));
  expect(quietUntil(night, at('2026-03-02T06:59:59Z'))).toBe(at('2026-03-02T07:00:00Z'));
  expect(quietUntil(night, at('2026-03-02T07:00:00Z'))).toBeUndefined();
  expect(quietUntil(night, at('2026-03-02T21:59:00Z'))).toBeUndefined();
});

it('works within one day and in the time zone of the channel', () => {
  const lunch = { from: '12:00', to: '13:00', timeZone: 'America/New_York' };
  expect(quietUntil(lunch, at('2026-07-01T16:30:00Z'))).toBe(at('2026-07-01T17:00:00Z'));
  expect(quietUntil(lunch, at('2026-07-01T12:30:00Z'))).toBeUndefined();
});

it('never applies without hours or with an empty range', () => {
  expect(quietUntil(null, at('2026-03-01T23:15:20Z'))).toBeUndefined();
  expect(quietUntil({ ...night, to: '22:00' }, at('2026-03-01T23:15:20Z'))).toBeUndefined();
});
