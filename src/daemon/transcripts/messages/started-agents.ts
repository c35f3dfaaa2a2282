import { basename } from 'node:path';
import { recordOf, textOf } from '../../../contract/values.ts';
import { filesBelow, isOutOfReach } from '../index/find-transcripts.ts';
import { NotPlain, withFile } from './byte-source.ts';

const META = /^agent-([\w-]{1,200})\.meta\.json$/;
/** They are a few hundred bytes. */
const MAX_META = 64 * 1024;

/** Which call started which subagent, from the files next to their transcripts. Read on first use. */
export function startedAgents(folder: string): (toolUseId: string) => string | null {
  let byCall: Map<string, string> | undefined;
  return (toolUseId) => {
    byCall ??= readMetas(folder);
    return byCall.get(toolUseId) ?? null;
  };
}

function readMetas(folder: string): Map<string, string> {
  const byCall = new Map<string, string>();
  for (const path of filesBelow(folder)) {
    const agentId = META.exec(basename(path))?.[1];
    const call = agentId && textOf(readMeta(path).toolUseId);
    if (agentId && call) byCall.set(call, agentId);
  }
  return byCall;
}

function readMeta(path: string): Record<string, unknown> {
  try {
    return withFile(path, (source) =>
      source.size > MAX_META ? {} : recordOf(JSON.parse(source.read(0, source.size).toString('utf8'))),
    );
  } catch (error) {
    if (isOutOfReach(error) || error instanceof SyntaxError || error instanceof NotPlain) return {};
    throw error;
  }
}
