import type { Role } from '../../../src/contract/access.ts';

export const ROLE_NAMES: Record<Role, string> = {
  admin: 'Admin',
  operator: 'Can act',
  viewer: 'View only',
};
