/** What a database throws once the queries of an invocation are used up, before it asks anything: whatever else is asked of it then fails, too. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** Also one that a query has wrapped into an error of its own. */
export function isBudgetSpent(error: unknown): boolean {
  return error instanceof BudgetSpent || (error instanceof Error && error.cause instanceof BudgetSpent);
}
