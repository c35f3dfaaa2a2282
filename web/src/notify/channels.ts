import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Channel, NoticeKind, Notification } from '../../../src/contract/notify.ts';
import { listChannels } from '../../../src/contract/routes/notify.ts';
import { call } from '../api/request.ts';

export const CHANNELS = ['notify', 'channels'];

export function useChannels() {
  return useQuery({
    queryKey: CHANNELS,
    queryFn: ({ signal }) => call(listChannels, { signal }),
  });
}

export const refreshChannels = (queries: QueryClient) => queries.invalidateQueries({ queryKey: CHANNELS });

export const KIND_NAMES: Record<Channel['kind'], string> = {
  push: 'Browser push',
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  email: 'Email',
  desktop: 'Desktop',
  bell: 'Terminal bell',
};

export const NOTICE_NAMES: Record<NoticeKind, string> = {
  permission: 'Permissions',
  question: 'Questions',
  plan: 'Plans',
  error: 'Failures',
  stuck: 'Loops and stalls',
  idle: 'Idle sessions',
};

export const STATE_NAMES: Record<Notification['state'], string> = {
  waiting: 'Waiting',
  accepted: 'Sent, not confirmed',
  shown: 'Shown',
  failed: 'Failed',
  cancelled: 'Answered first',
};
