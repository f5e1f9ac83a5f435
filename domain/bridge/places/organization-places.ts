import type { LaneFloor } from '../lane-terms.ts';

/** What signers go by of what an organization has set: where its guard and its stake are, when they ask for the hardware module, and what lanes take. */
export interface OrganizationPlaces {
  /** Addresses on the exchange's chain. */
  readonly guard: string;
  readonly stake: string;
  /** By symbol, scaled integers of the ledger: amounts from which on the hardware module has to sign. */
  readonly coSignFrom: Readonly<Record<string, number>>;
  /** Absent where every lane takes whatever comes. */
  readonly lanes?: readonly LaneFloor[] | undefined;
}
