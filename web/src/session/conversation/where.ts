import { createContext, useContext } from 'react';

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

type Whose = Pick<Where, 'sessionId' | 'agentId'>;

export function messagesPath({ sessionId, agentId }: Whose, query: object = {}): string {
  return `/api/sessions/${encodeURIComponent(sessionId)}/messages?${searchOf({ ...query, agentId })}`;
}

export function findPath({ sessionId, agentId }: Whose, query: object): string {
  return `/api/sessions/${encodeURIComponent(sessionId)}/find?${searchOf({ ...query, agentId })}`;
}

function searchOf(fields: object): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
  );
}

export function messagePath({ sessionId, agentId }: Where, messageId: string): string {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/messages/${encodeURIComponent(messageId)}`;
  return agentId ? `${path}?agentId=${encodeURIComponent(agentId)}` : path;
}

export function imagePath({ sessionId }: Where, imageId: string): string {
  return `/api/sessions/${encodeURIComponent(sessionId)}/images/${encodeURIComponent(imageId)}`;
}
