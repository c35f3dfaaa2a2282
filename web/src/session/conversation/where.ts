import { createContext, useContext } from 'react';
import { addressOf } from '../../../../src/contract/address.ts';
import { getImage } from '../../../../src/contract/routes/messages.ts';

/** Which conversation a part belongs to, needed to fetch its full text, images and subagent. */
export interface Where {
  sessionId: string;
  agentId: string | null;
  /** Calls without a result may still be running. */
  isLive: boolean;
  /** How deeply this conversation is nested in others. */
  depth: number;
}

const WhereContext = createContext<Where>({ sessionId: '', agentId: null, isLive: false, depth: 0 });
export const WhereProvider = WhereContext.Provider;
export const useWhere = () => useContext(WhereContext);

export function imagePath({ sessionId }: Where, imageId: string): string {
  return addressOf(getImage, { params: { id: sessionId, imageId } });
}
