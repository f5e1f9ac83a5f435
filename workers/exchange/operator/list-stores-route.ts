import { createRoute, z } from '@hono/zod-openapi';
import { readWatchedStores, type WatchedStore } from '../../../application/operator/watch-database.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { isoTime } from '../../responses/wire.ts';
import { VENUE_READ } from './operator-route.ts';

const StoreView = z
  .object({
    store: z.string().openapi({ example: 'exchange' }),
    bytes: z.int(),
    bytesMax: z.int().openapi({ description: 'What it may hold, by the setting `STORE_GB_MAX`.' }),
    bytesLeft: z.int(),
    bytesPerDay: z
      .int()
      .nullable()
      .openapi({ description: 'What the last seven days have added, a day; null before a day was seen.' }),
    daysLeft: z
      .int()
      .nullable()
      .openapi({ description: 'Until it is full at that rate; null where it does not grow.' }),
    seenAt: z.iso.datetime(),
  })
  .openapi('OperatorStore');

/** GET /v1/operator/stores: how full the databases and the ledger’s object are. */
export function listStoresRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/stores',
      tags: ['operator'],
      summary: 'How large each store is, what is left of it, and how fast it grows',
      description: 'As it was seen in the last five minutes. Empty before that.',
      responses: { 200: envelopeOf('The stores.', z.array(StoreView)) },
    }),
    async (c) => c.json(enveloped((await readWatchedStores(c.env, Date.now())).map(storeView)), 200),
  );
}

function storeView({ bytes, bytesMax, seenAt, ...rest }: WatchedStore): z.infer<typeof StoreView> {
  return { ...rest, bytes, bytesMax, bytesLeft: Math.max(0, bytesMax - bytes), seenAt: isoTime(seenAt) };
}
