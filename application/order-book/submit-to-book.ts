import {
  type BookCommand,
  type BookResult,
  COMMANDS_PER_CALL_MAX,
  orderBookOf,
  submitAsText,
} from '../../durable-objects/order-book/api.ts';

/** Calls on a lost object, the first included, and the wait before the second; it doubles each time. */
const ATTEMPTS_MAX = 4;
const BACKOFF_MS = 40;

/**
 * Sends commands to a book in their order and answers each. An exception means that the object was lost: the same commands, with the
 * same ids, go to a fresh stub, where what had been done is found done.
 *
 * @returns one result per command, or null when the book stayed out of reach and what became of them is unknown
 */
export async function submitToBook(
  env: Pick<Env, 'ORDER_BOOK'>,
  symbol: string,
  commands: readonly BookCommand[],
): Promise<BookResult[] | null> {
  const results: BookResult[] = [];
  for (let start = 0; start < commands.length; start += COMMANDS_PER_CALL_MAX) {
    const answered = await submitPart(env, symbol, commands.slice(start, start + COMMANDS_PER_CALL_MAX));
    if (answered === null) return null;
    results.push(...answered);
  }
  return results;
}

async function submitPart(
  env: Pick<Env, 'ORDER_BOOK'>,
  symbol: string,
  commands: BookCommand[],
): Promise<BookResult[] | null> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, BACKOFF_MS * 2 ** (attempt - 1)));
    try {
      return await submitAsText(orderBookOf(env, symbol), commands);
    } catch {
      // The object was lost; the loop sends the same ids again.
    }
  }
  return null;
}
