import {
  Bot,
  CirclePause,
  CircleX,
  FoldVertical,
  Info,
  type LucideIcon,
  Paperclip,
  SquareTerminal,
  Webhook,
} from 'lucide-react';
import type { MessagePart } from '../../../../src/contract/messages.ts';
import { clipLine, humanize } from '../../ui/format.ts';
import { Collapsible } from './collapsible.tsx';
import { Output } from './output.tsx';
import { TruncatedPart } from './truncated-part.tsx';

type Notice = Extract<MessagePart, { kind: 'notice' }>;

const LOOKS: Record<string, { icon: LucideIcon; label: string; tone?: string }> = {
  interrupted: { icon: CirclePause, label: 'Interrupted', tone: 'orange' },
  compacted: { icon: FoldVertical, label: 'Compacted', tone: 'blue' },
  api_error: { icon: CircleX, label: 'API error', tone: 'red' },
  command: { icon: SquareTerminal, label: 'Command' },
  command_output: { icon: SquareTerminal, label: 'Output' },
  hook: { icon: Webhook, label: 'Hook' },
  attachment: { icon: Paperclip, label: 'Attachment' },
  task: { icon: Bot, label: 'Background task' },
  system: { icon: Info, label: 'Claude Code' },
};

const ONE_LINE = 140;

/** Something that happened besides the conversation. One line, expandable. */
export function NoticePart({ messageId, index, part }: { messageId: string; index: number; part: Notice }) {
  const known = Object.hasOwn(LOOKS, part.notice) ? LOOKS[part.notice] : undefined;
  const { icon: Icon, label, tone } = known ?? { icon: Info, label: humanize(part.notice) };
  const text = part.text.trim();
  const line = (
    <>
      <Icon aria-hidden size={14} className={tone ? 'collapsible-icon text-tone' : 'collapsible-icon'} />
      <span className={tone ? 'font-semibold text-tone' : 'font-medium text-ink-2'}>{label}</span>
      {text !== '' && plain(text) !== plain(label) && (
        <bdi className="collapsible-object">{clipLine(text, ONE_LINE)}</bdi>
      )}
    </>
  );
  if (!part.clipped && text.length <= ONE_LINE && !text.includes('\n'))
    return (
      <p className="collapsible-line" data-tone={tone}>
        <span aria-hidden className="collapsible-chevron" />
        <span className="collapsible-words">{line}</span>
      </p>
    );
  return (
    <Collapsible partKey={`${messageId}/${index}`} line={line} tone={tone}>
      {() => (
        <TruncatedPart messageId={messageId} index={index} part={part} clipped={part.clipped}>
          {(whole) => <Output text={whole.text} label={label} />}
        </TruncatedPart>
      )}
    </Collapsible>
  );
}

const plain = (text: string) => text.toLowerCase().replace(/\W/g, '');
