import type { NativeSession } from '../../runner/native/native-session.ts';
import { oneLine, paint } from '../output.ts';
import { describeStats } from './show.ts';

export const HELP = [
  '/cost              what the session has used, decisions and tool times',
  '/compact           summarize the conversation to free up context',
  '/model [name]      show or change the model',
  '/shells            running commands and their processes',
  '/kill <shell>      end a shell',
  '/exit quit',
  '',
  'Esc interrupts. Ctrl-B sends the running command to the background. Alt-Enter or \\ starts a new line.',
  'A prompt typed while the agent is working is sent with its next request.',
];

/** What a line that begins with a slash does. */
export async function runCommand(
  line: string,
  { agent, shells }: NativeSession,
  print: (...lines: string[]) => void,
): Promise<'exit' | undefined> {
  const [name = '', argument = ''] = line.split(/\s+/, 2);
  switch (name) {
    case '/exit':
    case '/quit':
      return 'exit';
    case '/cost':
      print(...describeStats(agent.stats));
      return;
    case '/compact':
      await agent.compact().then(
        () => print('Compacted.'),
        (error: Error) => print(paint('red', `Not compacted: ${error.message}`)),
      );
      return;
    case '/model':
      if (argument === '') print(`Model: ${agent.model}`);
      else await agent.setModel(argument);
      return;
    case '/shells':
      print(...(await describeShells(shells)));
      return;
    case '/kill':
      try {
        const left = await shells.get(argument).kill();
        print(left.length === 0 ? `${argument} ended.` : `${argument}: still running: ${left.join(', ')}`);
      } catch (error) {
        print(paint('red', (error as Error).message));
      }
      return;
    case '/help':
      print(...HELP);
      return;
    default:
      print(paint('red', `There is no command ${oneLine(name)}.`), ...HELP);
  }
}

async function describeShells(shells: NativeSession['shells']): Promise<string[]> {
  const list = shells.list();
  if (list.length === 0) return ['No shells.'];
  const described = await Promise.all(
    list.map(async (shell) => {
      const state = shell.exitCode === null ? shell.state : `${shell.state}, exit code ${shell.exitCode}`;
      const tree = await shell.tree();
      const processes = tree === '' ? [] : tree.split('\n').map((one) => `  ${one}`);
      return [`${paint('bold', shell.id)}  ${state}  ${oneLine(shell.command)}`, ...processes];
    }),
  );
  return described.flat();
}
