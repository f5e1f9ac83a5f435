import { type SQL, sql } from 'drizzle-orm';
import type { PaymentState } from '../../../../domain/corporate-actions/payment-state.ts';
import type { Database } from '../../../database.ts';
import { listParts } from '../../../list-parts.ts';
import type { OrderStore } from '../../../orders/archive/order-store.ts';
import { type ArchivedPayment, type PaymentObject, readPaymentObject } from './payment-object.ts';

/** Objects that one page reads: six have a whole list of 10,000. */
const OBJECTS_READ_MAX = 8;

/** A place in the order of actions and payees. */
export interface PaymentPlace {
  readonly action: string;
  readonly payee: string;
}

export interface ArchivedPage {
  readonly payments: readonly (ArchivedPayment & { readonly action: string })[];
  /** Payments behind this place have not been looked at; null when all have. */
  readonly reached: PaymentPlace | null;
}

export interface ArchivedPaymentsQuery {
  /** Condition on `o`, a row of archived_payments. */
  readonly where: SQL;
  readonly state: PaymentState | null;
  readonly after: PaymentPlace | null;
  readonly limit: number;
}

/** Archived payments by action and payee, as far as a bounded number of objects tells. @throws OrderArchiveUnavailable */
export async function listArchivedPayments(
  { db, archive }: OrderStore,
  { where, state, after, limit }: ArchivedPaymentsQuery,
): Promise<ArchivedPage> {
  const isBehind = after === null ? sql`TRUE` : sql`(o.action, o.last_payee) > (${after.action}, ${after.payee})`;
  const hasState =
    state === null ? sql`TRUE` : sql`EXISTS (SELECT 1 FROM json_each(o.states) n WHERE n.value = ${state})`;
  const objects = await db.all<PaymentObject>(sql`
    SELECT o.action, o.first_payee AS firstPayee, o.last_payee AS lastPayee, o.key, o.hash, o.payments, o.states, o.paid
    FROM archived_payments o WHERE ${where} AND ${isBehind} AND ${hasState}
    ORDER BY o.action, o.last_payee LIMIT CAST(${OBJECTS_READ_MAX + 1} AS INTEGER)`);
  const payments: (ArchivedPayment & { readonly action: string })[] = [];
  let reached: PaymentPlace | null = null;
  for (const object of objects.slice(0, OBJECTS_READ_MAX)) {
    const { action, lastPayee } = object;
    for (const payment of await readPaymentObject(archive, object)) {
      const isWanted = after === null || action > after.action || payment.payee > after.payee;
      if (isWanted && (state === null || payment.state === state)) payments.push({ ...payment, action });
    }
    reached = { action, payee: lastPayee };
    if (payments.length >= limit) return { payments: payments.slice(0, limit), reached };
  }
  return { payments, reached: objects.length > OBJECTS_READ_MAX ? reached : null };
}

/** Who a payee is: their name, and how the agent knows a holder without an account. */
export async function namesOfPayees(
  db: Database,
  payments: readonly Pick<ArchivedPayment, 'payee' | 'account'>[],
): Promise<ReadonlyMap<string, { readonly name: string | null; readonly reference: string | null }>> {
  const names = new Map<string, { readonly name: string | null; readonly reference: string | null }>();
  const payees = payments.map(({ payee, account }) => ({ payee, account }));
  for (const part of listParts(payees, payees.length)) {
    const rows = await db.all<{ payee: string; name: string | null; reference: string | null }>(sql`
      SELECT v.value ->> 'payee' AS payee, coalesce(h.name, u.name) AS name, h.reference
      FROM json_each(${JSON.stringify(part)}) v LEFT JOIN register_holders h ON h.id = v.value ->> 'payee'
        LEFT JOIN accounts a ON a.id = v.value ->> 'account' LEFT JOIN users u ON u.id = a.user_id`);
    for (const { payee, ...who } of rows) names.set(payee, who);
  }
  return names;
}
