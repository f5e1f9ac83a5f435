import { createRoute, z } from '@hono/zod-openapi';
import { type DifferencePlace, listBrokerDifferences } from '../../../data/broker/broker-differences.ts';
import { database } from '../../../data/database.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { CURSOR_WORDS } from '../../responses/time-cursor.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { VENUE_READ } from './operator-route.ts';

const KINDS = ['position', 'open_here', 'open_there'] as const;
const SYMBOL_LENGTH_MAX = 100;

const DifferenceView = z
  .object({
    symbol: z.string(),
    kind: z.enum(KINDS).openapi({
      description:
        '`position`: what the broker says we have of it; `open_here`: an order that is open here alone; `open_there`: at the broker alone.',
    }),
    orderId: z.string().nullable().openapi({ description: 'Null for the position.' }),
    detail: z.string(),
    isBreak: z.boolean().openapi({ description: 'Whether two comparisons have seen the same.' }),
    firstSeenAt: z.iso.datetime().openapi({ description: 'Since when it is the same.' }),
    lastSeenAt: z.iso.datetime(),
    comparedAt: z.iso.datetime().nullable().openapi({ description: 'When its market was last compared.' }),
    failingSince: z.iso.datetime().nullable().openapi({ description: 'Since when the market could not be compared.' }),
  })
  .openapi('OperatorBrokerDifference');

/** `<symbol> <kind> <order id>` of the last difference of the page before. */
const CURSOR = /^(\S{1,100}) (position|open_here|open_there) (.{0,300})$/;

/** GET /v1/operator/broker-differences: how brokers' positions and open orders differ from ours (docs/design/broker.md#reconciliation). */
export function listBrokerDifferencesRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/broker-differences',
      tags: ['operator'],
      summary: 'How positions and open orders at brokers differ from ours, as they were last compared',
      request: {
        query: z.object({
          symbol: z.string().min(1).max(SYMBOL_LENGTH_MAX).optional(),
          limit: limitQuery,
          cursor: z.string().regex(CURSOR, CURSOR_WORDS).optional(),
        }),
      },
      responses: { 200: envelopeOf('The differences by market.', z.array(DifferenceView)) },
    }),
    async (c) => {
      const { symbol = null, limit, cursor } = c.req.valid('query');
      const query = { market: symbol, after: placeOf(cursor), limit: rowsToRead(limit) };
      const found = await listBrokerDifferences(database(c.env.DB), query);
      const page = pageOf(c, found, limit, ({ market, kind, orderId }) => `${market} ${kind} ${orderId}`);
      const views = page.map(({ market, orderId, firstSeenAt, lastSeenAt, comparedAt, failingSince, ...told }) => ({
        symbol: market,
        ...told,
        orderId: orderId === '' ? null : orderId,
        isBreak: lastSeenAt > firstSeenAt,
        firstSeenAt: isoTime(firstSeenAt),
        lastSeenAt: isoTime(lastSeenAt),
        comparedAt: isoTimeOrNull(comparedAt),
        failingSince: isoTimeOrNull(failingSince),
      }));
      return c.json(enveloped(views), 200);
    },
  );
}

function placeOf(cursor: string | undefined): DifferencePlace | null {
  const [, market, kind, orderId] = CURSOR.exec(cursor ?? '') ?? [];
  if (market === undefined || orderId === undefined) return null;
  return { market, kind: kind as DifferencePlace['kind'], orderId };
}
