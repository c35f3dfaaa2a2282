import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../client/client.ts';
import type { Prompt } from '../contract/prompts.ts';
import { listPrompts, sendPrompt } from '../contract/routes/prompts.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { EXIT } from './exit.ts';
import { findSession } from './find-session.ts';
import { complain, print, printJson } from './output.ts';

const POLL_MS = 300;

interface TellOptions extends DataDirOption {
  wait?: boolean;
  expiresIn?: number;
  asText?: boolean;
  json?: boolean;
}

export function addTell(program: Command): void {
  withJson(program.command('tell <id> <text...>'))
    .description('send a prompt to a session: now if it is idle, otherwise when its turn ends (ID prefixes accepted)')
    .option('--wait', 'wait until it is delivered (exit 1 if it never is)')
    .option('--as-text', 'send /compact, !ls and the like as plain text instead of running them')
    .option('--expires-in <seconds>', 'drop it if it is not delivered in time (default: a day)', parseSeconds)
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl tell 3f2a "Run the tests, then continue"\n  gctl tell 3f2a --wait "Commit it"',
    )
    .action(async (id: string, words: string[], { dataDir, wait, expiresIn, asText, json }: TellOptions) => {
      const api = await connect(dataDir);
      const session = await findSession(api, id);
      const request = {
        text: words.join(' '),
        ...(expiresIn === undefined ? {} : { expiresInSeconds: expiresIn }),
        ...(asText ? { asText } : {}),
      };
      const sent = await api.call(sendPrompt, { params: { id: session.id }, body: request });
      const prompt = wait ? await settled(api, sent) : sent;
      if (json) printJson(prompt);
      else print(describe(prompt));
      if (wait && prompt.status !== 'delivered') {
        complain(`not delivered: ${prompt.note ?? prompt.status}`);
        process.exitCode = EXIT.failed;
      }
    });
}

async function settled(api: Client, sent: Prompt): Promise<Prompt> {
  for (let prompt = sent; ; await sleep(POLL_MS)) {
    if (prompt.status !== 'queued') return prompt;
    const { prompts } = await api.call(listPrompts, { params: { id: sent.sessionId } });
    prompt = prompts.find(({ id }) => id === sent.id) ?? prompt;
  }
}

function describe({ sessionId, status, note }: Prompt): string {
  return `${sessionId.slice(0, 8)}  ${status}${note ? `: ${note}` : ''}`;
}

function parseSeconds(text: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError(`${JSON.stringify(text)} isn't a whole number of seconds.`);
}
