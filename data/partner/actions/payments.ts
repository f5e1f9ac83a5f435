import { sql } from 'drizzle-orm';
import type { PaymentState } from '../../../domain/corporate-actions/payment-state.ts';
import type { Database } from '../../database.ts';

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

/** By payee, after the last one of the page before. */
export function listPayments(
  db: Database,
  action: string,
  {
    state,
    after,
    limit,
  }: { readonly state: PaymentState | null; readonly after: string | null; readonly limit: number },
): Promise<ActionPayment[]> {
  const isWanted = state === null ? sql`TRUE` : sql`p.state = ${state}`;
  return db.all<ActionPayment>(sql`
    SELECT p.payee, p.account, coalesce(h.name, u.name) AS name, h.reference, p.shares, p.amount, p.state,
      p.paid_at AS paidAt, p.returned_at AS returnedAt
    FROM (SELECT * FROM corporate_action_payments p WHERE p.action = ${action} AND p.payee > ${after ?? ''} AND ${isWanted}
      ORDER BY p.payee LIMIT ${limit}) p
      LEFT JOIN register_holders h ON h.id = p.payee LEFT JOIN accounts a ON a.id = p.account LEFT JOIN users u ON u.id = a.user_id
    ORDER BY p.payee`);
}
