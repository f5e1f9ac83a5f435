import type { ExchangeAnswer } from './exchange.ts';

const ATTEMPTS_MAX = 5;
const RETRY_MS = 500;

/** A cancel beyond the rate limit, or without an answer, is sent again so often: an hour of them. */
const WAITS_MAX = 60;
const WAIT_S_MAX = 60;

/** Repeats a call that has no answer: cancelling, and amending to a total, may be done twice. */
export async function repeat(call: () => Promise<ExchangeAnswer>): Promise<ExchangeAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call();
    if (answer.type !== 'unknown' || attempt === ATTEMPTS_MAX) return answer;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** For how long its limit lets no such call through; null where an answer is no refusal by a limit. */
export function limitedFor_s(answer: ExchangeAnswer): number | null {
  if (answer.type !== 'refused' || answer.code !== 'RATE_LIMIT_EXCEEDED') return null;
  const wanted_s = Number(answer.details.retry_after);
  return wanted_s >= 1 ? Math.min(wanted_s, WAIT_S_MAX) : WAIT_S_MAX;
}

/**
 * The same for what nobody will ask for again: beyond the rate limit it is sent once it fits, and while the exchange is out of reach after pauses that grow, as long as nothing else is
 * asked for. Whoever is there again asks by themselves, and waits for no hour of this.
 */
export async function repeatWhenItFits(
  call: () => Promise<ExchangeAnswer>,
  isAsked: () => boolean,
  wait: (seconds: number) => Promise<unknown> = (seconds) =>
    new Promise((resolve) => setTimeout(resolve, seconds * 1_000)),
): Promise<ExchangeAnswer> {
  for (let waits = 0; ; waits++) {
    const answer = await repeat(call);
    const wait_s = answer.type === 'unknown' ? Math.min(2 ** waits, WAIT_S_MAX) : limitedFor_s(answer);
    if (wait_s === null || waits === WAITS_MAX) return answer;
    for (let left_s = wait_s; left_s > 0; left_s -= 1) {
      if (isAsked()) return answer;
      await wait(Math.min(left_s, 1));
    }
  }
}
