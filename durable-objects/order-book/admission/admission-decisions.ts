import type { BookConfig } from '../../../data/markets/book-config.ts';
import { carriedFamily } from '../../../domain/accreditation/family.ts';
import { LEDGER_LIMITS } from '../../../domain/ledger/ledger-limits.ts';
import type { BatchOutcome, RefusedAdmission, ReservedLot } from '../../../domain/ledger/outcomes.ts';
import type { AmendmentAdmission, OrderAdmission } from '../../../domain/ledger/records.ts';
import { RELEASED } from '../../../domain/ledger/settlement.ts';
import { isAtBroker, takesIndications } from '../../../domain/markets/market.ts';
import { ATTRIBUTE } from '../../../domain/orders/eligibility.ts';
import { type ResaleOutcome, resaleRule } from '../../../domain/resale/resale-rule.ts';
import { soldLots } from '../../../domain/resale/sold-lots.ts';
import type { BookState, CommandOutcome } from '../cycle/book-state.ts';
import type { JournalCommand } from '../journal/journal-entry.ts';
import type { AmendCommand, BookCommand, BookRefusal, BookResult } from '../rpc/commands.ts';
import {
  admissionOf,
  admittedOrder,
  type PreparedAmendment,
  type PreparedConversion,
  type PreparedOrder,
} from './admission.ts';
import type { AdmissionRequest } from './admission-request.ts';
import type { LedgerOrder, OrderLot } from './ledger-order.ts';
import { codeOfRefusal, existingOrderOf, refusalOfAmendment, resultOfExisting, resultOfRefused } from './refusal.ts';

/**
 * How a command is answered when its outcome does not say: `ended`, by what the read model has of its order; `stale`, by that too, if it
 * has anything; `mass_cancel`, once all its slices are journaled.
 */
export type Answering = BookResult | 'ended' | 'stale' | 'mass_cancel';

/** What a request came to once the ledger has answered: a command for the journal, an answer, or an answer after the command ran. */
export interface Decision {
  readonly command: JournalCommand | null;
  /** Null: the answer follows from the command's outcome. */
  readonly answer: Answering | null;
}

const NO_LOTS: ReservedLot[] = [];

const TOO_MANY_LOTS: BookRefusal = { reason: 'too_many_lots', lotsMax: LEDGER_LIMITS.lotsPerAccountMax };

/** Reads a batch's outcome request by request. */
export class AdmissionDecisions {
  readonly #refused: ReadonlyMap<string, RefusedAdmission>;
  readonly #lots = new Map<string, ReservedLot[]>();
  readonly #state: BookState;
  readonly #config: BookConfig;
  readonly #time: number;

  constructor(
    { refused, lots }: Extract<BatchOutcome, { type: 'landed' }>,
    state: BookState,
    config: BookConfig,
    time_ms: number,
  ) {
    this.#refused = new Map(refused.map((each) => [each.id, each]));
    for (const lot of lots) {
      const ofReservation = this.#lots.get(lot.reservationId);
      if (ofReservation === undefined) this.#lots.set(lot.reservationId, [lot]);
      else ofReservation.push(lot);
    }
    this.#state = state;
    this.#config = config;
    this.#time = time_ms;
  }

  decide(request: AdmissionRequest): Decision {
    const { command, abandoned } = request.pending;
    switch (request.kind) {
      case 'ended':
        return { command: null, answer: 'ended' };
      case 'mass_cancel':
        return { command: null, answer: 'mass_cancel' };
      case 'rejection': {
        const { orderId } = request;
        // What stands under its id was placed before, and its answer lost.
        if (this.#refused.has(orderId)) return { command: null, answer: 'ended' };
        return { command: null, answer: { type: 'recorded', orderId } };
      }
      case 'refused': {
        const orderId = command.type === 'mass_cancel' ? '' : command.orderId;
        // What was placed before, and its answer lost, is not judged again.
        if (command.type === 'place' && this.#refused.get(orderId)?.refusal === 'exists')
          return { command: null, answer: 'ended' };
        if (command.type === 'place' && request.refusal.reason === 'stale') return { command: null, answer: 'stale' };
        return { command: null, answer: { type: 'refused', orderId, refusal: request.refusal } };
      }
      case 'under_way':
        return { command: null, answer: this.#underWay(request.command) };
      case 'cancel':
        return abandoned ? { command: null, answer: 'ended' } : { command: request.command, answer: null };
      case 'order':
        return this.#decideOrder(request.prepared, abandoned);
      case 'amendment':
        return this.#decideAmendment(request.prepared, abandoned);
      case 'conversion':
        return this.#decideConversion(request.prepared, abandoned);
    }
  }

  #decideOrder(prepared: PreparedOrder, abandoned: boolean): Decision {
    const { orderId, attributes } = prepared.command;
    const refused = this.#refused.get(orderId);
    if (refused?.refusal === 'exists') return { command: null, answer: 'ended' };
    if (refused !== undefined)
      return { command: null, answer: this.#refusedBy(refused, orderId, admissionOf(prepared)) };
    const lots = this.#lots.get(orderId) ?? NO_LOTS;
    if (abandoned) return { command: rejectOf(prepared, lots, RELEASED), answer: null };
    if (prepared.market.tracksLots && this.#isShort(lots, admissionOf(prepared))) {
      const answer = { type: 'refused', orderId, refusal: TOO_MANY_LOTS } as const;
      return { command: rejectOf(prepared, lots, codeOfRefusal(TOO_MANY_LOTS)), answer };
    }
    const resale = this.#resale(lots, attributes);
    const isForSomeOnly = isAtBroker(this.#config.market) && prepared.command.requires !== 0;
    if (resale?.allowed === false || isForSomeOnly) {
      const refusal = resale?.allowed === false ? resaleRefusal(resale) : FOR_SOME_ONLY;
      return {
        command: rejectOf(prepared, lots, codeOfRefusal(refusal)),
        answer: { type: 'refused', orderId, refusal },
      };
    }
    const restricted = resale?.restricted === true;
    const requires = resale?.restricted ? resale.requires : prepared.command.requires;
    const { terms, family = null } = prepared.command;
    const carried = this.#carriedFamily({ side: terms.side, attributes, requires, family });
    const order = admittedOrder(prepared, lots, { restricted, requires, family: carried });
    return { command: { type: 'place', order }, answer: null };
  }

  #decideAmendment({ admission, journaled, family }: PreparedAmendment, abandoned: boolean): Decision {
    const { orderId } = journaled.amendment;
    const refused = this.#refused.get(journaled.amendmentId);
    if (refused?.refusal === 'exists') return { command: null, answer: 'ended' };
    if (refused !== undefined) return { command: null, answer: this.#refusedBy(refused, orderId, admission) };
    const lots = this.#lots.get(journaled.amendmentId) ?? [];
    const drop = (refusal: BookRefusal): Decision => ({
      command: { ...journaled, lots, abandoned: true },
      answer: { type: 'refused', orderId, refusal },
    });
    if (!abandoned && this.#isShort(lots, admission)) return drop(TOO_MANY_LOTS);
    const order = this.#state.orders.get(orderId);
    const held: OrderLot[] = order?.lots ?? [];
    const live = this.#state.engine.order(orderId);
    const attributes = live?.attributes ?? 0;
    const resale = abandoned || lots.length === 0 ? null : this.#resale([...held, ...lots], attributes);
    if (resale !== null && !resale.allowed) return drop(resaleRefusal(resale));
    const eased =
      abandoned || order === undefined || lots.length > 0
        ? null
        : this.#eased(order, journaled.amendment.quantity, attributes);
    const requires = resale?.restricted ? resale.requires : (eased?.requires ?? journaled.amendment.requires);
    const carried = live === undefined ? null : this.#carriedFamily({ side: live.side, attributes, requires, family });
    const isFamilyNamed = carried !== null || (live?.family ?? null) !== null;
    return {
      command: {
        ...journaled,
        lots,
        abandoned,
        amendment: { ...journaled.amendment, requires, ...(isFamilyNamed ? { family: carried } : {}) },
        ...(eased === null ? {} : { restricted: eased.restricted }),
      },
      answer: null,
    };
  }

  #refusedBy(refused: RefusedAdmission, orderId: string, wanted: OrderAdmission | AmendmentAdmission): BookResult {
    return resultOfRefused(refused, orderId, wanted, this.#config.market);
  }

  /** The broker was asked for the same before, and may have answered by now. */
  #underWay(command: AmendCommand): Answering {
    const order = this.#state.orders.get(command.orderId);
    if (order === undefined) return 'ended';
    return this.#state.isReplacing(command.orderId)
      ? { type: 'done', report: this.#state.report(order) }
      : resultOfExisting(command, command.orderId, existingOrderOf(order), true);
  }

  #decideConversion({ admission, journaled }: PreparedConversion, abandoned: boolean): Decision {
    const refused = this.#refused.get(journaled.conversionId);
    if (refused?.refusal === 'exists') return { command: null, answer: 'ended' };
    if (refused !== undefined)
      return { command: null, answer: this.#refusedBy(refused, journaled.conversion.orderId, admission) };
    return { command: { ...journaled, abandoned }, answer: null };
  }

  /** What is asked of the buyer once an amendment has taken lots back that asked for more; null where it takes no such lots back. */
  #eased(order: LedgerOrder, quantity: number, attributes: number): Extract<ResaleOutcome, { allowed: true }> | null {
    const kept = this.#resale(soldLots(order.lots, order.remaining + quantity - order.quantity), attributes);
    if (kept === null || !kept.allowed) return null;
    const before = this.#resale(order.lots, attributes);
    const isSame =
      before?.allowed === true && before.requires === kept.requires && before.restricted === kept.restricted;
    return isSame ? null : kept;
  }

  #carriedFamily(order: Parameters<typeof carriedFamily>[0]): readonly string[] | null {
    if (order.family === null) return null;
    const { regulation, accreditationType, category = null, market } = this.#config;
    return carriedFamily(order, { regulation, accreditationType, category, tracksLots: market.tracksLots });
  }

  /** Whether fewer shares were reserved than are held: they lie in more lots than a batch takes. */
  #isShort(
    lots: readonly ReservedLot[],
    { reserveAsset, reserve }: { reserveAsset: string; reserve: number },
  ): boolean {
    const { market } = this.#config;
    if (!market.tracksLots || reserveAsset !== market.baseAsset) return false;
    return lots.reduce((sum, { quantity }) => sum + quantity, 0) < reserve;
  }

  /** The same rule as at order entry, now over the very lots that the ledger has reserved; null where no lot is concerned. */
  #resale(
    lots: readonly { quantity: number; restrictionEndsAt: number | null; offeringType: string | null }[],
    attributes: number,
  ): ResaleOutcome | null {
    if (lots.length === 0) return null;
    const { regulation, accreditationType, category = null, market } = this.#config;
    // What an issuer sells is its offering, and no resale.
    if (takesIndications(market)) return null;
    const sellerUsPerson = (attributes & ATTRIBUTE.non_us) === 0;
    const seller = { sellerUsPerson, isRouted: isAtBroker(market) };
    return resaleRule({ regulation, accreditationType, category, ...seller, lots, now: this.#time });
  }
}

const FOR_SOME_ONLY = {
  reason: 'resale_restricted',
  restrictionEndsAt: null,
  rules: ['broker_buyer_unknown'],
} as const;

function resaleRefusal({ restrictionEndsAt, rules }: Extract<ResaleOutcome, { allowed: false }>): BookRefusal {
  return { reason: 'resale_restricted', restrictionEndsAt, rules };
}

/** Admitted, and not to be placed. */
function rejectOf(prepared: PreparedOrder, lots: readonly ReservedLot[], code: string): JournalCommand {
  const { requires } = prepared.command;
  return { type: 'reject', order: admittedOrder(prepared, lots, { restricted: false, requires, family: null }), code };
}

/** The answer that a command's outcome means. */
export function resultOfOutcome(command: BookCommand, outcome: CommandOutcome | undefined): BookResult | 'ended' {
  if (outcome === undefined) return 'ended';
  switch (outcome.type) {
    case 'done':
    case 'mass_cancelled':
      return outcome;
    case 'refused':
      // Whether it stands no longer, or not as the terms say, its state tells.
      if (command.type !== 'amend' || outcome.reason === 'not_found') return 'ended';
      return { type: 'refused', orderId: command.orderId, refusal: refusalOfAmendment(outcome) };
  }
}
