import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds on two busy cores, in one run. A rough order is enough: a file that is missing counts as short. */
const SECONDS: Record<string, number> = {
  cli: 195,
  answering: 190,
  holding: 175,
  stop: 155,
  crash: 150,
  deciding: 145,
  board: 135,
  orchestrator: 115,
  'own-operator': 115,
  worktrees: 100,
  tabs: 90,
  'index-crash': 90,
  usability: 90,
  accessibility: 85,
  'orchestration-pages': 75,
  'chaos-approvals': 75,
  transcripts: 75,
  'session-page': 75,
  'daemon-gone': 65,
  'parallel-approvals': 65,
  costs: 65,
  strict: 65,
  controls: 60,
  consent: 55,
  stops: 40,
  'route-fuzz': 30,
  'hostile-repository': 30,
  'broken-journal': 25,
  'rules-fuzz': 20,
  'ask-person-command': 20,
};

/** Long files first, so that none runs alone at the end. By itself vitest goes by what it measured here before, and by size on a new machine. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => secondsOf(b) - secondsOf(a));
  }
}

function secondsOf({ moduleId }: TestSpecification): number {
  return SECONDS[basename(moduleId).split('.')[0] ?? ''] ?? 0;
}
