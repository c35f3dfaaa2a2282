import type { Group } from '../../../src/contract/groups.ts';
import type { Tone } from '../sessions/state-style.ts';

/** Names and colors of the three groups. */
export const GROUP_LOOKS: Record<Group, { title: string; tone: Tone; empty: string }> = {
  needs_you: { title: 'Needs You', tone: 'amber', empty: "You're all caught up" },
  autonomous: { title: 'Running', tone: 'green', empty: 'Nothing running' },
  delivered: { title: 'Done', tone: 'blue', empty: 'Nothing finished yet' },
};
