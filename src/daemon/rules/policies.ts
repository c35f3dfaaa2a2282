import type { Policy } from '../../contract/rules-policy.ts';
import type { Core } from '../core.ts';

const BY_STRICTNESS: Policy[] = ['deny', 'ask', 'observe'];

export function strictest(policies: Policy[]): Policy {
  return BY_STRICTNESS.find((policy) => policies.includes(policy)) ?? 'observe';
}

/** What happens to a call that no rule matches, by project. The empty path stands for all others. */
export class Policies {
  readonly #core: Core;
  readonly #known = new Map<string, Policy>();

  constructor(core: Core) {
    this.#core = core;
    const rows = core.journal.db.prepare('SELECT project, policy FROM policies').all() as {
      project: string;
      policy: Policy;
    }[];
    for (const { project, policy } of rows) this.#known.set(project, policy);
  }

  /** From the nearest folder above that has one; undefined if none has. */
  nearest(folder: string | undefined): Policy | undefined {
    for (let path = folder ?? ''; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      const policy = this.#known.get(path);
      if (policy) return policy;
    }
    return undefined;
  }

  for(folder: string | undefined): Policy {
    return this.nearest(folder) ?? this.#known.get('') ?? 'observe';
  }

  list(): { project: string; policy: Policy }[] {
    return [...this.#known].map(([project, policy]) => ({ project, policy }));
  }

  async set(project: string, policy: Policy, by: string): Promise<void> {
    await this.#core.record({
      sessionId: '',
      source: 'operator',
      name: 'policy.set',
      payload: { by, decision: policy, detail: project || 'every project' },
      write: (db) => {
        db.prepare(
          'INSERT INTO policies VALUES (?, ?) ON CONFLICT (project) DO UPDATE SET policy = excluded.policy',
        ).run(project, policy);
      },
    });
    this.#known.set(project, policy);
  }
}
