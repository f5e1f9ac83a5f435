import { orderBookOf } from '../../durable-objects/order-book/api.ts';

/** Calls on a lost object, the first included, and the wait before the second; it doubles each time. */
const ATTEMPTS_MAX = 4;
const BACKOFF_MS = 40;

/** Makes a book read its market again; one that no longer takes orders cancels its open ones. False when it stayed out of reach. */
export async function reconfigureBook(env: Pick<Env, 'ORDER_BOOK'>, symbol: string): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, BACKOFF_MS * 2 ** (attempt - 1)));
    try {
      if (await orderBookOf(env, symbol).reconfigure()) return true;
    } catch {
      // The object was lost; a fresh stub finds it again.
    }
  }
  return false;
}
