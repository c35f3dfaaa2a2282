import type { Conversation, Writer } from './writer.ts';

/** `{…, messages: […], subagents: {id: […]}}`: each subagent once, wherever it was started. */
export const writeJson: Writer = function* ({ isMasked, exportedAt, ...head }, conversation) {
  const fields = { ...head, exportedAt: new Date(exportedAt).toISOString(), secrets: isMasked ? 'masked' : 'shown' };
  yield `${JSON.stringify(fields).slice(0, -1)},"messages":[\n`;
  const waiting: [string, Conversation][] = [];
  yield* writeMessages(conversation, waiting);
  yield '\n],"subagents":{';
  for (let count = 0; waiting.length > 0; count++) {
    const [id, agent] = waiting.shift()!;
    yield `${count > 0 ? ',' : ''}\n${JSON.stringify(id)}:[\n`;
    yield* writeMessages(agent, waiting);
    yield '\n]';
  }
  yield '}}\n';
};

function* writeMessages({ messages, agent }: Conversation, waiting: [string, Conversation][]): Generator<string> {
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
