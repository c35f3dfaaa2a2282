import { CliError, EXIT } from './exit.ts';

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600 };

/** `90s`, `30m`, `2h`, or several together: `1h30m`. In seconds. */
export function readDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+)([smh])/g)];
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text)
    throw new CliError(`"${text}" isn't a duration. Examples: 90s, 30m, 2h, 1h30m`, EXIT.usage);
  return seconds;
}

/** Largest units first, without zeros. */
export function sayDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor((whole % 3600) / 60), 'm'],
    [whole % 60, 's'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`);
  return said.join(' ') || '0s';
}
