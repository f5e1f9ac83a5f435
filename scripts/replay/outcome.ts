import type { RowDifference } from './lobster/row-difference.ts';

/** What a replay came to. */
export interface ReplayOutcome {
  readonly rowsCompared: number;
  readonly rowsThatDiffer: number;
  /** The first row that differs: index of its message, and where. */
  readonly firstDifference: { readonly step: number; readonly difference: RowDifference } | null;
  /** Takers whose whole quantity was filled by the order that the file names. */
  readonly executionsThatHit: number;
  /** Index of the first message whose execution took another order. */
  readonly firstMiss: number | null;
  /** Commands after the seed, cancels and reductions included. */
  readonly commands: number;
  readonly seconds: number;
}

/** Counts rows as they are compared. */
export class RowTally {
  compared = 0;
  differing = 0;
  first: ReplayOutcome['firstDifference'] = null;

  count(step: number, difference: RowDifference | null): void {
    this.compared += 1;
    if (difference === null) return;
    this.differing += 1;
    this.first ??= { step, difference };
  }
}
