import type { DriverHost } from '../driver.ts';

/** A host for a client that starts before its session's host exists. The client's questions and events arrive only after the claim. */
export function lateHost(early: Pick<DriverHost, 'spec' | 'noteProcess'>) {
  let claimed: DriverHost | undefined;
  const host = new Proxy(early as DriverHost, { get: (before, key) => Reflect.get(claimed ?? before, key) });
  return {
    host,
    claim(given: DriverHost) {
      claimed = given;
    },
  };
}
