import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Channel } from '../../../src/contract/notify.ts';
import { messageOf } from '../api/request.ts';
import { ChannelDialog } from '../notify/channel-dialog.tsx';
import { ChannelRow } from '../notify/channel-row.tsx';
import { useChannels } from '../notify/channels.ts';
import { PushSwitch } from '../notify/push-switch.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Section } from './section.tsx';

/** Where notifications go while no page is open. */
export function ChannelsSection() {
  const list = useChannels();
  const [edited, setEdited] = useState<Channel | 'new' | null>(null);
  return (
    <Section
      title="Notification channels"
      about="Where to reach you while this page is closed. Each request is sent once per channel and withdrawn when it's answered."
    >
      <PushSwitch />
      {list.isPending && <Skeleton what="the channels" />}
      {list.error && <Failure message={messageOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && list.data.channels.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {list.data.channels.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} onEdit={() => setEdited(channel)} />
          ))}
        </ul>
      )}
      <button type="button" className="button self-start" onClick={() => setEdited('new')}>
        <Plus aria-hidden size={16} /> Add channel
      </button>
      {edited && <ChannelDialog channel={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Section>
  );
}
