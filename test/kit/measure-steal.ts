import { existsSync, readFileSync } from 'node:fs';

const STAT = '/proc/stat';

/** The share of CPU time that other guests on the host took since this call. Measurements in that time are slower by at least that much. */
export function measureSteal(): () => string {
  if (!existsSync(STAT)) return () => 'an unknown part';
  const before = read();
  return () => {
    const now = read();
    return `${((100 * (now.stolen - before.stolen)) / Math.max(1, now.all - before.all)).toFixed(1)} %`;
  };
}

function read(): { stolen: number; all: number } {
  const [line = ''] = readFileSync(STAT, 'utf8').split('\n', 1);
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, stolen = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return { stolen, all: user + nice + system + idle + wait + irq + softirq + stolen };
}
