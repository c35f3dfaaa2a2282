import type { BlueprintProblem } from '../../contract/blueprints.ts';
import { DomainError } from '../errors.ts';

export class BlueprintUnknown extends DomainError {
  constructor(name: string, where = 'here') {
    super('agent.unknown', 404, `No blueprint "${name}" ${where}. Run \`gctl agents list\` to see the ones you have.`);
  }
}

export class BlueprintInvalid extends DomainError {
  constructor(problems: BlueprintProblem[]) {
    const [first] = problems;
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    const where = first ? `${first.file}:${first.line}:${first.column}: ${first.message}` : '';
    super('agent.invalid', 422, `The blueprint has errors: ${where}${more}`, { problems });
  }
}

export class BlueprintConflict extends DomainError {
  constructor(name: string, { version, why }: { version: string | null; why: string }) {
    super('agent.conflict', 409, `The blueprint "${name}" was not saved: ${why}`, { version });
  }
}

export class BlueprintRefused extends DomainError {
  constructor(path: string, why: string) {
    super('agent.refused', 409, `Can't use ${path}: ${why}.`, { path });
  }
}

export class BlueprintPlaceUnknown extends DomainError {
  constructor(path: string, why: string) {
    super('agent.no_place', 400, `${path}: ${why}.`);
  }
}
