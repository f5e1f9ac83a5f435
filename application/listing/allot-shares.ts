import { findInstrumentOfMarket, type Instrument } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import {
  changeAllotments,
  listAllotments,
  type NewAllotment,
  recordAllotments,
} from '../../data/listing/allotments.ts';
import type { ListingEventRow } from '../../data/listing/listing-events.ts';
import { allocateShares } from '../../domain/listing/allocate-shares.ts';
import type { Market } from '../../domain/markets/market.ts';
import { INDICATIONS_PER_ASSET_MAX, type Interest } from '../../durable-objects/order-book/api.ts';
import { readBook } from '../order-book/read-book.ts';
import { failureCode } from '../order-entry/failure-code.ts';
import { type WeighedWish, weighIndications } from './weigh-indications.ts';

/** Why an indication that could have had shares got none: the others took all. */
const NONE_LEFT = 'no_shares_left';

/**
 * Deals the shares out among the indications that stand now, all in one step: what comes later is not part of the event. Each counts as far as it
 * could turn firm now; who cannot pay, or may not buy, has no part.
 */
export async function allotShares(env: Env, event: ListingEventRow): Promise<boolean> {
  const interests = await standingInterests(env, event);
  if (interests === null) return false;
  const excluded = interests.map((interest) => exclusionOf(interest, event));
  const weighed = await weighAt(env, event, interests, (at) => excluded[at] === null);
  if (weighed === null) return false;
  const dealt = deal(event, event.sharesOffered, weighed);
  const allotments = interests.map((interest, at): NewAllotment => {
    const allotted = dealt[at] ?? 0;
    const { payable, failure } = weighed[at] ?? { payable: 0, failure: null };
    if (excluded[at] === null && payable === 0 && failure !== null)
      return { ...interest, allotted: 0, outcome: 'failed', rule: failure.reason, code: failureCode(failure) };
    const rule = excluded[at] ?? (allotted === 0 ? NONE_LEFT : null);
    return { ...interest, allotted, outcome: allotted === 0 ? 'not_allotted' : 'pending', rule, code: null };
  });
  await recordAllotments(database(env.DB), event.id, allotments, Date.now());
  return true;
}

/**
 * Some that were allotted shares came to nothing: what they were allotted is dealt out again among those that have not turned firm yet, as
 * everything was. Each round follows a failure, which is final, so that the rounds end.
 *
 * @returns whether somebody gets another number of shares
 */
export async function allotAgain(env: Env, event: ListingEventRow): Promise<boolean> {
  const db = database(env.DB);
  const rows = await listAllotments(db, event.id, { after: -1, limit: INDICATIONS_PER_ASSET_MAX });
  const interests = await standingInterests(env, event);
  if (interests === null) return false;
  const standing = new Map(interests.map((interest) => [interest.orderId, interest]));
  const taking = rows.flatMap((row) => {
    const interest = standing.get(row.orderId);
    const takesPart = row.outcome === 'pending' || (row.outcome === 'not_allotted' && row.rule === NONE_LEFT);
    if (!takesPart || interest === undefined || interest.price < event.price) return [];
    return { ...row, quantity: Math.min(row.quantity, interest.quantity) };
  });
  const weighed = await weighAt(env, event, taking, () => true);
  if (weighed === null) return false;
  const isTaking = new Set(taking.map(({ position }) => position));
  const settled = rows
    .filter(({ outcome, position }) => outcome === 'converted' || (outcome === 'pending' && !isTaking.has(position)))
    .reduce((sum, { allotted }) => sum + allotted, 0);
  const dealt = deal(event, event.sharesOffered - settled, weighed);
  const changed = taking.flatMap(({ position, allotted: before }, at) => {
    const allotted = dealt[at] ?? 0;
    // A pending one that can pay nothing any more is told why when it is to turn firm.
    return allotted === 0 || allotted === before ? [] : [{ position, allotted }];
  });
  await changeAllotments(db, event.id, changed);
  return changed.length > 0;
}

function standingInterests(env: Env, { book }: ListingEventRow): Promise<Interest[] | null> {
  return readBook(env, book, (of) => of.interests()).catch(() => null);
}

/** What the indications that count could pay at the price of the event; null where that cannot be told now. */
async function weighAt(
  env: Env,
  { book, price }: ListingEventRow,
  interests: readonly Pick<Interest, 'account' | 'quantity'>[],
  counts: (at: number) => boolean,
): Promise<WeighedWish[] | null> {
  const { instrument, market } = await tradedIn(env, book);
  const wishes = interests.map(({ account, quantity }, at) => ({
    account,
    quantity: counts(at) ? quantity : 0,
    price,
  }));
  return weighIndications(env, instrument, market, wishes);
}

async function tradedIn(env: Env, book: string): Promise<{ readonly instrument: Instrument; readonly market: Market }> {
  const instrument = await findInstrumentOfMarket(database(env.DB), book);
  if (instrument?.market == null) throw new Error(`${book} is no market of indications`);
  return { instrument, market: instrument.market };
}

function deal({ lotSize, allocation }: ListingEventRow, offered: number, weighed: readonly WeighedWish[]): number[] {
  return allocateShares(
    weighed.map(({ payable }) => payable),
    { offered: Math.max(0, offered), lotSize, allocation },
  );
}

/** Why an indication has no part in the event, or null. */
function exclusionOf({ account, price }: Interest, event: ListingEventRow): string | null {
  if (account === event.issuerAccount) return 'issuer';
  return price < event.price ? 'limit_below_price' : null;
}
