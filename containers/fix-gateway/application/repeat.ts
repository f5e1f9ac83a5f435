import type { ExchangeAnswer } from './exchange.ts';

const ATTEMPTS_MAX = 5;
const RETRY_MS = 500;

/** Repeats a call that has no answer: cancelling, and amending to a total, may be done twice. */
export async function repeat(call: () => Promise<ExchangeAnswer>): Promise<ExchangeAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call();
    if (answer.type !== 'unknown' || attempt === ATTEMPTS_MAX) return answer;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
