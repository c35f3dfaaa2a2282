import type { FileDiff, Message, MessagePart } from '../../../contract/messages.ts';
import { maskDeep, maskSecrets } from '../../masking/mask-secrets.ts';

export function maskMessage(message: Message): Message {
  return { ...message, parts: message.parts.map(maskPart) };
}

function maskPart(part: MessagePart): MessagePart {
  if (part.kind === 'image') return part;
  if (part.kind !== 'tool') return { ...part, text: maskSecrets(part.text) };
  const { input, result, diff } = part;
  return {
    ...part,
    input: maskDeep(input),
    result: result && { ...result, text: maskSecrets(result.text) },
    diff: diff && maskDiff(diff),
  };
}

/** Each hunk as one text: a private key spans several lines. */
function maskDiff(diff: FileDiff): FileDiff {
  return {
    ...diff,
    path: maskSecrets(diff.path),
    hunks: diff.hunks.map(({ lines }) => {
      const texts = maskSecrets(lines.map(({ text }) => text).join('\n')).split('\n');
      return { lines: lines.map((line, index) => ({ ...line, text: texts[index] ?? '' })) };
    }),
  };
}
