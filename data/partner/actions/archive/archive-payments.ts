import { sql } from 'drizzle-orm';
import type { Database } from '../../../database.ts';
import type { OrderStore } from '../../../orders/archive/order-store.ts';
import { sqlBatch } from '../../../sql-batch.ts';
import { type ArchivedPayment, type PaymentObject, paymentObjectOf } from './payment-object.ts';

/** Payments of an object: about 300 KB. */
const OBJECT_PAYMENTS_MAX = 2_000;
/** Fewer stay in D1: an object and its row would hardly be less. */
const ACTION_PAYMENTS_MIN = 100;

/** Dividends that ended before a time and whose payments the archive has not seen to, oldest first. */
export function listDueDividends(db: Database, endedBefore: number, limit: number): Promise<{ readonly id: string }[]> {
  return db.all(sql`
    SELECT id FROM corporate_actions
    WHERE type = 'dividend' AND state IN ('completed', 'reversed') AND archived_at IS NULL
      AND ended_at < CAST(${endedBefore} AS INTEGER)
    ORDER BY ended_at LIMIT CAST(${limit} AS INTEGER)`);
}

/** Tests have smaller objects. */
export interface ArchiveSizes {
  readonly objectPaymentsMax: number;
  readonly actionPaymentsMin: number;
}

const SIZES: ArchiveSizes = { objectPaymentsMax: OBJECT_PAYMENTS_MAX, actionPaymentsMin: ACTION_PAYMENTS_MIN };

/**
 * Moves payments of an ended dividend from D1 into the archive, by rising payee, as many as an object has. The object is written first, and named in the same
 * batch that deletes the rows, where all of them still stand: each payment is in one of the two at every moment. A step that is repeated, or runs beside
 * another, writes the same object and moves nothing twice.
 *
 * @returns whether the action is done
 */
export async function archivePaymentsStep(
  { db, archive }: OrderStore,
  { action, now }: { readonly action: string; readonly now: number },
  { objectPaymentsMax, actionPaymentsMin }: ArchiveSizes = SIZES,
): Promise<boolean> {
  const payments = await db.all<ArchivedPayment>(sql`
    SELECT payee, account, shares, amount, part, state, reason, paid_at AS paidAt, returned_at AS returnedAt
    FROM corporate_action_payments WHERE action = ${action} ORDER BY payee LIMIT CAST(${objectPaymentsMax} AS INTEGER)`);
  const isBegun = payments.length >= actionPaymentsMin || (await hasObjects(db, action));
  if (payments.length === 0 || !isBegun) {
    await db.run(sql`UPDATE corporate_actions SET archived_at = CAST(${now} AS INTEGER) WHERE id = ${action}`);
    return true;
  }
  const { object, text } = paymentObjectOf(action, payments);
  await archive.put(object.key, text, { sha256: object.hash, httpMetadata: { contentType: 'application/json' } });
  await land(db, object);
  return false;
}

async function hasObjects(db: Database, action: string): Promise<boolean> {
  const row = await db.get<{ has: number }>(
    sql`SELECT EXISTS (SELECT 1 FROM archived_payments WHERE action = ${action}) AS has`,
  );
  return row?.has === 1;
}

async function land(db: Database, object: PaymentObject): Promise<void> {
  const { action, firstPayee, lastPayee, key, hash, payments, states, paid } = object;
  const moved = sql`p.action = ${action} AND p.payee >= ${firstPayee} AND p.payee <= ${lastPayee}`;
  const stands = sql`(SELECT count(*) FROM corporate_action_payments p WHERE ${moved}) = CAST(${payments} AS INTEGER)
    AND EXISTS (SELECT 1 FROM corporate_actions WHERE id = ${action} AND state IN ('completed', 'reversed'))`;
  const counts = sql`${moved} AND p.account IS NOT NULL AND p.state IN ('paid', 'not_returned')`;
  await sqlBatch(db, [
    sql`
      INSERT INTO archived_payment_sums (account, asset, amount)
      SELECT account, asset, sum(amount) FROM (
        SELECT p.account, c.terms ->> 'currencyAsset' AS asset, p.amount
        FROM corporate_actions c JOIN corporate_action_payments p ON p.action = c.id WHERE ${counts}
        UNION ALL
        SELECT c.payment_account, c.terms ->> 'currencyAsset', -p.amount
        FROM corporate_actions c JOIN corporate_action_payments p ON p.action = c.id WHERE ${counts})
      WHERE ${stands} GROUP BY account, asset
      ON CONFLICT (account, asset) DO UPDATE SET amount = archived_payment_sums.amount + excluded.amount`,
    sql`
      INSERT INTO archived_payments (action, first_payee, last_payee, key, hash, payments, states, paid)
      SELECT ${action}, ${firstPayee}, ${lastPayee}, ${key}, ${hash}, CAST(${payments} AS INTEGER), ${states}, ${paid} WHERE ${stands}`,
    sql`DELETE FROM corporate_action_payments AS p WHERE ${moved} AND ${stands}`,
  ]);
}
