import { ApiProblem } from './api-problem.ts';

const PREFIX = 'once:';
/** Half a minute in all: whoever waits longer sees that the outcome is not known yet, and asks again by hand with the same key. */
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
const WAIT_MS_MAX = 15_000;

/** Where keys are kept while an answer is not final: a reload of the page asks with the same one. */
interface KeyStore {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

interface Options {
  readonly store?: KeyStore;
  readonly wait?: (ms: number) => Promise<void>;
  /** Told before it asks again. */
  readonly onAsking?: () => void;
}

/**
 * Sends a change with an Idempotency-Key, and the same one again while it is not known what became of it. `name` is the form's, with what
 * makes this sending another than the last.
 */
export async function sendOnce<T>(
  name: string,
  call: (key: string) => Promise<T>,
  { store = sessionStorage, wait = pause, onAsking }: Options = {},
): Promise<T> {
  const kept = store.getItem(PREFIX + name);
  const key = kept ?? crypto.randomUUID();
  store.setItem(PREFIX + name, key);
  // A key is kept while it is not known what became of the last sending.
  let mayBeDone = kept !== null;
  for (let tries = 0; ; tries++) {
    try {
      const answer = await call(key);
      store.removeItem(PREFIX + name);
      return answer;
    } catch (error) {
      const ms = WAITS_MS[tries];
      const problem = error instanceof ApiProblem ? error : null;
      mayBeDone ||= problem?.isOutcomeUnknown === true;
      // What broke in the page says nothing of what became of the call.
      const isOpen = problem === null || problem.isOutcomeUnknown || (mayBeDone && problem.isTurnedAway);
      if (!isOpen) store.removeItem(PREFIX + name);
      // Whoever is signed out or may not do it any more does not change that by waiting, nor does what broke in the page.
      if (!isOpen || ms === undefined || problem === null || problem.status === 401 || problem.status === 403)
        throw error;
      onAsking?.();
      await wait(Math.min(problem.retryAfter ?? ms, WAIT_MS_MAX));
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
