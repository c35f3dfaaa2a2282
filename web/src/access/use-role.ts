import { createContext, useContext } from 'react';
import type { Role } from '../../../src/contract/access.ts';

export const RoleContext = createContext<Role>('operator');

/** What this browser may do. */
export function useRole(): Role {
  return useContext(RoleContext);
}
