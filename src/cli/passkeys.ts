import { type Command, Option } from 'commander';
import { PASSKEY_ACTION_NAMES, PASSKEY_ACTIONS, type PasskeyAction } from '../contract/passkey-actions.ts';
import { MOST_WINDOW_SECONDS, type PasskeyList, type PasskeySettings } from '../contract/passkeys.ts';
import {
  createPasskeyCode,
  listPasskeys,
  renamePasskey,
  revokePasskey,
  savePasskeySettings,
} from '../contract/routes/passkeys.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError } from './exit.ts';
import { ago, oneLine, print, printJson } from './output.ts';
import { printTable } from './table.ts';

type Options = DataDirOption & { json?: boolean };

interface OnOptions extends Options {
  everywhere?: boolean;
  window?: string;
  action?: PasskeyAction[];
}

export function addPasskeys(program: Command): void {
  const passkeys = program
    .command('passkeys')
    .description('ask for a passkey before dangerous actions, and manage passkeys')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl passkeys\n  gctl passkeys code\n  gctl passkeys on --window 60\n  gctl passkeys revoke 4f1c\n  gctl passkeys off',
    );

  withJson(passkeys.command('list', { isDefault: true }))
    .description('list passkeys and what they are asked for')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl passkeys list\n  gctl passkeys list --json')
    .action(async ({ dataDir, json }: Options) => {
      const list = await (await connect(dataDir)).call(listPasskeys);
      if (json) return printJson(list);
      describeSettings(list.settings);
      if (list.passkeys.length === 0)
        return print('\nNo passkeys yet. Add one on the device itself: Settings › Passkeys.');
      print('');
      await printTable(
        list.passkeys.map((one) => [
          one.id.slice(0, 8),
          one.rpId,
          one.lastUsedAt ? `${ago(one.lastUsedAt)} ago` : 'never',
          `${one.name} (${one.deviceName})`,
        ]),
        { head: ['ID', 'Works at', 'Last used', 'Name'] },
      );
    });

  withJson(passkeys.command('code'))
    .description('print a code that lets one device elsewhere add a passkey')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl passkeys code')
    .action(async ({ dataDir, json }: Options) => {
      const given = await (await connect(dataDir)).call(createPasskeyCode);
      if (json) return printJson(given);
      print(`${given.code.replace(/^(.{4})/, '$1-')}`);
      print('Enter it on the device within 5 minutes: Settings › Passkeys › Add a passkey. It works once.');
    });

  withJson(passkeys.command('on'))
    .description('ask for a passkey before dangerous actions')
    .option('--everywhere', 'also in browsers on this machine (default: only from other machines)')
    .option('--window <seconds>', 'how long one confirmation counts (default: 0, for one action)')
    .addOption(new Option('--action <action...>', 'what needs a passkey').choices(PASSKEY_ACTIONS))
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `\nActions:\n${PASSKEY_ACTIONS.map((one) => `  ${one.padEnd(12)} ${PASSKEY_ACTION_NAMES[one]}`).join('\n')}\n\nExamples:\n  gctl passkeys on\n  gctl passkeys on --everywhere --window 300\n  gctl passkeys on --action allow rules devices`,
    )
    .action(async ({ dataDir, json, everywhere, window, action }: OnOptions) => {
      const api = await connect(dataDir);
      const { settings: known, passkeys: own } = await api.call(listPasskeys);
      const settings = await api.call(savePasskeySettings, {
        body: {
          ...known,
          required: true,
          where: everywhere ? 'everywhere' : 'remote',
          ...(window === undefined ? {} : { windowSeconds: secondsOf(window) }),
          ...(action === undefined ? {} : { actions: action }),
        },
      });
      if (json) return printJson(settings);
      describeSettings(settings);
      if (own.length === 0)
        print('\nNo device has a passkey yet, so these actions work only at this machine. Add one: gctl passkeys code');
    });

  withJson(passkeys.command('off'))
    .description('stop asking for passkeys; they stay registered')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl passkeys off')
    .action(async ({ dataDir, json }: Options) => {
      const api = await connect(dataDir);
      const { settings: known } = await api.call(listPasskeys);
      const settings = await api.call(savePasskeySettings, { body: { ...known, required: false } });
      if (json) printJson(settings);
      else describeSettings(settings);
    });

  withJson(passkeys.command('rename <id> <name>'))
    .description('rename a passkey (ID prefixes accepted)')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl passkeys rename 4f1c "Work phone"')
    .action(async (prefix: string, name: string, { dataDir, json }: Options) => {
      const api = await connect(dataDir);
      const { id } = findPasskey(await api.call(listPasskeys), prefix);
      const renamed = await api.call(renamePasskey, { params: { id }, body: { name } });
      if (json) printJson(renamed);
      else print(`Renamed: ${oneLine(renamed.name)}`);
    });

  withJson(passkeys.command('revoke <id>'))
    .description('revoke a passkey, for example of a lost key (ID prefixes accepted)')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl passkeys revoke 4f1c')
    .action(async (prefix: string, { dataDir, json }: Options) => {
      const api = await connect(dataDir);
      const found = findPasskey(await api.call(listPasskeys), prefix);
      await api.call(revokePasskey, { params: { id: found.id } });
      if (json) printJson(found);
      else print(`Revoked: ${oneLine(found.name)}`);
    });
}

function describeSettings({ required, where, actions, windowSeconds }: PasskeySettings): void {
  if (!required) {
    print('Passkeys are not asked for. Turn them on: gctl passkeys on');
    return;
  }
  const whom = where === 'remote' ? 'Devices on other machines need' : 'Every browser needs';
  print(`${whom} a passkey ${windowSeconds === 0 ? 'each time' : `once in ${windowSeconds} s`} to:`);
  for (const one of actions) print(`  ${PASSKEY_ACTION_NAMES[one]}`);
  print('gctl at a terminal of this machine never needs one.');
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= MOST_WINDOW_SECONDS) return seconds;
  throw new CliError(`--window ${text} must be a number of seconds from 0 to ${MOST_WINDOW_SECONDS}.`);
}

function findPasskey({ passkeys }: PasskeyList, prefix: string) {
  const found = passkeys.filter(({ id }) => id.startsWith(prefix));
  if (found.length === 1) return found[0]!;
  throw new CliError(
    `${found.length === 0 ? 'No passkey matches' : 'More than one passkey matches'} ${prefix}. See gctl passkeys.`,
  );
}
