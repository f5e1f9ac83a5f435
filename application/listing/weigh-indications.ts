import { type AccountRow, findAccounts } from '../../data/accounts/accounts.ts';
import { readAccreditationEnds } from '../../data/accounts/accreditation-end.ts';
import { readIdentityEnds } from '../../data/accounts/identity-end.ts';
import type { Instrument } from '../../data/catalog/instruments.ts';
import { type Database, database } from '../../data/database.ts';
import { complianceFactsOf } from '../../domain/accounts/account.ts';
import type { AccreditationEnd } from '../../domain/accreditation/accreditation-at.ts';
import type { AccountFacts } from '../../domain/identity/principal.ts';
import { payableShares } from '../../domain/listing/payable-shares.ts';
import type { Market } from '../../domain/markets/market.ts';
import { accreditationFailure } from '../../domain/order-entry/accreditation-failure.ts';
import { holdsOf } from '../../domain/order-entry/holds.ts';
import { traderOf } from '../../domain/order-entry/trader-of.ts';
import { err, type Result } from '../../domain/result.ts';
import { AVAILABLE_ACCOUNTS_MAX } from '../../durable-objects/ledger/api.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import type { OrderEntryFailure } from '../order-entry/order-entry-failure.ts';
import { failureOfRefusal } from '../order-entry/routes/failure-of-refusal.ts';

/** Accounts of one question, to D1 and to the ledger. */
const ACCOUNTS_MAX = AVAILABLE_ACCOUNTS_MAX;

/** An indication at the price that it would be paid at, in order of arrival. Scaled integers. */
export interface Wish {
  readonly account: string;
  readonly quantity: number;
  readonly price: number;
}

export interface WeighedWish {
  /** How many of the shares its account may buy and could pay now. */
  readonly payable: number;
  /** Why that is not all of them; null where it is. */
  readonly failure: OrderEntryFailure | null;
}

/**
 * What of these indications could turn firm now, by every check that turning firm makes: identity, accreditation, freezes and cash. Null where the
 * ledger is out of reach.
 */
export async function weighIndications(
  env: Env,
  instrument: Instrument,
  market: Market,
  wishes: readonly Wish[],
): Promise<WeighedWish[] | null> {
  const ids = [...new Set(wishes.map(({ account }) => account))];
  const facts = new Map<string, AccountFacts>();
  const available = new Map<string, number>();
  for (let from = 0; from < ids.length; from += ACCOUNTS_MAX) {
    const part = ids.slice(from, from + ACCOUNTS_MAX);
    const [buyersOf, amounts] = await Promise.all([
      readBuyers(database(env.DB), part),
      askLedger(env, (ledger) => ledger.available(part, market.quoteAsset)),
    ]);
    if (amounts === null) return null;
    for (const [id, of] of buyersOf) facts.set(id, of);
    for (const [at, id] of part.entries()) available.set(id, amounts[at] ?? 0);
  }
  const buyers = wishes.map(({ account }) => buyerOf(instrument, facts.get(account) ?? null));
  const mayBuy = wishes.map((wish, at) => ({ ...wish, quantity: buyers[at]?.ok ? wish.quantity : 0 }));
  const feeBps = Math.max(market.makerFeeBps, market.takerFeeBps);
  const payable = payableShares(mayBuy, { ...market, feeBps }, (account) => available.get(account) ?? 0);
  return wishes.map((wish, at): WeighedWish => {
    const buyer = buyers[at];
    if (buyer !== undefined && !buyer.ok) return { payable: 0, failure: buyer.error };
    const shares = payable[at] ?? 0;
    const failure =
      shares === wish.quantity ? null : lackOf(instrument, market, wish, available.get(wish.account) ?? 0);
    return { payable: shares, failure };
  });
}

/** Who may buy, with its facts: every check of a firm order but those that its admission makes, which are of cash and that nothing has changed since. */
export function buyerOf(instrument: Instrument, facts: AccountFacts | null): Result<AccountFacts, OrderEntryFailure> {
  const trader = traderOf(facts, Date.now());
  if (!trader.ok) return trader;
  const failure = accreditationFailure('buy', instrument.asset, trader.value);
  return failure === null ? trader : err(failure);
}

/** The facts of those of the accounts that there are, by their ids. */
export async function readBuyers(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, AccountFacts>> {
  const wanted = [...new Set(ids)];
  const [accounts, identities, accreditations] = await Promise.all([
    findAccounts(db, wanted),
    readIdentityEnds(db, wanted),
    readAccreditationEnds(db, wanted),
  ]);
  return new Map(
    accounts.map((account) => [
      account.id,
      factsOf(account, identities.get(account.id), accreditations.get(account.id)),
    ]),
  );
}

function factsOf(
  account: AccountRow,
  identityEndsAt: number | undefined,
  accreditationEnd: AccreditationEnd | undefined,
): AccountFacts {
  const { id: accountId, factsVersion } = account;
  return {
    accountId,
    ...complianceFactsOf(account),
    factsVersion,
    ...(identityEndsAt === undefined ? {} : { identityEndsAt }),
    ...(accreditationEnd === undefined ? {} : { accreditationEnd }),
  };
}

function lackOf(
  { dollars }: Instrument,
  market: Market,
  { quantity, price }: Wish,
  available: number,
): OrderEntryFailure {
  const { makerFeeBps, takerFeeBps } = market;
  const holds = { side: 'buy', limit: price, remaining: quantity, makerFeeBps, takerFeeBps, feeNumerator: 0 } as const;
  const { reserve: required } = holdsOf(market, { ...holds, allowanceAsset: null, positionAsset: null });
  const lack = { reason: 'insufficient_balance', asset: market.quoteAsset, required, available } as const;
  return failureOfRefusal(lack, { market, dollars });
}
