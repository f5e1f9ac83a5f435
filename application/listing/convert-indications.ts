import { uuidv7 } from 'uuidv7';
import { findInstrumentOfMarket, type Instrument } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import {
  type AllotmentResult,
  type AllotmentRow,
  listPendingAllotments,
  recordResults,
} from '../../data/listing/allotments.ts';
import type { ListingEventRow } from '../../data/listing/listing-events.ts';
import type { AccountFacts } from '../../domain/identity/principal.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { BookResult, ConvertCommand } from '../../durable-objects/order-book/api.ts';
import { findOpenOrder } from '../order-book/open-orders.ts';
import { readBook } from '../order-book/read-book.ts';
import { submitToBook } from '../order-book/submit-to-book.ts';
import { failureCode } from '../order-entry/failure-code.ts';
import type { OrderEntryFailure } from '../order-entry/order-entry-failure.ts';
import { failureOfRefusal, type Traded } from '../order-entry/routes/failure-of-refusal.ts';

import { allotAgain } from './allot-shares.ts';
import { buyerOf, readBuyers, weighIndications } from './weigh-indications.ts';

/** Indications of one step: they go to the book in one call. */
const CONVERSIONS_PER_STEP_MAX = 200;

/**
 * Turns the next indications firm, each after every check of a firm order, and writes down what became of them. Once none is left the
 * issuer's offer is withdrawn.
 */
export async function convertIndications(
  env: Env,
  event: ListingEventRow,
  whenNoneIsLeft: (env: Env, event: ListingEventRow) => Promise<boolean>,
): Promise<boolean> {
  const db = database(env.DB);
  const pending = await listPendingAllotments(db, event.id, CONVERSIONS_PER_STEP_MAX);
  // Of an event that is being stopped nothing is dealt out again.
  const isDealt = event.state === 'allotted';
  if (pending.length === 0) return (isDealt && (await allotAgain(env, event))) || whenNoneIsLeft(env, event);
  const [instrument, facts] = await Promise.all([
    findInstrumentOfMarket(db, event.book),
    readBuyers(
      db,
      pending.map(({ account }) => account),
    ),
  ]);
  if (instrument?.market == null) throw new Error(`listing event ${event.id} is of no market`);
  const traded = { market: instrument.market, dollars: instrument.dollars };
  const sorted = isDealt ? await sortPending(env, event, { ...traded, instrument }, pending) : null;
  if (sorted !== null && sorted.failed.length > 0) {
    await recordResults(db, event.id, sorted.failed);
    await allotAgain(env, event);
    return true;
  }
  const turning = sorted?.next ?? pending;
  const checked = turning.map((allotment) =>
    checkedConversion(event, instrument, facts.get(allotment.account) ?? null, allotment),
  );
  const commands = checked.flatMap((check) => (check.ok ? [check.value] : []));
  const results = (await submitToBook(env, event.book, commands)) ?? commands.map(() => undefined);
  let next = 0;
  const outcomes = await Promise.all(
    turning.map((allotment, at) => {
      const check = checked[at] as (typeof checked)[number];
      return check.ok ? outcomeOf(env, allotment, results[next++], traded) : failed(allotment, check.error);
    }),
  );
  const known = outcomes.filter((outcome) => outcome !== null);
  await recordResults(db, event.id, known);
  if (isDealt && known.some(({ outcome }) => outcome === 'failed')) await allotAgain(env, event);
  return known.length > 0;
}

/** The command that turns an allotment firm, after every check but those that its admission makes: cash, and that nothing has changed since. */
function checkedConversion(
  event: ListingEventRow,
  instrument: Instrument,
  facts: AccountFacts | null,
  { orderId, account, allotted }: AllotmentRow,
): Result<ConvertCommand, OrderEntryFailure> {
  const buyer = buyerOf(instrument, facts);
  if (!buyer.ok) return buyer;
  return ok({
    type: 'convert',
    conversionId: uuidv7(),
    orderId,
    offerId: event.offerId,
    account,
    quantity: allotted,
    price: event.price,
    lot: { restrictionEndsAt: event.restrictionEndsAt, offeringType: event.offeringType },
    factsVersion: buyer.value.factsVersion,
    rulesVersion: instrument.market?.rulesVersion ?? 0,
    identityEndsAt: buyer.value.identityEndsAt,
  });
}

/** What of the next may turn firm together, and what is known to fail before: so that the others can still have what those were allotted. */
interface Sorted {
  readonly failed: readonly AllotmentResult[];
  /** Those alone that stand as indications no more, where there are any: they have turned firm, or ended. */
  readonly next: readonly AllotmentRow[];
}

async function sortPending(
  env: Env,
  event: ListingEventRow,
  { instrument, market }: Traded & { readonly instrument: Instrument },
  pending: readonly AllotmentRow[],
): Promise<Sorted> {
  const interests = await readBook(env, event.book, (book) => book.interests()).catch(() => null);
  if (interests === null) return { failed: [], next: pending };
  const byOrder = new Map(interests.map((interest) => [interest.orderId, interest]));
  const standing = pending.flatMap((allotment) => {
    const interest = byOrder.get(allotment.orderId);
    return interest === undefined ? [] : [{ allotment, interest }];
  });
  const wishes = standing.map(({ allotment: { account, allotted } }) => ({
    ...{ account, price: event.price },
    quantity: allotted,
  }));
  const weighed = await weighIndications(env, instrument, market, wishes);
  const known = standing.flatMap(({ allotment, interest }, at) => {
    if (interest.quantity < allotment.allotted || interest.price < event.price)
      return { position: allotment.position, ...CHANGED };
    const failure = weighed?.[at]?.failure ?? null;
    return (failure === null ? null : failed(allotment, failure)) ?? [];
  });
  const gone = pending.filter(({ orderId }) => !byOrder.has(orderId));
  return { failed: known, next: gone.length > 0 ? gone : pending };
}

const CHANGED = { outcome: 'failed', rule: 'indication_changed', code: 'CONFLICT' } as const;

/** What became of a conversion; null where that is not known yet, or where it can be tried again. */
async function outcomeOf(
  env: Env,
  allotment: AllotmentRow,
  result: BookResult | undefined,
  traded: Traded,
): Promise<AllotmentResult | null> {
  const { position } = allotment;
  if (result?.type === 'done') return { position, outcome: 'converted', rule: null, code: null };
  if (result?.type !== 'refused') return null;
  const { refusal } = result;
  switch (refusal.reason) {
    case 'stale':
    case 'backlog':
    case 'ledger_full':
      return null;
    case 'market_not_open':
      // A halt ends; a market that is closed is so for good.
      return refusal.status === 'closed' ? failed(allotment, failureOfRefusal(refusal, traded)) : null;
    case 'order_not_found':
      return ended(allotment);
    case 'order_not_modifiable':
      return refusal.status === 'open' ? changedOrUnoffered(env, allotment) : ended(allotment);
    default:
      return failed(allotment, failureOfRefusal(refusal, traded));
  }
}

/** The indication stands, and did not meet the offer. */
async function changedOrUnoffered(
  env: Env,
  { position, orderId, account, quantity, price }: AllotmentRow,
): Promise<AllotmentResult | null> {
  const open = await findOpenOrder(env, { account, owner: '' }, orderId);
  if (open === null || open === 'unknown') return null;
  const isSame = open.order.quantity >= quantity && (open.order.price ?? 0) >= price;
  return { position, ...CHANGED, ...(isSame ? { rule: 'offer_ended' } : {}) };
}

function ended({ position }: AllotmentRow): AllotmentResult {
  return { position, outcome: 'failed', rule: 'indication_ended', code: 'ORDER_NOT_FOUND' };
}

function failed({ position }: AllotmentRow, failure: OrderEntryFailure): AllotmentResult | null {
  if (failure.reason === 'unavailable') return null;
  return { position, outcome: 'failed', rule: failure.reason, code: failureCode(failure) };
}
