import type { UnjournaledHold } from '../../../domain/ledger/outcomes.ts';
import type { HeldAssets } from '../../../domain/ledger/records.ts';
import type { LotTerms } from '../../../domain/listing/listed-lot.ts';
import type { DollarRate } from '../../../domain/money/dollar-rate.ts';
import type { OrderLot } from '../admission/ledger-order.ts';
import type { BandRules } from '../cycle/trading-band.ts';
import type { AmendOrder, MassCancel, PlaceOrder } from '../engine/engine.ts';
import type { Conversion } from '../engine/indications/indication-book.ts';
import type { BrokerReport } from '../engine/venue/broker-report.ts';

/**
 * One cycle as the journal keeps it: everything that its effects follow from, so that replaying it gives the same effects to the
 * byte. A row of the journal is one entry.
 */
export interface JournalEntry {
  /** Unix ms, max(last, now), taken once; expiries run first. */
  readonly time: number;
  /** Batch of the ledger that admitted these commands; null for a cycle without admission. */
  readonly batch: number | null;
  readonly commands: readonly JournalCommand[];
}

export type JournalCommand =
  | JournaledPlace
  | JournaledReject
  | JournaledCancel
  | JournaledAmend
  | JournaledConversion
  /** One slice of a mass cancel. */
  | MassCancel
  | JournaledRelease
  | JournaledRules
  | JournaledSplit
  | JournaledHandOver
  | JournaledReports;

/** Another account's order is not found. */
interface JournaledCancel {
  readonly type: 'cancel';
  readonly orderId: string;
  readonly account: string;
}

/** An admitted order with its collar, fees and lots. */
export interface JournaledPlace {
  readonly type: 'place';
  readonly order: AdmittedOrder;
}

/** Admitted by the ledger and refused after: its hold goes back, it is never matched. */
interface JournaledReject {
  readonly type: 'reject';
  readonly order: AdmittedOrder;
  readonly code: string;
}

export interface AdmittedOrder {
  readonly terms: PlaceOrder;
  /** Price as the client gave it; null for market and stop-market orders. */
  readonly price: number | null;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  readonly allowanceAsset: string | null;
  readonly positionAsset: string | null;
  readonly restricted: boolean;
  readonly lots: readonly OrderLot[];
  /** By which it holds and draws on its allowance, for good; left out without one, and for dollars. */
  readonly rate?: DollarRate | null | undefined;
}

/** An amendment with the extra hold that the ledger took for it, to move into the order or go back. */
export interface JournaledAmend extends HeldAssets {
  readonly type: 'amend';
  readonly amendmentId: string;
  readonly amendment: AmendOrder;
  readonly account: string;
  readonly lots: readonly OrderLot[];
  /** Whether the order sells restricted lots once lots were taken back; left out where that changes nothing. */
  readonly restricted?: boolean;
  /** Given up before it was applied: only its extra hold goes back. */
  readonly abandoned: boolean;
}

/** An indication that turns firm, with the hold that the ledger took for it. */
export interface JournaledConversion extends HeldAssets {
  readonly type: 'convert';
  readonly conversionId: string;
  readonly conversion: Conversion;
  readonly account: string;
  /** What the lot is bound by that it gets. */
  readonly lot: LotTerms;
  /** Given up before it was applied: only its hold goes back. */
  readonly abandoned: boolean;
}

/** Rules of the market by which the book matches from here on. */
interface JournaledRules {
  readonly type: 'rules';
  readonly rules: BandRules;
}

/** The shares of the market were split: prices from before count by its ratio from here on. */
export interface JournaledSplit {
  readonly type: 'split';
  /** Id of the register's event. */
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** On which prices lie. */
  readonly tickSize: number;
}

/** These orders are sent to the broker once the row is on disk. */
interface JournaledHandOver {
  readonly type: 'hand_over';
  readonly orderIds: readonly string[];
}

/** What the broker has said, in the order in which it came. */
interface JournaledReports {
  readonly type: 'broker_reports';
  readonly reports: readonly BrokerReport[];
  /** Place in the broker's events after these; null where they were not read there. */
  readonly cursor: string | null;
}

/** Recovery: what the ledger admitted and no journal row has. */
interface JournaledRelease {
  readonly type: 'release';
  readonly holds: readonly UnjournaledHold[];
}
