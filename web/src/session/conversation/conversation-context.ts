import { createContext, useContext } from 'react';
import { addressOf } from '../../../../src/contract/address.ts';
import { getImage } from '../../../../src/contract/routes/messages.ts';

/** Which conversation a part belongs to, needed to fetch its full text, images and subagent. */
export interface ConversationContext {
  sessionId: string;
  agentId: string | null;
  /** Calls without a result may still be running. */
  isLive: boolean;
  /** How deeply this conversation is nested in others. */
  depth: number;
}

const ReactConversationContext = createContext<ConversationContext>({
  sessionId: '',
  agentId: null,
  isLive: false,
  depth: 0,
});
export const ConversationProvider = ReactConversationContext.Provider;
export const useConversationContext = () => useContext(ReactConversationContext);

export function imagePath({ sessionId }: ConversationContext, imageId: string): string {
  return addressOf(getImage, { params: { id: sessionId, imageId } });
}
