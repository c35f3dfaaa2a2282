export interface Range {
  after?: string;
  before?: string;
}

export const PRESETS = ['7d', '30d', '90d', 'all'] as const;
export type Preset = (typeof PRESETS)[number];

const CUSTOM = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/;

/** Parses the address: `30d`, `all`, or two days joined by dots. Anything else means the last 30 days. */
export function parseRange(text: string | undefined, now: Date): { preset: Preset | 'custom'; range: Range } {
  const custom = text ? CUSTOM.exec(text) : null;
  if (custom) {
    const [, after, before] = custom;
    return { preset: 'custom', range: { ...(after ? { after } : {}), ...(before ? { before } : {}) } };
  }
  if (text === 'all') return { preset: 'all', range: {} };
  const preset = PRESETS.find((known) => known === text) ?? '30d';
  return { preset, range: { after: dayBefore(now, Number.parseInt(preset, 10) - 1) } };
}

export function customRange({ after = '', before = '' }: Range): string {
  return `${after}..${before}`;
}

/** In the browser's time zone, which is also sent with the request. */
export function localDay(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function dayBefore(now: Date, days: number): string {
  return localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));
}
