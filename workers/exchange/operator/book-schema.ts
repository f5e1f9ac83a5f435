import { z } from '@hono/zod-openapi';
import { MARKET_STATUSES } from '../../../domain/markets/market.ts';
import type { BookStatus } from '../../../durable-objects/order-book/api.ts';

/** What an order book object says of itself. */
export const BookStatusView = z
  .object({
    market: z.enum(MARKET_STATUSES),
    halted: z.string().nullable().openapi({ description: 'Why the book stands still; it may still take cancels.' }),
    owner: z.string().openapi({ description: 'The instance that owns the book.' }),
    batch: z.int().openapi({ description: 'The last batch that the ledger took from it.' }),
    settled: z.int().openapi({ description: 'The last of its chunks that the ledger has.' }),
    journaled: z.int().openapi({ description: 'Rows of its journal.' }),
    outbox: z.int().openapi({ description: 'Chunks that the ledger does not have yet.' }),
    queued: z.int().openapi({ description: 'Commands that wait for the ledger.' }),
    liveOrders: z.int(),
    haltedUntil: z
      .int()
      .nullable()
      .openapi({ description: 'Unix ms at which the halt ends that the book has begun by itself.' }),
  })
  .openapi('OperatorBookStatus') satisfies z.ZodType<BookStatus>;
