/** Time and network, so that a test owns them. */
export interface Seams {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  /** Ends early, by a rejection, when the signal does. */
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export const PLATFORM: Seams = {
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  pause: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const end = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, ms);
      signal?.addEventListener('abort', end, { once: true });
    }),
  random: () => Math.random(),
};
