import { log } from '../../durable-objects/log/log.ts';
import { isBudgetSpent } from './budget-spent.ts';
import { describeBug } from './describe-bug.ts';

interface Each<T> {
  readonly idOf: (one: T) => string;
  /** What the log says of one that failed. */
  readonly failure: string;
  /** So many at the same time; one where it is left out. */
  readonly together?: number;
}

/** What was thrown, by the id of whom it was thrown for. */
type Failures = ReadonlyMap<string, unknown>;

/**
 * Does something for each of several people, one after the other. What throws for one is logged and keeps back none of the others: a job over people goes through to its end. Where the
 * queries of its invocation are used up nobody else could be served: it ends there, and the next invocation goes on.
 *
 * @returns those that failed
 * @throws BudgetSpent
 */
export async function eachAlone<T>(
  all: readonly T[],
  { idOf, failure, together = 1 }: Each<T>,
  act: (one: T) => Promise<unknown>,
): Promise<Failures> {
  const failed = new Map<string, unknown>();
  for (let from = 0; from < all.length; from += together) {
    const some = all.slice(from, from + together);
    const outcomes = await Promise.allSettled(some.map(async (one) => act(one)));
    const errors = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? { error: outcome.reason as unknown } : null,
    );
    const spent = errors.find((failed) => failed !== null && isBudgetSpent(failed.error));
    if (spent !== null && spent !== undefined) throw spent.error;
    for (const [index, one] of some.entries()) {
      const thrown = errors[index];
      if (thrown === null || thrown === undefined) continue;
      failed.set(idOf(one), thrown.error);
      log('error', failure, { id: idOf(one), ...describeBug(thrown.error) });
    }
  }
  return failed;
}

/**
 * Lets a job say that it has failed for some, once it has gone through all: it is tried again, and operators see it.
 *
 * @throws AggregateError of what was thrown
 */
export function failFor(what: string, ...all: readonly Failures[]): void {
  const errors = all.flatMap((failures) => [...failures.values()]);
  if (errors.length > 0) throw new AggregateError(errors, `${what}: ${errors.length} failed`);
}
