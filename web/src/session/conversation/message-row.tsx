import { Brain } from 'lucide-react';
import { memo } from 'react';
import type { Message, MessagePart } from '../../../../src/contract/messages.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { formatDateTime, formatTime } from '../../ui/dates.ts';
import { clip, clipLine, formatTokens, shortModel } from '../../ui/format.ts';
import { Collapsible } from './collapsible.tsx';
import { useExpanded } from './expanded-parts.ts';
import { ImagePart } from './image-part.tsx';
import { NoticePart } from './notice-part.tsx';
import { ToolPart } from './tool-part.tsx';
import { TruncatedPart } from './truncated-part.tsx';

interface Props {
  message: Message;
  /** The previous message: the speaker is shown only when it changes. */
  before: Message | undefined;
  /** Its end is still being written. */
  isStreaming?: boolean;
  /** Its turn ended before it was complete. */
  isUnfinished?: boolean;
}

export const MessageRow = memo(function MessageRow({ message, before, isStreaming, isUnfinished }: Props) {
  const speaker = speakerOf(message);
  return (
    <article
      className="message"
      data-speaker={speaker}
      data-streaming={isStreaming || undefined}
      aria-label={nameOf(message)}
      aria-busy={isStreaming || undefined}
    >
      {speaker !== 'none' && (!before || speakerOf(before) !== speaker || speaker === 'person') && (
        <MessageHead message={message} />
      )}
      {message.parts.map((part, index) => (
        <Part
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one message keep their order, and only grow
          key={index}
          message={message}
          part={part}
          index={index}
          isLast={isStreaming === true && index === message.parts.length - 1}
        />
      ))}
      {isUnfinished && (
        <p className="text-sm text-ink-3">
          The turn ended before this message was complete. It isn't in the transcript.
        </p>
      )}
    </article>
  );
});

type Speaker = 'person' | 'agent' | 'none';

/** A message with only notices has no speaker. */
function speakerOf({ role, isMeta, parts }: Message): Speaker {
  if (role === 'assistant') return 'agent';
  if (role === 'system' || isMeta || parts.every(({ kind }) => kind === 'notice')) return 'none';
  return 'person';
}

function nameOf(message: Message): string {
  const speaker = speakerOf(message);
  if (speaker === 'person') return 'Prompt';
  return speaker === 'agent' ? 'Response' : 'Notice';
}

function MessageHead({ message }: { message: Message }) {
  const { at, model, tokens, costUsd } = message;
  const sent = tokens && tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheCreationTokens;
  const title = tokens
    ? `${formatTokens(sent ?? 0)} tokens in, ${formatTokens(tokens.outputTokens)} out${costUsd === null ? '' : `, $${costUsd.toFixed(4)}`}`
    : undefined;
  return (
    <header className="message-head">
      <span className="font-semibold text-ink-2">{speakerOf(message) === 'person' ? 'Prompt' : 'Agent'}</span>
      {model && <span title={title}>{shortModel(model)}</span>}
      {at !== null && <MessageTime at={at} />}
    </header>
  );
}

function MessageTime({ at }: { at: number }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  return (
    <time dateTime={date.toISOString()} title={formatDateTime(at)} className="ml-auto tabular-nums">
      {formatTime(at)}
    </time>
  );
}

interface PartProps {
  message: Message;
  part: MessagePart;
  index: number;
  /** It is the part being written. */
  isLast: boolean;
}

function Part({ message, part, index, isLast }: PartProps) {
  const place = { messageId: message.id, index };
  if (part.kind === 'tool') return <ToolPart {...place} part={part} at={message.at} />;
  if (part.kind === 'notice') return <NoticePart {...place} part={part} />;
  if (part.kind === 'image') return <ImagePart image={part.image} />;
  if (part.kind === 'thinking')
    return part.text.trim() === '' ? null : <Thinking {...place} part={part} isOpen={isLast} />;
  return (
    <TruncatedPart {...place} part={part} clipped={part.clipped}>
      {({ text }) =>
        message.role === 'assistant' ? (
          <Markdown text={text} />
        ) : (
          <WrittenText partKey={`${message.id}/${index}`} text={text} />
        )
      }
    </TruncatedPart>
  );
}

interface ThinkingProps {
  messageId: string;
  index: number;
  part: TextPart<'thinking'>;
  /** It is still being written: its line shows the latest words. */
  isOpen: boolean;
}

function Thinking({ messageId, index, part, isOpen }: ThinkingProps) {
  return (
    <Collapsible
      partKey={`${messageId}/${index}`}
      line={
        <>
          <Brain aria-hidden size={14} className="collapsible-icon" />
          <span className="font-medium text-ink-2">{isOpen ? 'Thinking' : 'Thought'}</span>
          <bdi className="collapsible-object">{isOpen ? lastWords(part.text) : clipLine(part.text, 140)}</bdi>
        </>
      }
    >
      {() => (
        <TruncatedPart messageId={messageId} index={index} part={part} clipped={part.clipped}>
          {({ text }) => (
            <div className="text-ink-2">
              <Markdown text={text} />
            </div>
          )}
        </TruncatedPart>
      )}
    </Collapsible>
  );
}

/** The end of a thought, from the start of a word. */
function lastWords(text: string): string {
  const end = text.slice(-120).replaceAll(/\s+/g, ' ');
  return text.length > 120 ? `…${end.slice(end.indexOf(' '))}` : end;
}

type TextPart<K extends 'text' | 'thinking'> = Extract<MessagePart, { kind: K }>;

const SHORT_CHARS = 2_500;
const SHORT_LINES = 30;
const LONGEST = 200_000;

/** What a person typed or pasted is shown as is. A long paste stays collapsed. */
function WrittenText({ partKey, text }: { partKey: string; text: string }) {
  const [open, toggle] = useExpanded(`${partKey}/long`);
  const lines = text.split('\n', SHORT_LINES + 1);
  const short = clip(lines.slice(0, SHORT_LINES).join('\n'), { max: SHORT_CHARS });
  const isLong = lines.length > SHORT_LINES || text.length > SHORT_CHARS;
  return (
    <>
      <p dir="auto" className="written">
        {isLong && !open ? short : clip(text, { max: LONGEST })}
      </p>
      {isLong && (
        <button type="button" className="text-button self-start" aria-expanded={open} onClick={toggle}>
          {open ? 'Show less' : 'Show more'}
        </button>
      )}
    </>
  );
}
