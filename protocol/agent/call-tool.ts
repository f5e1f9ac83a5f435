import { z } from 'zod';
import { clientIssues } from '../errors/client-issues.ts';
import type { RestCall } from './rest-call.ts';
import type { AgentTool } from './tool.ts';
import type { ToolError, ToolOutcome } from './tool-outcome.ts';
import { inWordsOfTools } from './tool-words.ts';

export interface RestAnswer {
  readonly status: number;
  /** Parsed JSON. */
  readonly body: unknown;
  /** Cursor of the next page of a list, where one follows. */
  readonly next?: string | null;
}

/** Makes a REST call with the caller's credential; null when the exchange cannot be reached. */
export type Rest = (call: RestCall) => Promise<RestAnswer | null>;

/** A call shows so many of what is wrong with its parameters. */
const ISSUES_MAX = 20;

/** Validates a tool's parameters against its schema, makes its REST call, and turns the answer into the tool's output. */
export async function callTool(tool: AgentTool, parameters: unknown, rest: Rest): Promise<ToolOutcome> {
  const parsed = tool.input.safeParse(parameters);
  if (!parsed.success) {
    const issues = clientIssues(parsed.error)
      .slice(0, ISSUES_MAX)
      .map(({ path, message }) => ({ parameter: path.join('.'), message }));
    return failed('VALIDATION_ERROR', `invalid parameters of ${tool.name}`, { issues });
  }
  const answer = await rest(tool.callOf(parsed.data));
  if (answer === null)
    return failed('SERVICE_UNAVAILABLE', 'the exchange cannot be reached; what was asked may have been done');
  if (answer.status >= 400) return { ok: false, error: errorOf(answer) };
  const output = tool.outputOf(answer.body, answer.next ?? null);
  if (output === null) return failed('INTERNAL_ERROR', 'the call was made, but its answer is none of the exchange');
  return { ok: true, output };
}

const ErrorBody = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }),
});

function errorOf({ status, body }: RestAnswer): ToolError {
  const parsed = ErrorBody.safeParse(body);
  return parsed.success
    ? inWordsOfTools(parsed.data.error)
    : { code: 'INTERNAL_ERROR', message: 'the exchange gave no error of its own', details: { status } };
}

function failed(code: string, message: string, details: ToolError['details'] = {}): ToolOutcome {
  return { ok: false, error: { code, message, details } };
}
