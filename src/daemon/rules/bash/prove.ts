import { isKnown, WORD_BREAK } from '../marks.ts';
import { readStrictly } from './read-strictly.ts';
import { mustBeSpelled } from './risky-options.ts';
import { isHarmlessAssignment, isStateful } from './shell-builtins.ts';
import type { SimpleCommand } from './simple-command.ts';
import { baseName, innerOf, unwrap } from './wrappers.ts';

/** A command that will run exactly as its words say. */
export interface ProvenCommand {
  words: string[];
  text: string;
  /** What a wildcard does not cover. */
  spelled: string[];
  /** What another user is made to run (`sudo`). */
  asOther?: string;
  /** An earlier command has changed the folder, so relative paths are relative to somewhere else. */
  isElsewhere: boolean;
}

export type Proof =
  | { commands: ProvenCommand[]; unprovable?: undefined }
  | { commands?: undefined; unprovable: string };

/** A second reader's opinion on what the text says: what is wrong with the reading, if anything is. */
export type Confirm = (text: string, commands: SimpleCommand[]) => string | undefined;

const MAX_LAYERS = 5;
const RUNS_ON_INPUT = new Set(['xargs', 'parallel', 'rargs']);

/** Everything that a command line will run, wrappers taken off, or the reason why that cannot be told. */
export function prove(text: string, confirm: Confirm, layers = 0): Proof {
  if (layers > MAX_LAYERS) return { unprovable: 'it wraps commands too deeply' };
  const reading = readStrictly(text);
  if (reading.unprovable !== undefined) return reading;
  const objection = confirm(text, reading.commands);
  if (objection !== undefined) return { unprovable: objection };
  const commands: ProvenCommand[] = [];
  for (const command of reading.commands) {
    const proof = proveOne(command, confirm, layers);
    if (proof.unprovable !== undefined) return proof;
    const isElsewhere = commands.some(changesFolder);
    commands.push(...proof.commands.map((one) => ({ ...one, isElsewhere: one.isElsewhere || isElsewhere })));
  }
  return { commands };
}

export function changesFolder({ words }: Pick<ProvenCommand, 'words'>): boolean {
  return words[0] === 'cd' || words[0] === 'pushd' || words[0] === 'popd';
}

function proveOne({ words, assignments }: SimpleCommand, confirm: Confirm, layers: number): Proof {
  const harmful = assignments.find((one) => !isHarmlessAssignment(one));
  if (harmful) return { unprovable: `it sets the variable ${harmful.name}` };
  if (words.length === 0) return { commands: [] };
  if (layers > MAX_LAYERS) return { unprovable: 'it wraps commands too deeply' };
  const unwrapped = unwrap(words);
  if (!unwrapped) return proveUnwrapped(words);
  if ('unprovable' in unwrapped) return unwrapped;
  if ('script' in unwrapped) return prove(unwrapped.script, confirm, layers + 1);
  const { inner, assignments: more } = unwrapped;
  if (!isKnown(inner[0]!)) return { unprovable: 'the name of a command is not spelled out' };
  return proveOne({ words: inner, assignments: more }, confirm, layers + 1);
}

function proveUnwrapped(words: string[]): Proof {
  const name = words[0]!;
  if (name === '') return { unprovable: 'the name of a command is empty' };
  if (isStateful(name)) return { unprovable: `\`${name}\` changes the shell itself` };
  if (RUNS_ON_INPUT.has(baseName(name))) return { unprovable: `\`${name}\` runs a command on what it reads` };
  const spelled = mustBeSpelled(words);
  if (spelled.some((word) => /^-(exec|execdir|ok|okdir)$/.test(word))) {
    return { unprovable: `\`${name}\` runs a command on what it finds` };
  }
  const inner = spelled[0] === name ? innerOf(words) : undefined;
  const command = { words, text: words.join(WORD_BREAK), spelled, isElsewhere: false };
  return { commands: [inner ? { ...command, asOther: inner.join(WORD_BREAK) } : command] };
}
