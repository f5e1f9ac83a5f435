/** How often an object is asked, the first time included, and the wait before the second; it doubles each time. */
interface Attempts {
  readonly attemptsMax: number;
  readonly backoff_ms: number;
}

/** A second time at once: what a deployment restarts is there again. */
const AT_ONCE: Attempts = { attemptsMax: 2, backoff_ms: 0 };

/**
 * Asks an object, and the same again where it was lost in between. After an exception a stub stays broken: `ask` makes a fresh one each
 * time, and what it asks may be carried out twice.
 *
 * @throws what the last attempt threw
 */
export async function askAgain<T>(ask: () => Promise<T>, { attemptsMax, backoff_ms }: Attempts = AT_ONCE): Promise<T> {
  for (let attempt = 1; attempt < attemptsMax; attempt++) {
    try {
      return await ask();
    } catch {
      if (backoff_ms > 0) await new Promise((resolve) => setTimeout(resolve, backoff_ms * 2 ** (attempt - 1)));
    }
  }
  return ask();
}
