import { createContext, useContext } from 'react';
import type { Role } from '../../../src/contract/access.ts';

export const RoleContext = createContext<Role>('admin');

/** What this browser is allowed to do. */
export function useRole(): Role {
  return useContext(RoleContext);
}
