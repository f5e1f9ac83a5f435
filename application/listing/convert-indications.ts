import { uuidv7 } from 'uuidv7';
import { type AccountRow, findAccounts } from '../../data/accounts/accounts.ts';
import { findInstrumentOfMarket, type Instrument } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import {
  type AllotmentResult,
  type AllotmentRow,
  listPendingAllotments,
  recordResults,
} from '../../data/listing/allotments.ts';
import type { ListingEventRow } from '../../data/listing/listing-events.ts';
import { complianceFactsOf } from '../../domain/accounts/account.ts';
import type { AccountFacts } from '../../domain/identity/principal.ts';
import { accreditationFailure } from '../../domain/order-entry/accreditation-failure.ts';
import { traderOf } from '../../domain/order-entry/trader-of.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { BookResult, ConvertCommand } from '../../durable-objects/order-book/api.ts';
import { findOpenOrder } from '../order-book/open-orders.ts';
import { submitToBook } from '../order-book/submit-to-book.ts';
import { failureCode } from '../order-entry/failure-code.ts';
import type { OrderEntryFailure } from '../order-entry/order-entry-failure.ts';
import { failureOfRefusal, type Traded } from '../order-entry/routes/failure-of-refusal.ts';

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
  if (pending.length === 0) return whenNoneIsLeft(env, event);
  const [instrument, accounts] = await Promise.all([
    findInstrumentOfMarket(db, event.book),
    findAccounts(db, [...new Set(pending.map(({ account }) => account))]),
  ]);
  if (instrument?.market == null) throw new Error(`listing event ${event.id} is of no market`);
  const facts = new Map(accounts.map((account) => [account.id, factsOf(account)]));
  const checked = pending.map((allotment) =>
    checkedConversion(event, instrument, facts.get(allotment.account) ?? null, allotment),
  );
  const commands = checked.flatMap((check) => (check.ok ? [check.value] : []));
  const results = (await submitToBook(env, event.book, commands)) ?? commands.map(() => undefined);
  const traded: Traded = { market: instrument.market, dollars: instrument.dollars };
  let next = 0;
  const outcomes = await Promise.all(
    pending.map((allotment, at) => {
      const check = checked[at] as (typeof checked)[number];
      return check.ok ? outcomeOf(env, allotment, results[next++], traded) : failed(allotment, check.error);
    }),
  );
  const known = outcomes.filter((outcome) => outcome !== null);
  await recordResults(db, event.id, known);
  return known.length > 0;
}

function factsOf(account: AccountRow): AccountFacts {
  return { accountId: account.id, ...complianceFactsOf(account), factsVersion: account.factsVersion };
}

/** Every check of a firm order but those that its admission makes: cash, and that nothing has changed since. */
function checkedConversion(
  event: ListingEventRow,
  instrument: Instrument,
  facts: AccountFacts | null,
  { orderId, account, allotted }: AllotmentRow,
): Result<ConvertCommand, OrderEntryFailure> {
  const trader = traderOf(facts);
  if (!trader.ok) return trader;
  const failure = accreditationFailure('buy', instrument.asset, trader.value);
  if (failure !== null) return err(failure);
  return ok({
    type: 'convert',
    conversionId: uuidv7(),
    orderId,
    offerId: event.offerId,
    account,
    quantity: allotted,
    price: event.price,
    lot: { restrictionEndsAt: event.restrictionEndsAt, offeringType: event.offeringType },
    factsVersion: trader.value.factsVersion,
    rulesVersion: instrument.market?.rulesVersion ?? 0,
  });
}

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
  return { position, outcome: 'failed', rule: isSame ? 'offer_ended' : 'indication_changed', code: 'CONFLICT' };
}

function ended({ position }: AllotmentRow): AllotmentResult {
  return { position, outcome: 'failed', rule: 'indication_ended', code: 'ORDER_NOT_FOUND' };
}

function failed({ position }: AllotmentRow, failure: OrderEntryFailure): AllotmentResult | null {
  if (failure.reason === 'unavailable') return null;
  return { position, outcome: 'failed', rule: failure.reason, code: failureCode(failure) };
}
