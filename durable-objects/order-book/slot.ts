import { LOTS_MAX } from '../../data/ledger/admission-statements.ts';
import type { BookConfig } from '../../data/ledger/book-config.ts';
import type { AdmissionResults, OrderRow, RefusedRow, ReservedLot } from '../../data/ledger/rows.ts';
import { ATTRIBUTE } from '../../domain/orders/eligibility.ts';
import { type ResaleOutcome, resaleRule } from '../../domain/resale/resale-rule.ts';
import {
  type PreparedAmendment,
  type PreparedOrder,
  prepareAmendment,
  prepareOrder,
  rejectedRow,
} from './admission.ts';
import type { BookCommand, BookRefusal, BookResult } from './api.ts';
import type { BookState, CommandOutcome } from './book-state.ts';
import type { AdmittedOrder, JournalCommand } from './journal-entry.ts';
import type { OrderLot } from './ledger-order.ts';
import { codeOfRefusal, refusalOfAmendment, resultOfRefusedRow } from './refusal.ts';
import type { Waiting } from './waiting.ts';

/**
 * A command in a batch, with what it asks of the ledger. `look_up`: the book does not have the order live, D1 knows what became of it.
 */
export type Slot =
  | { readonly waiting: Waiting; readonly kind: 'plain'; readonly command: JournalCommand }
  | { readonly waiting: Waiting; readonly kind: 'order'; readonly prepared: PreparedOrder }
  | { readonly waiting: Waiting; readonly kind: 'amendment'; readonly prepared: PreparedAmendment }
  /** Refused by the book itself; `row` records a refused placement. */
  | {
      readonly waiting: Waiting;
      readonly kind: 'refused';
      readonly refusal: BookRefusal;
      readonly row: OrderRow | null;
    }
  | { readonly waiting: Waiting; readonly kind: 'look_up' };

/** What a slot came to once the ledger has answered: a command for the journal, an answer, or an answer after the command ran. */
export interface Decision {
  readonly command: JournalCommand | null;
  /** Null: the answer follows from the command's outcome. */
  readonly answer: BookResult | 'look_up' | null;
}

/** Before the batch: works out what the command asks for. */
export function prepareSlot(waiting: Waiting, state: BookState, config: BookConfig, now_ms: number): Slot {
  const { command } = waiting;
  const { market } = config;
  const last = state.engine.lastPrice();
  if (command.type === 'cancel' || command.type === 'mass_cancel') return { waiting, kind: 'plain', command };
  if (command.rulesVersion !== market.rulesVersion)
    return { waiting, kind: 'refused', refusal: { reason: 'stale' }, row: null };
  if (command.type === 'place') {
    const prepared = isOpen(config)
      ? prepareOrder(command, market, last, now_ms)
      : { ok: false as const, refusal: notOpen(config) };
    if (prepared.ok) return { waiting, kind: 'order', prepared: prepared.value };
    const row = rejectedRow(command, market, codeOfRefusal(prepared.refusal), now_ms);
    return { waiting, kind: 'refused', refusal: prepared.refusal, row };
  }
  if (!isOpen(config)) return { waiting, kind: 'refused', refusal: notOpen(config), row: null };
  const order = state.orders.get(command.orderId);
  const live = state.engine.order(command.orderId);
  if (order === undefined || live === undefined || order.account !== command.account)
    return { waiting, kind: 'look_up' };
  const prepared = prepareAmendment(command, order, live.requires, market, last, now_ms);
  if (prepared.ok) return { waiting, kind: 'amendment', prepared: prepared.value };
  return { waiting, kind: 'refused', refusal: prepared.refusal, row: null };
}

const TOO_MANY_LOTS: BookRefusal = { reason: 'too_many_lots', lotsMax: LOTS_MAX };

/** Reads a batch's results slot by slot. */
export class Admissions {
  readonly #refused: ReadonlyMap<string, RefusedRow>;
  readonly #lots = new Map<string, ReservedLot[]>();
  readonly #state: BookState;
  readonly #config: BookConfig;
  readonly #time: number;

  constructor(results: AdmissionResults, state: BookState, config: BookConfig, time_ms: number) {
    this.#refused = new Map(results.refused.map((row) => [row.id, row]));
    for (const lot of results.lots) {
      const lots = this.#lots.get(lot.reservationId);
      if (lots === undefined) this.#lots.set(lot.reservationId, [lot]);
      else lots.push(lot);
    }
    this.#state = state;
    this.#config = config;
    this.#time = time_ms;
  }

  decide(slot: Slot): Decision {
    const orderId = slot.waiting.command.type === 'mass_cancel' ? '' : slot.waiting.command.orderId;
    switch (slot.kind) {
      case 'look_up':
        return { command: null, answer: 'look_up' };
      case 'refused':
        // What was placed before, and its answer lost, is not judged again.
        if (slot.waiting.command.type === 'place' && this.#refused.get(orderId)?.refusal === 'exists')
          return { command: null, answer: 'look_up' };
        return { command: null, answer: { type: 'refused', orderId, refusal: slot.refusal } };
      case 'plain':
        return slot.waiting.abandoned ? { command: null, answer: 'look_up' } : { command: slot.command, answer: null };
      case 'order':
        return this.#decideOrder(slot.prepared, slot.waiting.abandoned);
      case 'amendment':
        return this.#decideAmendment(slot.prepared, slot.waiting.abandoned);
    }
  }

  #decideOrder({ row, admitted }: PreparedOrder, abandoned: boolean): Decision {
    const { orderId, attributes } = admitted.terms;
    const refused = this.#refused.get(orderId);
    if (refused?.refusal === 'exists') return { command: null, answer: 'look_up' };
    if (refused !== undefined) return { command: null, answer: resultOfRefusedRow(refused, row, 'order') };
    const lots = this.#lots.get(orderId) ?? [];
    if (abandoned)
      return { command: { type: 'reject', order: { ...admitted, lots }, code: 'UNAVAILABLE' }, answer: null };
    if (this.#isShort(lots, row[13], row[14])) {
      const code = codeOfRefusal(TOO_MANY_LOTS);
      return {
        command: { type: 'reject', order: { ...admitted, lots }, code },
        answer: { type: 'refused', orderId, refusal: TOO_MANY_LOTS },
      };
    }
    const resale = this.#resale(lots, attributes);
    if (resale === null) return { command: { type: 'place', order: admitted }, answer: null };
    if (!resale.allowed) {
      const refusal: BookRefusal = { reason: 'resale_restricted', restrictionEndsAt: resale.restrictionEndsAt };
      return {
        command: { type: 'reject', order: { ...admitted, lots }, code: 'RESALE_RESTRICTED' },
        answer: { type: 'refused', orderId, refusal },
      };
    }
    const terms = resale.restricted ? { ...admitted.terms, requires: resale.requires } : admitted.terms;
    const order: AdmittedOrder = { ...admitted, terms, restricted: resale.restricted, lots };
    return { command: { type: 'place', order }, answer: null };
  }

  #decideAmendment({ row, journaled }: PreparedAmendment, abandoned: boolean): Decision {
    const { orderId } = journaled.amendment;
    const refused = this.#refused.get(journaled.amendmentId);
    if (refused?.refusal === 'exists') return { command: null, answer: 'look_up' };
    if (refused !== undefined) return { command: null, answer: resultOfRefusedRow(refused, row, 'amendment') };
    const lots = this.#lots.get(journaled.amendmentId) ?? [];
    if (!abandoned && this.#isShort(lots, row[3], row[4])) {
      return {
        command: { ...journaled, lots, abandoned: true },
        answer: { type: 'refused', orderId, refusal: TOO_MANY_LOTS },
      };
    }
    const held: OrderLot[] = this.#state.orders.get(orderId)?.lots ?? [];
    const attributes = this.#state.engine.order(orderId)?.attributes ?? 0;
    const resale = abandoned || lots.length === 0 ? null : this.#resale([...held, ...lots], attributes);
    if (resale !== null && !resale.allowed) {
      return {
        command: { ...journaled, lots, abandoned: true },
        answer: {
          type: 'refused',
          orderId,
          refusal: { reason: 'resale_restricted', restrictionEndsAt: resale.restrictionEndsAt },
        },
      };
    }
    const requires = resale?.restricted ? resale.requires : journaled.amendment.requires;
    return {
      command: { ...journaled, lots, abandoned, amendment: { ...journaled.amendment, requires } },
      answer: null,
    };
  }

  /** Whether fewer shares were reserved than are held: they lie in more lots than a batch takes. */
  #isShort(lots: readonly ReservedLot[], asset: string, held: number): boolean {
    const { market } = this.#config;
    if (!market.tracksLots || asset !== market.baseAsset) return false;
    return lots.reduce((sum, { quantity }) => sum + quantity, 0) < held;
  }

  /** The same rule as at order entry, now over the very lots that the ledger has reserved; null where no lot is concerned. */
  #resale(
    lots: readonly { quantity: number; restrictionEndsAt: number | null; offeringType: string | null }[],
    attributes: number,
  ): ResaleOutcome | null {
    if (lots.length === 0) return null;
    const { regulation, accreditationType } = this.#config;
    const sellerUsPerson = (attributes & ATTRIBUTE.non_us) === 0;
    return resaleRule({ regulation, accreditationType, sellerUsPerson, lots, now: this.#time });
  }
}

/** The answer that a command's outcome means. */
export function resultOfOutcome(command: BookCommand, outcome: CommandOutcome | undefined): BookResult | 'look_up' {
  if (outcome === undefined) return 'look_up';
  switch (outcome.type) {
    case 'report':
      return { type: 'done', report: outcome.report };
    case 'mass_cancelled':
      return outcome;
    case 'refused':
      if (command.type !== 'amend' || outcome.reason === 'not_found') return 'look_up';
      return { type: 'refused', orderId: command.orderId, refusal: refusalOfAmendment(outcome.reason) };
  }
}

export function isOpen({ market, venueHalted }: BookConfig): boolean {
  return market.status === 'open' && !venueHalted;
}

function notOpen({ market }: BookConfig): BookRefusal {
  return { reason: 'market_not_open', status: market.status === 'open' ? 'halted' : market.status };
}
