import { database } from '../../data/database.ts';
import { type NewAllotment, recordAllotments } from '../../data/listing/allotments.ts';
import type { ListingEventRow } from '../../data/listing/listing-events.ts';
import { allocateShares } from '../../domain/listing/allocate-shares.ts';
import type { Interest } from '../../durable-objects/order-book/api.ts';
import { readBook } from '../order-book/read-book.ts';

/** Deals the shares out among the indications that stand now, all in one step: what comes later is not part of the event. */
export async function allotShares(env: Env, event: ListingEventRow): Promise<boolean> {
  const interests = await readBook(env, event.book, (book) => book.interests()).catch(() => null);
  if (interests === null) return false;
  const excluded = interests.map((interest) => exclusionOf(interest, event));
  const wanted = interests.map(({ quantity }, at) => (excluded[at] === null ? quantity : 0));
  const { sharesOffered: offered, lotSize, allocation } = event;
  const dealt = allocateShares(wanted, { offered, lotSize, allocation });
  const allotments = interests.map((interest, at): NewAllotment => {
    const allotted = dealt[at] ?? 0;
    const rule = excluded[at] ?? (allotted === 0 ? 'no_shares_left' : null);
    return { ...interest, allotted, outcome: allotted === 0 ? 'not_allotted' : 'pending', rule, code: null };
  });
  await recordAllotments(database(env.DB), event.id, allotments, Date.now());
  return true;
}

/** Why an indication has no part in the event, or null. */
function exclusionOf({ account, price }: Interest, event: ListingEventRow): string | null {
  if (account === event.issuerAccount) return 'issuer';
  return price < event.price ? 'limit_below_price' : null;
}
