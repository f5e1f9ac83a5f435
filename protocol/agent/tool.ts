import type { z } from 'zod';
import type { RestCall } from './rest-call.ts';

/** What a tool tells an agent about its effects (MCP, tool annotations). */
export interface ToolEffects {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool: its schemas, the REST call that it makes and what it makes of the answer (docs/design/gateways.md#agent-server). */
export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly effects: ToolEffects;
  /** Whether its results repeat what others have written: market data, which no agent should take for instructions. */
  readonly marketData: boolean;
  /** @param parameters that `input` has accepted */
  callOf(parameters: unknown): RestCall;
  /** Null for an answer that is none of the exchange's. @param next cursor of the page that follows, or null */
  outputOf(answer: unknown, next: string | null): Readonly<Record<string, unknown>> | null;
}

/** An AgentTool from parts whose types fit each other. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject, Answer extends z.ZodType>(
  tool: Omit<AgentTool, 'input' | 'output' | 'callOf' | 'outputOf'> & {
    readonly input: Input;
    readonly output: Output;
    /** What is read of the REST answer. */
    readonly answer: Answer;
    callOf(parameters: z.infer<Input>): RestCall;
    outputOf(answer: z.infer<Answer>, next: string | null): z.infer<Output>;
  },
): AgentTool {
  const { answer, callOf, outputOf, ...rest } = tool;
  return {
    ...rest,
    callOf: (parameters) => callOf(tool.input.parse(parameters)),
    outputOf: (body, next) => {
      const parsed = answer.safeParse(body);
      return parsed.success ? outputOf(parsed.data, next) : null;
    },
  };
}

/** Reads and changes nothing. */
export const READS: ToolEffects = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
