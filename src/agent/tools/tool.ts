import type { ImageBlockParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { z } from 'zod';
import type { EventActor } from '../../contract/agent-events.ts';
import type { ApprovalKind } from '../../contract/approvals.ts';
import type { Emit } from '../events.ts';
import type { GateKind } from '../loop/gate.ts';

export interface ToolOutput {
  content: string | (TextBlockParam | ImageBlockParam)[];
  isError?: boolean;
}

/** The context of a running call. */
export interface CallContext {
  callId: string;
  actor: EventActor;
  /** Aborts when the operator interrupts the turn or kills this call. */
  signal: AbortSignal;
  /** Aborts when the operator sends the call to the background. Already aborted if it never ran in the foreground. */
  background: AbortSignal;
  emit: Emit;
  output(stream: 'stdout' | 'stderr', text: string): void;
}

type CallPermission = ApprovalKind | 'none' | 'confined';

export interface Tool<Input = Record<string, unknown>> {
  name: string;
  description: string;
  input: z.ZodType<Input>;
  /** For tools with an external schema. */
  jsonSchema?: Record<string, unknown>;
  gate: GateKind;
  /** `none`: never needs approval. `confined`: doesn't either, but a rule or mode can deny it. A function: depends on the input. */
  permission: CallPermission | ((input: Input) => CallPermission);
  canBackground?: boolean;
  /** The files that the call would change. Only set if it changes nothing else. */
  edits?(input: Input): string[];
  preview?(input: Input): Promise<string | undefined>;
  run(input: Input, context: CallContext): Promise<ToolOutput>;
}

/** Keeps the input type private to the tool's file. The loop validates before it calls. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

export const ok = (content: string): ToolOutput => ({ content });
export const failed = (content: string): ToolOutput => ({ content, isError: true });
