import { loggableParameters } from '../../protocol/agent/loggable-parameters.ts';
import type { AgentTool } from '../../protocol/agent/tool.ts';
import { resultCodeOf, type ToolError, type ToolOutcome } from '../../protocol/agent/tool-outcome.ts';
import { CANCEL_TOOL } from '../../protocol/agent/tools/cancel-order.ts';
import type { SignedRest } from './signed-rest.ts';

interface Entry {
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly result_code: string;
}

/** Cancels go on while at most so many calls are untold. */
const UNTOLD_MAX = 1_000;

/**
 * Tells the exchange of every tool call. One that cannot be told of is kept, and until it has been, nothing is called but cancels: what an
 * agent did never goes missing behind what it does next, and no log keeps orders open.
 */
export class ToolCallLog {
  readonly #rest: SignedRest;
  readonly #untold: Entry[] = [];
  #flushing: Promise<ToolError | null> = Promise.resolve(null);

  constructor(rest: SignedRest) {
    this.#rest = rest;
  }

  /** Whether a tool may be called though something is untold. */
  allows(tool: AgentTool): boolean {
    return tool.name === CANCEL_TOOL && this.#untold.length < UNTOLD_MAX;
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
