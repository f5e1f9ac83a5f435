import type { SplitTerms } from './transactions.ts';

/** A split that is under way, as far as it is carried out. */
export interface SplitState extends SplitTerms {
  readonly split: string;
  /** Parts that are done. */
  readonly part: number;
  /** The balance, by its number, from which the next part goes on. */
  readonly next: number;
}

/** The last split of an asset that was carried out. */
export interface LastSplit {
  readonly split: string;
  /** Of its last part, Unix ms. */
  readonly at: number;
}
