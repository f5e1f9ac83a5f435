import {
  type BookCommand,
  type BookResult,
  COMMANDS_PER_CALL_MAX,
  orderBookOf,
  submitAsText,
} from '../../durable-objects/order-book/api.ts';
import { askAgain } from '../objects/ask-again.ts';

const ATTEMPTS = { attemptsMax: 4, backoff_ms: 40 };

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
  try {
    return await askAgain(() => submitAsText(orderBookOf(env, symbol), commands), ATTEMPTS);
  } catch {
    return null;
  }
}
