import { isKnown, OWN_PROCESS, SOME, UNKNOWN } from '../marks.ts';
import { findRisks, type Judged } from '../programs/find-risks.ts';
import { innerCommand } from '../programs/inner-command.ts';
import { readArguments } from '../programs/read-arguments.ts';
import { programNamed } from '../programs/table.ts';
import { isHarmlessAssignment } from './harmless-variables.ts';
import { readStrictly } from './read-strictly.ts';
import { isStateful } from './shell-builtins.ts';
import { isOwnVariable } from './shell-variables.ts';
import { asText, type SimpleCommand, type StrictCommand } from './simple-command.ts';
import { onlyLooks } from './test-expression.ts';
import { isShell, unwrap } from './unwrap.ts';

/** A command that will run exactly as written, and which parts of it a wildcard doesn't cover. */
export interface ProvenCommand extends Judged {
  words: string[];
  /** The command that runs as another user (`sudo`). */
  asOther?: string;
  /** An earlier command changed the folder, so relative paths start elsewhere. */
  isElsewhere: boolean;
  /** Its input comes from another command, or from the text itself. */
  isFed?: boolean;
  /** It shows a variable of the environment. */
  shows?: string;
  /** Files redirected into it. */
  reads?: string[];
  /** It neither does nor shows anything, and needs no rule. */
  isSilent?: true;
  /** It runs a file of the project's Python environment, in this shell. */
  activates?: true;
  /** Where it changes the folder: after others with the same chain, and only if those succeeded. */
  chain?: object;
  /** It is in a loop, so it changes the folder for earlier commands as well. */
  repeats?: boolean;
}

export type Proof =
  | { commands: ProvenCommand[]; unprovable?: undefined }
  | { commands?: undefined; unprovable: string };

/** A second parser's opinion on the text: what is wrong with the first reading, if anything. */
export type Confirm = (text: string, commands: StrictCommand[]) => string | undefined;

const MAX_LAYERS = 5;

/** Everything a command line will run, without wrappers, or why that can't be determined. */
export function prove(text: string, confirm: Confirm, layers = 0): Proof {
  if (layers > MAX_LAYERS) return { unprovable: 'it wraps commands too deeply' };
  const reading = readStrictly(text);
  if (reading.unprovable !== undefined) return reading;
  const objection = confirm(reading.bare?.text ?? text, reading.commands);
  if (objection !== undefined) return { unprovable: objection };
  const commands: ProvenCommand[] = [];
  for (const command of reading.commands) {
    const proof = proveAll(command, confirm, layers);
    if (proof.unprovable !== undefined) return proof;
    const isElsewhere = commands.some(changesFolder);
    const { isFed = false, shows, reads, repeats = false, chain } = command;
    const about = {
      isFed,
      repeats,
      ...(chain && { chain }),
      ...(shows !== undefined && { shows }),
      ...(reads && { reads }),
    };
    commands.push(...proof.commands.map((one) => ({ ...one, ...about, isElsewhere: one.isElsewhere || isElsewhere })));
  }
  const isMoving = commands.some((one) => one.repeats && changesFolder(one));
  return { commands: isMoving ? commands.map((one) => ({ ...one, isElsewhere: true })) : commands };
}

/** A command in a loop counts once for each value of its variables. */
function proveAll(command: StrictCommand, confirm: Confirm, layers: number): Proof {
  const { words, assignments, isFed, splits, input, runs = [words] } = command;
  const own = words.length === 0 || isRead(words) ? assignments.filter((one) => !isOwn(one, words)) : assignments;
  const harmful = own.find((one) => !isHarmlessAssignment(one));
  if (harmful) return { unprovable: `it sets the variable ${harmful.name}` };
  if (words.length === 0) return { commands: [] };
  const commands: ProvenCommand[] = [];
  for (const each of runs) {
    if (activates(each)) {
      commands.push({ ...plainCommand(each), activates: true });
      continue;
    }
    if (isSilent(each)) {
      commands.push({ ...plainCommand(each), isSilent: true });
      continue;
    }
    const proof = proveOne(
      { words: each, assignments: [], ...(isFed && { isFed }) },
      { confirm, layers, splits, input },
    );
    if (proof.unprovable !== undefined) return proof;
    commands.push(...proof.commands);
  }
  return { commands };
}

/** `source .venv/bin/activate` */
function activates([name, file = '', ...rest]: string[]): boolean {
  return /^(source|\.)$/.test(name!) && /^(\.\/)?\.?v?env\/bin\/activate$/.test(file) && rest.length === 0;
}

function isOwn({ name }: { name: string }, words: string[]): boolean {
  return isOwnVariable(name) || (name === 'IFS' && isRead(words));
}

/** `read -r line`, into variables that no program uses. */
function isRead([name, ...rest]: string[]): boolean {
  return (
    name === 'read' && /^(?:-r |-d {2}|-n \d+ |-t \d+ )*(?:\w+ ?)*$/.test(rest.join(' ')) && rest.every(isReadArgument)
  );
}

function isReadArgument(word: string, at: number, words: string[]): boolean {
  return /^(-[rdnt]|\d*)$/.test(word) ? word !== '' || words[at - 1] === '-d' : isOwnVariable(word);
}

/** Tests and shell builtins without effect or output. */
function isSilent(words: string[]): boolean {
  const [name, ...rest] = words;
  if (name === '[') return rest.at(-1) === ']' && onlyLooks(rest.slice(0, -1));
  if (name === 'test') return onlyLooks(rest);
  if (name === 'set')
    return rest.length > 0 && /^(?:-[eux]+|-[eux]*o pipefail)( -[eux]+| -o pipefail)*$/.test(rest.join(' '));
  if (name === 'export') return rest.length > 0 && rest.every(exportsNoHarm);
  if (name === 'wait') return rest.every((word) => word === OWN_PROCESS);
  if (name === 'break' || name === 'continue') return rest.length === 0;
  // what this text started itself
  if (name === 'kill')
    return (
      rest.length > 0 &&
      rest.every(
        (word) => word === OWN_PROCESS || /^(%\d|-(9|15|2|INT|TERM|KILL|SIGTERM|SIGINT|SIGKILL))$/.test(word),
      ) &&
      rest.some((word) => !word.startsWith('-'))
    );
  return isRead(words);
}

/** `export NODE_ENV=test` */
function exportsNoHarm(word: string): boolean {
  const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
  return name !== undefined && isHarmlessAssignment({ name, value });
}

export function changesFolder({ words }: Pick<ProvenCommand, 'words'>): boolean {
  return words[0] === 'cd' || words[0] === 'pushd' || words[0] === 'popd';
}

interface Setting {
  confirm: Confirm;
  layers: number;
  /** An unknown part of it may become several words. */
  splits?: true | undefined;
  /** What it reads, if that is known. */
  input?: { text?: string } | undefined;
}

function proveOne({ words, assignments, isFed }: SimpleCommand, setting: Setting): Proof {
  const { confirm, layers, splits, input } = setting;
  const harmful = assignments.find((one) => !isHarmlessAssignment(one));
  if (harmful) return { unprovable: `it sets the variable ${harmful.name}` };
  if (words.length === 0) return { commands: [] };
  if (layers > MAX_LAYERS) return { unprovable: 'it wraps commands too deeply' };
  const obeying = isFed ? words.find((word) => isShell(word) || mayObey(word, input?.text)) : undefined;
  if (obeying !== undefined) return { unprovable: `\`${obeying}\` may run its input` };
  const unwrapped = unwrap(words);
  if (!unwrapped && splits && !isFree(words)) {
    return { unprovable: `a variable or substitution outside of quotes may give \`${words[0]}\` more words` };
  }
  if (!unwrapped) return proveUnwrapped(words);
  if ('unprovable' in unwrapped) return unwrapped;
  if ('script' in unwrapped) return prove(unwrapped.script, confirm, layers + 1);
  const { inner, assignments: more } = unwrapped;
  if (!isKnown(inner[0]!)) return { unprovable: 'the name of a command is not spelled out' };
  return proveOne({ words: inner, assignments: more, ...(isFed && { isFed }) }, { ...setting, layers: layers + 1 });
}

function mayObey(name: string, input: string | undefined): boolean {
  const { obeysInput } = programNamed(name) ?? {};
  return obeysInput instanceof RegExp ? input === undefined || !obeysInput.test(input) : obeysInput === true;
}

function proveUnwrapped(words: string[]): Proof {
  const name = words[0]!;
  if (name === '') return { unprovable: 'the name of a command is empty' };
  if (isStateful(name)) return { unprovable: `\`${name}\` changes the shell itself` };
  const { launch } = programNamed(name) ?? {};
  if (launch?.appends) return proveAppending(words);
  if (/^g?find$/.test(name) && words.some((word) => EXECUTES.test(word))) return proveFinding(words);
  const command = { words, ...findRisks(words), isElsewhere: false };
  const isOther = launch !== undefined && command.risks.some(({ at }) => at === 0);
  const inner = isOther ? launchedBy(words) : undefined;
  return { commands: [inner?.length ? { ...command, asOther: asText({ words: inner }) } : command] };
}

const EXECUTES = /^-(exec|execdir|ok|okdir)$/;

/** `xargs grep x`: whatever words are added, a program that only reads does no harm with them. */
function proveAppending(words: string[]): Proof {
  const [name] = words;
  const launched = name === 'xargs' ? launchedBy(words) : undefined;
  const inner = launched?.length === 0 ? ['echo'] : (launched ?? []);
  if (!onlyReads(inner)) return { unprovable: `\`${name}\` runs a command on what it reads` };
  return { commands: [plainCommand([...inner.map(withoutHoles), UNKNOWN])] };
}

/** `find … -exec grep x {} +` is a `find` and a `grep`. */
function proveFinding(words: string[]): Proof {
  const own: string[] = [];
  const commands: ProvenCommand[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!EXECUTES.test(words[at]!)) {
      own.push(words[at]!);
      continue;
    }
    const end = words.findIndex((word, index) => index > at && (word === ';' || word === '+'));
    const inner = words.slice(at + 1, end === -1 ? at + 1 : end);
    if (onlyReads(inner)) commands.push(plainCommand(inner.map(withoutHoles)));
    else if (isPlainOn(inner)) {
      // the paths it finds start with the search folder, so never with a dash
      const found = inner.map((word) => (word === '{}' ? `./${SOME}` : word));
      commands.push({ words: found, ...findRisks(found), isElsewhere: true });
    } else return { unprovable: `\`${words[0]}\` runs a command on what it finds` };
    at = end;
  }
  return { commands: [{ words: own, ...findRisks(own), isElsewhere: false }, ...commands] };
}

/** A known program that runs no other program and gets each file as a separate word. */
function isPlainOn(words: string[]): boolean {
  const [name = ''] = words;
  const program = name.includes('/') || isShell(name) || isStateful(name) ? undefined : programNamed(name);
  if (!program || program.launch || program.language === true || program.subcommands || program.otherwise) return false;
  return words.every((word) => word === '{}' || !word.includes('{}')) && words.every(isKnown);
}

/** Whatever words it gets, it does no more than its name says. */
function isFree([name]: string[]): boolean {
  return name !== undefined && !name.includes('/') && programNamed(name)?.free !== undefined;
}

/** Whatever its arguments, it only reads. */
export function onlyReads([name]: string[]): boolean {
  return name !== undefined && !name.includes('/') && programNamed(name)?.free === 'reads';
}

function plainCommand(words: string[]): ProvenCommand {
  return { words, risks: [], droppable: [], display: [], renamed: [], isElsewhere: false };
}

/** `{}` is replaced by a file name. */
function withoutHoles(word: string): string {
  return word.replaceAll('{}', UNKNOWN);
}

/** The command inside a launcher, if its options are understood; otherwise undefined. */
function launchedBy(words: string[]): string[] | undefined {
  const program = programNamed(words[0]!);
  if (!program?.launch) return undefined;
  const read = readArguments(words, 1, { chain: [program], manner: {}, ordered: program.ordered === true });
  if (read.unsure.length > 0 || read.options.some(({ option }) => option?.effect !== 'plain')) return undefined;
  const inner = innerCommand(program.launch, read, words);
  return inner ? words.slice(inner.at) : [];
}
