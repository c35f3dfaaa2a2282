import type { Image, Message, MessagePart, ToolResult } from '../../../contract/messages.ts';
import type { Prices } from '../prices/prices.ts';
import type { FoundImage, FoundPart, FoundResult } from './entry.ts';
import { agentIdOf, diffOf } from './file-diff.ts';
import type { Draft } from './fold-messages.ts';
import { writeImageId } from './images.ts';
import { clipInput, clipText, type Limits } from './limits.ts';

export interface Rendering {
  limits: Limits;
  agentId: string | undefined;
  prices: Prices;
  /** The subagent started by a call that hasn't returned. */
  agentOf: (toolUseId: string) => string | null;
}

/** A message as the API shows it. */
export function toMessage(draft: Draft, rendering: Rendering): Message {
  const { id, role, at, model, isMeta, usage, group } = draft;
  const cost = model && usage ? rendering.prices.costOf(model, { ...usage, at }) : null;
  return {
    id,
    replyId: group,
    role,
    at,
    model,
    isMeta,
    parts: draft.parts.map((part) => toPart(part, draft, rendering)),
    tokens: usage && {
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cacheReadTokens: usage.cacheReadTokens,
      cacheCreationTokens: usage.cacheCreationTokens,
      cacheCreation1hTokens: usage.cacheCreation1hTokens,
    },
    costUsd: cost?.totalUsd ?? null,
  };
}

function toPart(part: FoundPart, draft: Draft, rendering: Rendering): MessagePart {
  const { limits } = rendering;
  if (part.kind === 'image') return { kind: 'image', image: toImage(part.image, rendering) };
  if (part.kind === 'notice') return { ...part, ...clipText(part.text, limits.text) };
  if (part.kind !== 'tool') return { kind: part.kind, ...clipText(part.text, limits.text) };
  const { toolUseId, name } = part;
  const result = draft.results.get(toolUseId);
  const isDelegation = name === 'Agent' || name === 'Task';
  return {
    kind: 'tool',
    toolUseId,
    name,
    ...clipInput(part.input, limits),
    result: result ? toResult(result, rendering) : null,
    diff: diffOf(part, result, limits.diffLines),
    agentId: agentIdOf(part, result) ?? (isDelegation ? rendering.agentOf(toolUseId) : null),
  };
}

function toResult(result: FoundResult, rendering: Rendering): ToolResult {
  return {
    ...clipText(result.text, rendering.limits.result),
    isError: result.isError,
    images: result.images.map((image) => toImage(image, rendering)),
    at: result.at,
  };
}

function toImage({ line, index, mediaType, bytes }: FoundImage, { agentId }: Rendering): Image {
  return { imageId: writeImageId({ line, index, agentId }), mediaType, bytes };
}
