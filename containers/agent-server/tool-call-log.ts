import { loggableParameters } from '../../protocol/agent/loggable-parameters.ts';
import type { AgentTool } from '../../protocol/agent/tool.ts';
import { resultCodeOf, type ToolError, type ToolOutcome } from '../../protocol/agent/tool-outcome.ts';
import type { SignedRest } from './signed-rest.ts';

interface Entry {
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly result_code: string;
}

/**
 * Tells the exchange of every tool call. One that cannot be told of is kept, and until it has been, nothing else is called: what an
 * agent did never goes missing behind what it does next.
 */
export class ToolCallLog {
  readonly #rest: SignedRest;
  readonly #untold: Entry[] = [];
  #flushing: Promise<ToolError | null> = Promise.resolve(null);

  constructor(rest: SignedRest) {
    this.#rest = rest;
  }

  async append(tool: AgentTool, parameters: unknown, outcome: ToolOutcome): Promise<void> {
    this.#untold.push({
      tool: tool.name,
      parameters: loggableParameters(tool, parameters),
      result_code: resultCodeOf(outcome),
    });
    await this.flush();
  }

  /** Tells what has not been told yet; the reason why it could not, or null. */
  flush(): Promise<ToolError | null> {
    this.#flushing = this.#flushing.then(() => this.#tell());
    return this.#flushing;
  }

  async #tell(): Promise<ToolError | null> {
    for (;;) {
      const entry = this.#untold[0];
      if (entry === undefined) return null;
      const answer = await this.#rest.send({
        method: 'POST',
        path: '/v1/agent/tool-calls',
        body: { ...entry },
        idempotencyKey: null,
      });
      if (answer?.status !== 201) return { ...NOT_LOGGED, details: { status: answer?.status ?? null } };
      this.#untold.shift();
    }
  }
}

const NOT_LOGGED = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'an earlier tool call could not be logged; nothing is called until it is',
};
