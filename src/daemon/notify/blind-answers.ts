import type { Approval } from '../../contract/approvals.ts';
import type { NotifySettings } from '../../contract/notify.ts';
import type { CallToJudge, RulesIo } from '../rules/call-facts.ts';
import { decide } from '../rules/decide.ts';
import { RuleSet } from '../rules/rule-set.ts';

export interface BlindAnswersOptions {
  patterns: () => NotifySettings['blind'];
  toolCall: (approval: Approval) => CallToJudge;
  io: RulesIo;
  onError: (error: unknown) => void;
}

/**
 * What the operator allows to be answered from a notification, which shows little of a call. The patterns are parsed as allow rules, so a
 * command matches only if every part of it is covered.
 */
export class BlindAnswers {
  readonly #options: BlindAnswersOptions;

  constructor(options: BlindAnswersOptions) {
    this.#options = options;
  }

  isSafe(approval: Approval): boolean {
    const { patterns, toolCall, io, onError } = this.#options;
    if (approval.kind !== 'permission' || patterns().length === 0) return false;
    try {
      return decide(toolCall(approval), compileBlind(patterns()), io).decision === 'allow';
    } catch (error) {
      // a call that can't be parsed must not be answered unread
      onError(error);
      return false;
    }
  }
}

/** Throws InvalidPattern for a pattern that can never match. */
export function compileBlind(patterns: NotifySettings['blind']): RuleSet {
  return new RuleSet(
    patterns.map((pattern, index) => ({
      id: `blind-${index}`,
      scope: 'global' as const,
      priority: 0,
      enabled: true,
      pattern,
      decision: 'allow' as const,
      reason: '',
      createdAt: 0,
    })),
  );
}
