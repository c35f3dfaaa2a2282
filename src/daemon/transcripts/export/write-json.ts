import type { Conversation, Writer } from './writer.ts';

type Agent = [agentId: string, Conversation];

/** `{…, messages: […], subagents: {id: […]}}`: each subagent once, wherever it was started. */
export const writeJson: Writer = function* ({ isMasked, exportedAt, ...head }, conversation, others) {
  const fields = { ...head, exportedAt: new Date(exportedAt).toISOString(), secrets: isMasked ? 'masked' : 'shown' };
  yield `${JSON.stringify(fields).slice(0, -1)},"messages":[\n`;
  const waiting: Agent[] = [];
  yield* writeMessages(conversation, waiting);
  yield '\n],"subagents":{';
  let isFirst = true;
  for (const [id, agent] of inTurn(waiting, others)) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(id)}:[\n`;
    isFirst = false;
    yield* writeMessages(agent, waiting);
    yield '\n]';
  }
  yield '}}\n';
};

/** Waiting ones come first, even while others are being written, since those start more. */
function* inTurn(waiting: Agent[], others: Iterable<Agent>): Generator<Agent> {
  while (waiting.length > 0) yield waiting.shift()!;
  for (const other of others) {
    yield other;
    while (waiting.length > 0) yield waiting.shift()!;
  }
}

function* writeMessages({ messages, agent }: Conversation, waiting: Agent[]): Generator<string> {
  let isFirst = true;
  for (const message of messages) {
    yield `${isFirst ? '' : ',\n'}${JSON.stringify(message)}`;
    isFirst = false;
    for (const part of message.parts) {
      const started = part.kind === 'tool' && part.agentId !== null ? agent(part.agentId) : undefined;
      if (started) waiting.push([(part as { agentId: string }).agentId, started]);
    }
  }
}
