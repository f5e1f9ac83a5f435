import type { Seams } from './wire/seams.ts';

/** What a call is answered: a body with a status, or nothing at all. */
export type PlayedAnswer =
  | {
      readonly status?: number;
      readonly body?: unknown;
      /** Instead of a body in JSON. */
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  | 'lost';

/** For tests: answers calls in this order, and says what was sent and how long was waited. */
export function playedExchange(answers: readonly PlayedAnswer[]) {
  const sent: { url: string; method: string; headers: Headers; body: string }[] = [];
  const waited: number[] = [];
  const clock = { now: 1_000_000 };
  const seams: Seams = {
    fetch: async (url, { method, headers, body }) => {
      const answer = answers[sent.length];
      sent.push({ url, method: String(method), headers: new Headers(headers), body: String(body ?? '') });
      if (answer === undefined) throw new Error('no further call was expected');
      if (answer === 'lost') throw new TypeError('fetch failed');
      const kind = { 'content-type': 'application/json', ...answer.headers };
      return new Response(answer.text ?? JSON.stringify(answer.body ?? {}), {
        status: answer.status ?? 200,
        headers: kind,
      });
    },
    now: () => clock.now,
    pause: async (ms, signal) => {
      signal?.throwIfAborted();
      waited.push(ms);
      clock.now += ms;
    },
    random: () => 0.5,
  };
  return { seams, sent, waited, clock };
}

/** An error as the exchange writes it. */
export function refusal(status: number, code: string, details: object = {}, headers: Record<string, string> = {}) {
  return { status, headers, body: { error: { code, message: code.toLowerCase(), details } } };
}
