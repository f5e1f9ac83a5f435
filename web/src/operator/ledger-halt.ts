import type { OperatorKey } from './use-operator-words.ts';

/** What the ledger says when it stops (docs/architecture.md), and what is to be done of each. */
const RUNBOOKS: readonly (readonly [RegExp, OperatorKey])[] = [
  [/^journal row \d+ is missing|does not continue the chain/, 'halted.storage'],
  [/checkpoint/, 'halted.checkpoint'],
  [/^replay of journal row|cannot be replayed/, 'halted.replay'],
  [/is not known/, 'halted.version'],
  [/^D1 shows journal row/, 'halted.ahead'],
  [/^D1 lacks journal rows/, 'halted.behind'],
];

/** The runbook of a halt of the ledger, by its words. */
export function runbookOf(halted: string): OperatorKey {
  return RUNBOOKS.find(([words]) => words.test(halted))?.[1] ?? 'halted.other';
}
