import type { PaymentState } from '../../../../domain/corporate-actions/payment-state.ts';
import { sha256 } from '../../../../domain/ledger/journal-chain.ts';
import { OrderArchiveUnavailable } from '../../../orders/archive/order-slice.ts';
import type { archivedPayments } from '../../../schema/corporate-actions.ts';

/** A payment as its object has it: what stood in its row. */
export interface ArchivedPayment {
  readonly payee: string;
  readonly account: string | null;
  readonly shares: number;
  readonly amount: number | null;
  readonly part: number | null;
  readonly state: PaymentState;
  readonly reason: string | null;
  readonly paidAt: number | null;
  readonly returnedAt: number | null;
}

/** An object as D1 refers to it. */
export type PaymentObject = Readonly<typeof archivedPayments.$inferSelect>;

/** What an object says of its payments: another number is read by nobody. */
const FORMAT = 1;

interface ObjectBody {
  readonly format: number;
  readonly action: string;
  readonly payments: readonly ArchivedPayment[];
}

/** The object of these payments of one action, by rising payee. The same payments are the same object under the same key. */
export function paymentObjectOf(
  action: string,
  sorted: readonly ArchivedPayment[],
): { readonly object: PaymentObject; readonly text: string } {
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) throw new Error('an object has at least one payment');
  const body: ObjectBody = { format: FORMAT, action, payments: sorted };
  const text = JSON.stringify(body);
  const hash = sha256(text);
  const object = {
    action,
    firstPayee: first.payee,
    lastPayee: last.payee,
    key: `payments/${action}/${hash}.json`,
    hash,
    payments: sorted.length,
    states: JSON.stringify([...new Set(sorted.map(({ state }) => state))].sort()),
    paid: JSON.stringify(paidAtMoments(sorted)),
  };
  return { object, text };
}

/** Payments of an object, by rising payee. @throws OrderArchiveUnavailable when R2 does not answer, or has not what was archived */
export async function readPaymentObject(
  bucket: R2Bucket,
  { key, hash }: PaymentObject,
): Promise<readonly ArchivedPayment[]> {
  let text: string | null;
  try {
    text = (await (await bucket.get(key))?.text()) ?? null;
  } catch (error) {
    throw new OrderArchiveUnavailable(`${key} cannot be read`, { cause: error });
  }
  if (text === null) throw new OrderArchiveUnavailable(`${key} is missing`);
  if (sha256(text) !== hash) throw new OrderArchiveUnavailable(`${key} is not what was archived`);
  const body = JSON.parse(text) as ObjectBody;
  if (body.format !== FORMAT) throw new OrderArchiveUnavailable(`${key} has format ${body.format}`);
  return body.payments;
}

/** What was paid at each moment, and when that was given back: what reports of a year sum up. */
function paidAtMoments(payments: readonly ArchivedPayment[]): (readonly [number, number | null, number])[] {
  const moments = new Map<string, readonly [number, number | null, number]>();
  for (const { state, amount, paidAt, returnedAt } of payments) {
    if (paidAt === null || amount === null || amount === 0) continue;
    if (state !== 'paid' && state !== 'not_returned' && state !== 'returned') continue;
    const back = state === 'returned' ? returnedAt : null;
    const moment = `${paidAt} ${back}`;
    moments.set(moment, [paidAt, back, (moments.get(moment)?.[2] ?? 0) + amount]);
  }
  return [...moments.values()];
}
