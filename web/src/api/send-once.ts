import { ApiProblem } from './api-problem.ts';

const PREFIX = 'once:';
/** Half a minute in all: whoever waits longer sees that the outcome is not known yet, and asks again by hand with the same key. */
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

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
  const key = store.getItem(PREFIX + name) ?? crypto.randomUUID();
  store.setItem(PREFIX + name, key);
  for (let tries = 0; ; tries++) {
    try {
      const answer = await call(key);
      store.removeItem(PREFIX + name);
      return answer;
    } catch (error) {
      const ms = WAITS_MS[tries];
      const isOpen = error instanceof ApiProblem && error.isOutcomeUnknown;
      if (!isOpen) store.removeItem(PREFIX + name);
      if (!isOpen || ms === undefined) throw error;
      onAsking?.();
      await wait(error.retryAfter ?? ms);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
