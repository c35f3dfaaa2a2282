import { DomainError } from '../errors.ts';

export class InvalidPattern extends DomainError {
  constructor(pattern: string, problem: string) {
    super('rule.invalid_pattern', 400, `The pattern ${JSON.stringify(pattern)} ${problem}.`, { pattern });
  }
}
