import type { ChainCall, ChainCalls, ChainsService } from '../../protocol/bridge/chains-api.ts';

/** How long a call may take: nodes answer within their own bounds. */
const ANSWER_MS_MAX = 30_000;

/** A chain, or the Worker of the chains, does not answer as asked now. Its message names no node, and repeats nothing of what one says: tenants see it. */
export class ChainAway extends Error {
  override readonly name = 'ChainAway';
  /** What the node says, for operators. */
  readonly reason: string;

  constructor(call: ChainCall, reason: string) {
    super(`${call}: the chain does not answer as it should`);
    this.reason = reason;
  }
}

/** Calls of chains as plain functions. Each throws `ChainAway` where there is no answer, and RangeError where a payment, or a place to pay in, can never be. */
export function chainsOf({ CHAINS: service }: { readonly CHAINS: unknown }): ChainCalls {
  const calls = {} as Record<ChainCall, (...args: unknown[]) => Promise<unknown>>;
  return new Proxy(calls, {
    get:
      (_, call: ChainCall) =>
      (...args: unknown[]) =>
        ask(service as ChainsService, call, args),
  }) as unknown as ChainCalls;
}

async function ask(service: ChainsService, call: ChainCall, args: readonly unknown[]): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChainAway(call, `no answer in ${ANSWER_MS_MAX} ms`)), ANSWER_MS_MAX);
  });
  try {
    const answer = await Promise.race([service.ask(call, args), late]);
    if (answer.ok) return answer.value;
    throw answer.isOutOfRange ? new RangeError(answer.reason) : new ChainAway(call, answer.reason);
  } catch (error) {
    throw error instanceof ChainAway || error instanceof RangeError
      ? error
      : new ChainAway(call, error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
  }
}
