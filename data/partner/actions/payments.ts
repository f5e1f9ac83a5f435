import { sql } from 'drizzle-orm';
import type { PaymentState } from '../../../domain/corporate-actions/payment-state.ts';
import type { OrderStore } from '../../orders/archive/order-store.ts';
import { listArchivedPayments, namesOfPayees } from './archive/archived-payments.ts';

/** What a holder is entitled to of a dividend. */
export interface ActionPayment {
  readonly payee: string;
  readonly account: string | null;
  /** Of the holder, or of the owner of the account. */
  readonly name: string | null;
  /** As the agent knows a holder without an account. */
  readonly reference: string | null;
  readonly shares: number;
  readonly amount: number | null;
  readonly state: PaymentState;
  readonly paidAt: number | null;
  readonly returnedAt: number | null;
}

export interface PaymentsPage {
  /** By payee; one more than the page shows, where there are so many. */
  readonly payments: readonly ActionPayment[];
  /** Payees behind this one have not been looked at; null when all have. A page may be short, and yet lead on. */
  readonly reached: string | null;
}

/**
 * By payee, after the last one of the page before. D1 is read first: what is archived meanwhile is then seen twice, and shown once, and never missed.
 *
 * @throws OrderArchiveUnavailable
 */
export async function listPayments(
  store: OrderStore,
  action: string,
  {
    state,
    after,
    limit,
  }: { readonly state: PaymentState | null; readonly after: string | null; readonly limit: number },
): Promise<PaymentsPage> {
  const { db } = store;
  const isWanted = state === null ? sql`TRUE` : sql`p.state = ${state}`;
  const standing = await db.all<ActionPayment>(sql`
    SELECT p.payee, p.account, coalesce(h.name, u.name) AS name, h.reference, p.shares, p.amount, p.state,
      p.paid_at AS paidAt, p.returned_at AS returnedAt
    FROM (SELECT * FROM corporate_action_payments p WHERE p.action = ${action} AND p.payee > ${after ?? ''} AND ${isWanted}
      ORDER BY p.payee LIMIT ${limit}) p
      LEFT JOIN register_holders h ON h.id = p.payee LEFT JOIN accounts a ON a.id = p.account LEFT JOIN users u ON u.id = a.user_id
    ORDER BY p.payee`);
  const archived = await listArchivedPayments(store, {
    where: sql`o.action = ${action}`,
    state,
    after: after === null ? null : { action, payee: after },
    limit,
  });
  const names = await namesOfPayees(db, archived.payments);
  const byPayee = new Map(standing.map((payment) => [payment.payee, payment]));
  for (const { payee, account, shares, amount, state: became, paidAt, returnedAt } of archived.payments) {
    const { name = null, reference = null } = names.get(payee) ?? {};
    byPayee.set(payee, { payee, account, name, reference, shares, amount, state: became, paidAt, returnedAt });
  }
  const reached = archived.reached?.payee ?? null;
  const payments = [...byPayee.values()]
    .filter(({ payee }) => reached === null || payee <= reached)
    .sort((a, b) => (a.payee < b.payee ? -1 : 1))
    .slice(0, limit);
  return { payments, reached };
}
