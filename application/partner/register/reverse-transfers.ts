import { uuidv7 } from 'uuidv7';
import type { Database } from '../../../data/database.ts';
import { recordTogether, type TogetherItem } from '../../../data/partner/register/record-together.ts';
import {
  dueReversals,
  listWaitingReversals,
  recordReversal,
  registeredWith,
  securitiesWithWaitingReversals,
} from '../../../data/partner/register/reversals.ts';
import { feasibleSet, netOf, type RegisterMove } from '../../../domain/register/feasible-set.ts';

/** Reversals of one run; the next one goes on. */
const REVERSALS_PER_RUN = 50;
/** Of one security that are recorded at once. */
const TOGETHER_MAX = 200;
const SECURITIES_PER_RUN = 20;

/**
 * Gives back in the register what recorded transfers have moved whose trades were taken back since, of one security or of all. The ledger has moved with
 * the bust. A reversal waits until the buyer is registered with what goes back: it is pending until then. Those that wait for each other go together.
 */
export async function reverseTransfers(db: Database, security: string | null, now: number): Promise<void> {
  for (const due of await dueReversals(db, security, REVERSALS_PER_RUN)) await recordReversal(db, due, now);
  const left = security === null ? await securitiesWithWaitingReversals(db, SECURITIES_PER_RUN) : [security];
  for (const each of left) await recordCircle(db, each, { transfers: [], shown: 0, now });
}

/**
 * Records transfers of a security, all of them or none, with the reversals that they wait for, or that wait for them; or, without transfers, reversals
 * that wait for each other. What may not be recorded yet stays as it is.
 *
 * @returns false where the transfers would leave somebody with less than nothing
 */
export async function recordCircle(
  db: Database,
  security: string,
  {
    transfers,
    shown,
    now,
  }: { readonly transfers: readonly TogetherItem[]; readonly shown: number; readonly now: number },
): Promise<boolean> {
  const waiting = await listWaitingReversals(db, security, TOGETHER_MAX);
  // A reversal by itself is recorded as one.
  const fewest = transfers.length > 0 ? 1 : 2;
  if (transfers.length + waiting.length < fewest) return true;
  const items = [...transfers, ...waiting.map(reversalOf)];
  const accounts = [...new Set(items.flatMap(({ from, to }) => [from, to]))];
  const registered = await registeredWith(db, security, accounts);
  const moves = items.map(
    ({ id, from, to, units, type }): RegisterMove => ({ id, from, to, units, isOptional: type === 'reversal' }),
  );
  const kept = feasibleSet(moves, (account) => registered.get(account) ?? 0);
  if (kept === null) return false;
  if (kept.length < fewest) return true;
  const ids = new Set(kept.map(({ id }) => id));
  const holders = [...netOf(kept).keys()].map((account) => ({ account, holder: uuidv7() }));
  const together = { security, items: items.filter(({ id }) => ids.has(id)), holders, shown, now };
  await recordTogether(db, { ...together, nonce: `together:${uuidv7()}` });
  return true;
}

function reversalOf({
  trade,
  bust,
  buyer,
  seller,
  units,
  reason,
}: Awaited<ReturnType<typeof listWaitingReversals>>[number]): TogetherItem {
  const stated = {
    certificate: null,
    legend: 0,
    recordDate: null,
    capTableUpdatedAt: null,
    actor: null,
    told: null,
  } as const;
  return { id: bust, trade, type: 'reversal', from: buyer, to: seller, units, notes: reason, ...stated };
}
