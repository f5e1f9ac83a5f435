import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../data/database.ts';
import { listMarketFees } from '../../data/markets/market-fees.ts';
import { seesUnsolicited } from '../../domain/accreditation/sees-unsolicited.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { pageOf, rowsToRead } from '../responses/paging.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { jsonOf } from '../responses/wire.ts';
import { accountOf } from './account-of.ts';

const LIMIT_MAX = 1_000;

const AccountFees = z
  .object({
    fees: z.array(
      z.object({
        symbol: z.string(),
        maker_fee_bps: z.int().openapi({ description: 'Basis points of the amount traded, of an order that waited.' }),
        taker_fee_bps: z.int().openapi({ description: 'The same of an order that meets one that waits.' }),
        currency: z.string().openapi({ description: 'What the fee is charged in.', example: 'USD' }),
      }),
    ),
  })
  .openapi('AccountFees');

/** GET /v1/account/fees. */
export function listAccountFeesRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/account/fees',
      summary: 'What trades of the account cost, by pair',
      description:
        'A fee is charged up to the next unit of its currency, once over all fills of an order: many small fills cost no more than one large one.',
      request: {
        query: z.object({
          limit: wholeNumberOr(LIMIT_MAX, 1, LIMIT_MAX),
          cursor: z.string().max(200).default(''),
        }),
      },
      responses: { 200: jsonOf('By symbol; the next page is in the Link header.', AccountFees) },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const { limit, cursor } = c.req.valid('query');
      const found = await listMarketFees(database(c.env.DB), {
        after: cursor,
        limit: rowsToRead(limit),
        assetId: null,
        unsolicited: seesUnsolicited(principalOf(c).facts),
        pairsAlone: true,
      });
      const fees = pageOf(c, found, limit, ({ symbol }) => symbol).map((market) => ({
        symbol: market.symbol,
        maker_fee_bps: market.makerFeeBps,
        taker_fee_bps: market.takerFeeBps,
        currency: market.currency,
      }));
      return c.json({ fees }, 200);
    },
  );
}
