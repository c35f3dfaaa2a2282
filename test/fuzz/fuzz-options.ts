import { loadBash } from '../../src/daemon/rules/bash/grammar.ts';
import { decide } from '../../src/daemon/rules/decide.ts';
import { branchOnDisk, namesOnDisk, realPathOnDisk } from '../../src/daemon/rules/disk.ts';
import { RuleSet } from '../../src/daemon/rules/rule-set.ts';
import { dice } from './dice.ts';
import { generate } from './generate.ts';
import { REAL_PROGRAMS, type RealProgram } from './real-programs.ts';
import { Sandbox } from './sandbox.ts';

export interface Hole {
  pattern: string;
  command: string;
  effect: string;
}

export interface FuzzReport {
  generated: number;
  /** Commands that the rules allowed, and how many of those were actually run. */
  allowed: number;
  ran: number;
  /** Commands that are certain to do harm. */
  harmful: number;
  holes: Hole[];
}

const BATCH = 40;

/** Checks commands in every spelling against the rule that allows their program, and checks allowed commands by running them. */
export async function fuzzOptions({ count, seed }: { count: number; seed: number }): Promise<FuzzReport> {
  const random = dice(seed);
  const io = { parseBash: await loadBash(), realPath: realPathOnDisk, namesIn: namesOnDisk, branchOf: branchOnDisk };
  const sandbox = new Sandbox();
  const report: FuzzReport = { generated: 0, allowed: 0, ran: 0, harmful: 0, holes: [] };
  const programs = REAL_PROGRAMS.map((program) => ({
    ...{ program, rules: ruleFor(program), waiting: new Set<string>() },
    canRun: program.isRun && sandbox.has(program.command.split(' ')[0]!),
  }));
  try {
    for (let index = 0; index < count; index++) {
      const one = programs[index % programs.length]!;
      const { program, rules, waiting, canRun } = one;
      const generated = generate(random, program);
      const command = generated.command.replaceAll('$WORK', sandbox.work);
      const place = { cwd: sandbox.work, project: sandbox.work, home: '/home/op', now: 1 };
      const { decision } = decide({ toolName: 'Bash', toolInput: { command }, ...place }, rules, io);
      report.generated++;
      if (generated.isHarmful) report.harmful++;
      if (decision !== 'allow') continue;
      report.allowed++;
      if (canRun) waiting.add(command);
      else if (generated.isHarmful)
        report.holes.push({ pattern: program.pattern, command, effect: 'as its manual says' });
      if (waiting.size >= BATCH) runWaiting(one);
    }
    programs.forEach(runWaiting);
  } finally {
    sandbox.remove();
  }
  return report;

  function runWaiting({ program, waiting }: { program: RealProgram; waiting: Set<string> }): void {
    if (waiting.size === 0) return;
    report.ran += waiting.size;
    const found = sandbox.harmful([...waiting], { mayWrite: program.mayWrite === true });
    report.holes.push(...found.map((one) => ({ pattern: program.pattern, ...one })));
    waiting.clear();
  }
}

function ruleFor({ pattern }: RealProgram): RuleSet {
  const base = {
    id: 'r',
    scope: 'global',
    priority: 0,
    enabled: true,
    reason: '',
    createdAt: 0,
    decision: 'allow',
  } as const;
  return new RuleSet([{ ...base, pattern: { toolName: 'Bash', parameters: { command: pattern } } }]);
}
