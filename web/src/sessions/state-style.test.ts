import { Archive, Bell, Loader, Shield } from 'lucide-react';
import { expect, it } from 'vitest';
import { styleOf } from './state-style.ts';

it('has a style for every state the daemon knows', () => {
  expect(styleOf({ group: 'needs_you', state: 'needs_permission' })).toEqual({
    icon: Shield,
    tone: 'red',
    label: 'Needs permission',
  });
});

it.each([
  ['needs_you', 'budget_exceeded', { icon: Bell, tone: 'amber', label: 'Budget exceeded' }],
  ['autonomous', 'constructor', { icon: Loader, tone: 'green', label: 'Constructor' }],
  ['delivered', '', { icon: Archive, tone: 'gray', label: '' }],
] as const)('shows an unknown state of %s in the style of its group', (group, state, look) => {
  expect(styleOf({ group, state })).toEqual(look);
});
