import type { Group } from '../../../src/contract/groups.ts';
import type { Tone } from '../sessions/look.ts';

/** How the three groups are called and coloured on the page. */
export const GROUP_LOOKS: Record<Group, { title: string; tone: Tone; empty: string }> = {
  needs_you: { title: 'Needs You', tone: 'amber', empty: 'Nobody is waiting for you.' },
  autonomous: { title: 'Running', tone: 'green', empty: 'Nothing is running.' },
  delivered: { title: 'Done', tone: 'blue', empty: 'Nothing has finished yet.' },
};
