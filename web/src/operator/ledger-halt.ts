import type { OperatorKey } from './use-operator-words.ts';

/**
 * What the ledger says when it stops (docs/architecture.md), and what is to be done of each. What D1 shows goes before what a segment lacks, and
 * rules that the code does not know before what they keep from being read.
 */
const RUNBOOKS: readonly (readonly [RegExp, OperatorKey])[] = [
  [/^D1 shows journal row/, 'halted.ahead'],
  [/^D1 lacks journal rows/, 'halted.behind'],
  [/(version|limit) .* is not known|piece .* that is not known/, 'halted.version'],
  [
    /^journal row \d+ (is missing|does not continue the chain)|^segment .* (is missing|does not continue row)/,
    'halted.storage',
  ],
  [/^piece .* of the checkpoint|^the checkpoint cannot be read/, 'halted.checkpoint'],
  [/^replay of journal row|^journal row \d+ (cannot be replayed|was made by version)/, 'halted.replay'],
];

/** The runbook of a halt of the ledger, by its words. */
export function runbookOf(halted: string): OperatorKey {
  return RUNBOOKS.find(([words]) => words.test(halted))?.[1] ?? 'halted.other';
}
