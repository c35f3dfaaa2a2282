import {
  Archive,
  Bell,
  CircleCheck,
  CirclePause,
  Clock,
  FileCheck,
  GitBranch,
  Hourglass,
  Loader,
  type LucideIcon,
  MessageCircle,
  Power,
  Repeat,
  Shield,
  Sparkles,
  Terminal,
  TriangleAlert,
} from 'lucide-react';
import type { Group } from '../../../src/contract/groups.ts';
import type { AgentState } from '../../../src/contract/sessions.ts';
import { humanize } from '../ui/format.ts';

export type Tone = 'red' | 'amber' | 'orange' | 'green' | 'blue' | 'gray';

export interface StateStyle {
  icon: LucideIcon;
  tone: Tone;
  label: string;
}

const KNOWN: Record<string, StateStyle> = {
  needs_permission: { icon: Shield, tone: 'red', label: 'Needs permission' },
  error: { icon: TriangleAlert, tone: 'red', label: 'Error' },
  awaiting_input: { icon: MessageCircle, tone: 'amber', label: 'Question' },
  awaiting_approval: { icon: FileCheck, tone: 'amber', label: 'Plan to review' },
  looping: { icon: Repeat, tone: 'orange', label: 'Looping' },
  stalled: { icon: Hourglass, tone: 'orange', label: 'Stalled' },
  interrupted: { icon: CirclePause, tone: 'orange', label: 'Interrupted' },
  idle: { icon: Clock, tone: 'gray', label: 'Idle' },
  thinking: { icon: Sparkles, tone: 'green', label: 'Thinking' },
  acting: { icon: Terminal, tone: 'green', label: 'Acting' },
  delegating: { icon: GitBranch, tone: 'green', label: 'Delegating' },
  task_complete: { icon: CircleCheck, tone: 'blue', label: 'Task complete' },
  // Its process is running, but it hasn't reported anything yet.
  unknown: { icon: Loader, tone: 'gray', label: 'Connecting' },
  session_ended: { icon: Power, tone: 'gray', label: 'Ended' },
};

const GROUP_DEFAULTS: Record<Group, Omit<StateStyle, 'label'>> = {
  needs_you: { icon: Bell, tone: 'amber' },
  autonomous: { icon: Loader, tone: 'green' },
  delivered: { icon: Archive, tone: 'gray' },
};

/** States are open strings: an unknown one is shown by its own name, in its group's style. */
export function styleOf({ group, state }: Pick<AgentState, 'group' | 'state'>): StateStyle {
  if (Object.hasOwn(KNOWN, state)) return KNOWN[state]!;
  return { ...GROUP_DEFAULTS[group], label: humanize(state) };
}
