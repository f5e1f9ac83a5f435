import { and, asc, eq, gt } from 'drizzle-orm';
import type { Trade } from '../../domain/ledger/records.ts';
import type { Database } from '../database.ts';
import { trades } from '../schema/orders.ts';

/** A settled trade with the orders that met in it: the venue's own view, never shown to others. */
export type Fill = Pick<Trade, 'sequence' | 'buyOrder' | 'sellOrder' | 'takerSide' | 'price' | 'quantity'>;

/** Fills of a book after a sequence, oldest first. */
export async function listFillsOf(
  db: Database,
  book: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Fill[]> {
  return db
    .select({
      sequence: trades.sequence,
      buyOrder: trades.buyOrder,
      sellOrder: trades.sellOrder,
      takerSide: trades.takerSide,
      price: trades.price,
      quantity: trades.quantity,
    })
    .from(trades)
    .where(and(eq(trades.book, book), gt(trades.sequence, after)))
    .orderBy(asc(trades.sequence))
    .limit(limit);
}
