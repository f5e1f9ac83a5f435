import { uuidv7 } from 'uuidv7';
import { listFreeLots } from '../../../data/accounts/lots.ts';
import type { Instrument } from '../../../data/catalog/instruments.ts';
import { type OrderRefusal, recordRefusals } from '../../../data/compliance/order-refusals.ts';
import { database } from '../../../data/database.ts';
import { findOrder } from '../../../data/orders/account-orders.ts';
import { orderStore } from '../../../data/orders/archive/order-store.ts';
import { MEANS_SCALE } from '../../../domain/accounts/account.ts';
import { isListed } from '../../../domain/assets/is-listed.ts';
import type { AccountFacts, Principal } from '../../../domain/identity/principal.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { TIME_MAX_MS } from '../../../domain/order-entry/assert-storable.ts';
import type { RefusalRuleName } from '../../../domain/order-entry/refusal-rules.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { projected } from '../../ledger/projected.ts';
import { describeBug } from '../../log/describe-bug.ts';
import { instrumentOf } from '../checks/instrument-cache.ts';
import { readFacts } from '../checks/read-facts.ts';
import { failureCode } from '../failure-code.ts';
import type { OrderEntryContext } from '../order-entry-context.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';
import type { OrderRequest } from '../order-request.ts';
import { rulesOfFailure } from './rules-of-failure.ts';

export interface RefusedRequest {
  readonly principal: Principal;
  /** That the checks have read last. */
  readonly facts: AccountFacts | null;
  readonly request: OrderRequest;
  readonly failure: OrderEntryFailure;
  /** Under which it was stored as rejected; null where it was not. */
  readonly storedAs: string | null;
}

/**
 * Records orders that were refused, each with the rule that refused it and what the rule saw, before anyone is answered
 * (docs/design/compliance.md#refusals). While D1 cannot be written, the log has them, and orders are answered all the same.
 */
export async function recordRefusedOrders(env: Env, refused: readonly RefusedRequest[]): Promise<void> {
  const judged = refused.filter(({ facts, failure }) => facts !== null && rulesOfFailure(failure).length > 0);
  if (judged.length === 0) return;
  await recorded(judged.length, async () => {
    const records = await Promise.all(judged.map((each) => refusedOrder(env, each)));
    await recordRefusals(database(env.DB), records);
  });
}

/** The same for an amendment. Its order stays as it was. */
export async function recordRefusedAmendment(
  { env, principal }: OrderEntryContext,
  request: { readonly orderId: string },
  failure: OrderEntryFailure,
): Promise<void> {
  const { facts } = principal;
  if (facts === null || rulesOfFailure(failure).length === 0) return;
  await recorded(1, async () => {
    await projected(env);
    const wanted = { id: request.orderId, account: facts.accountId, owner: principal.owner };
    const order = (await findOrder(orderStore(env), wanted))?.order ?? null;
    const named = order === null ? null : { assetId: order.assetId };
    const instrument = named === null ? null : await instrumentOf(env, named);
    const seen = (await readFacts(env, principal)) ?? facts;
    const { orderId, ...asked } = request;
    const record = await recordOf(
      env,
      { principal, facts: seen, failure, id: uuidv7(), orderId, action: 'amend' },
      {
        asked: { ...asked, side: order?.side ?? null },
        instrument: instrument === 'unavailable' ? null : instrument,
        book: order?.book ?? null,
      },
    );
    await recordRefusals(database(env.DB), [record]);
  });
}

/** A refusal is answered whether or not it can be recorded. */
async function recorded(refusals: number, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log('error', 'refusals were not recorded', { refusals, ...describeBug(error) });
  }
}

async function refusedOrder(env: Env, { principal, facts, request, failure, storedAs }: RefusedRequest) {
  const { orderId: wantedId, clientOrderId: _, ...asked } = request;
  const orderId = storedAs ?? wantedId;
  const instrument = await instrumentOf(env, request.instrument);
  const refusal = {
    principal,
    facts: facts as AccountFacts,
    failure,
    id: orderId,
    orderId,
    action: 'place',
  } as const;
  return recordOf(env, refusal, {
    asked,
    instrument: instrument === 'unavailable' ? null : instrument,
    book: 'symbol' in request.instrument ? request.instrument.symbol : null,
  });
}

interface Refusal {
  readonly principal: Principal;
  readonly facts: AccountFacts;
  readonly failure: OrderEntryFailure;
  readonly id: string;
  readonly orderId: string;
  readonly action: OrderRefusal['action'];
}

/** Of the lots that a sale would have taken, as many as are recorded. */
const LOTS_MAX = 10;

async function recordOf(
  env: Env,
  { principal, facts, failure, id, orderId, action }: Refusal,
  of: {
    readonly asked: object & { readonly side: string | null };
    readonly instrument: Instrument | null;
    readonly book: string | null;
  },
): Promise<Omit<OrderRefusal, 'count'>> {
  const { asset = null, market = null } = of.instrument ?? {};
  const [rule, ...further] = ruleNames(failure, of.instrument);
  const isResale = failure.reason === 'resale_restricted' && asset !== null;
  const lots = isResale ? (await listFreeLots(database(env.DB), facts.accountId, asset.id)).slice(0, LOTS_MAX) : [];
  const { accountId: account, family, investor: _, annualIncome, netWorth, ...standing } = facts;
  const saw = {
    rules: further,
    failure,
    order: of.asked,
    account: {
      ...standing,
      annualIncome: fromScaled(annualIncome, MEANS_SCALE),
      netWorth: fromScaled(netWorth, MEANS_SCALE),
      relatives: family?.length ?? 0,
    },
    asset: asset === null ? null : assetFacts(asset),
    lots: lots.map((lot) => ({ ...lot, quantity: fromScaled(lot.quantity, asset?.scale ?? 0) })),
  };
  return {
    id,
    account,
    owner: principal.owner,
    userId: principal.userId,
    keyId: principal.keyId,
    action,
    orderId,
    asset: asset?.id ?? null,
    book: of.book ?? market?.symbol ?? null,
    code: failureCode(failure),
    rule: rule ?? 'rejected_before',
    facts: boundedText(saw),
    at: Date.now(),
  };
}

/** What a client has sent may be long; rule, account and asset are not. */
const FACTS_LENGTH_MAX = 2_048;

function boundedText(saw: Readonly<Record<'failure' | 'order', unknown>>): string {
  const text = JSON.stringify(saw, withTime);
  return text.length <= FACTS_LENGTH_MAX ? text : JSON.stringify({ ...saw, failure: null, order: null }, withTime);
}

/** Times of failures, orders and lots. */
const TIMES: ReadonlySet<string> = new Set([
  'restrictionEndsAt',
  'resumesAt',
  'opensAt',
  'expiresAt',
  'expiresAt_max',
  'now',
]);

/** Who reads the record years later has times and amounts as the rest of the report has them. A client may ask for a time that is none. */
function withTime(name: string, value: unknown): unknown {
  return TIMES.has(name) && typeof value === 'number' && Math.abs(value) <= TIME_MAX_MS
    ? new Date(value).toISOString()
    : value;
}

function assetFacts({ regulation, accreditationType, offeringType, category, status, tradeable }: Instrument['asset']) {
  return { regulation, accreditationType, offeringType, category, status, tradeable };
}

/** An offering that must not be solicited is answered as if it were not there; the record says why. */
function ruleNames(failure: OrderEntryFailure, instrument: Instrument | null): readonly RefusalRuleName[] {
  const isHidden =
    (failure.reason === 'asset_not_found' || failure.reason === 'symbol_not_found') &&
    instrument !== null &&
    isListed(instrument.asset) &&
    instrument.asset.accreditationType === '506b';
  return isHidden ? ['no_general_solicitation'] : rulesOfFailure(failure);
}
