import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from './describe-bug.ts';

/**
 * Does something for each of several people, one after the other. What throws for one is logged and keeps back none of the others: a job over people goes through to its end.
 *
 * @param failure what the log says of one that failed
 * @returns ids of those that failed
 */
export async function eachAlone<T>(
  all: readonly T[],
  { idOf, failure }: { readonly idOf: (one: T) => string; readonly failure: string },
  act: (one: T) => Promise<unknown>,
): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  for (const one of all) {
    try {
      await act(one);
    } catch (error) {
      failed.add(idOf(one));
      log('error', failure, { id: idOf(one), ...describeBug(error) });
    }
  }
  return failed;
}
