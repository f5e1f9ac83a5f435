import type { LotRecord } from '../../../domain/ledger/records.ts';
import type { UnsettledPlace } from '../../../domain/ledger/unsettled.ts';

/** What the ledger holds now. It may know more than the journal rows that are projected: the rows that tell of it follow. */
export interface LastValues {
  balance(account: string, asset: string): { available: number; held: number; cost: number };
  /** Null for one of which nothing is left. */
  lot(id: string): LotRecord | null;
  /** Null where nothing waits, or all of it has settled. */
  unsettled(place: UnsettledPlace): number | null;
}
