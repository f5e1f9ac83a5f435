import { findAccounts } from '../../data/accounts/accounts.ts';
import { findInstrumentOfAsset, type Instrument } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import { type InterestBook, interestBook } from '../../domain/listing/interest-book.ts';
import { takesIndications } from '../../domain/markets/market.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { noSuchAsset } from '../operator/not-found.ts';
import { readBook } from '../order-book/read-book.ts';
import { weighIndications } from './weigh-indications.ts';

/** Accounts of one question to D1. */
const ACCOUNTS_MAX = 5_000;

export interface AssetInterest {
  readonly instrument: Instrument;
  readonly interest: InterestBook;
}

/** What investors indicate on an asset now, without who they are: for its issuer, and for the venue. */
export async function readInterest(
  env: Env,
  assetId: string,
  owner: string | null,
): Promise<Result<AssetInterest, ApiError>> {
  const db = database(env.DB);
  const instrument = await findInstrumentOfAsset(db, assetId);
  if (instrument === null || !(await mayReadListing(env, instrument.asset, owner))) return err(noSuchAsset());
  const { market } = instrument;
  if (market === null || !takesIndications(market)) return ok({ instrument, interest: interestBook([], new Map()) });
  const interests = await readBook(env, market.symbol, (book) => book.interests()).catch(() => null);
  if (interests === null) return err(apiError('SERVICE_UNAVAILABLE', 'the book does not answer: repeat the request'));
  const ids = [...new Set(interests.map(({ account }) => account))];
  const parts: string[][] = [];
  for (let from = 0; from < ids.length; from += ACCOUNTS_MAX) parts.push(ids.slice(from, from + ACCOUNTS_MAX));
  const weighed = await weighIndications(env, instrument, market, interests);
  if (weighed === null) return err(apiError('SERVICE_UNAVAILABLE', 'the ledger does not answer: repeat the request'));
  const known = interests.map((interest, at) => ({ ...interest, payable: weighed[at]?.payable ?? 0 }));
  const holders = (await Promise.all(parts.map((part) => findAccounts(db, part)))).flat();
  return ok({ instrument, interest: interestBook(known, new Map(holders.map((holder) => [holder.id, holder]))) });
}

/**
 * Whether somebody who reads what concerns an organization (null for all) may read what concerns an asset's listing: that is for the venue, and
 * for the organization of the issuer's account.
 */
async function mayReadListing(
  env: Env,
  { issuerAccount }: { readonly issuerAccount: string | null },
  owner: string | null,
): Promise<boolean> {
  if (owner === null) return true;
  if (issuerAccount === null) return false;
  const [issuer] = await findAccounts(database(env.DB), [issuerAccount]);
  return issuer?.owner === owner;
}
