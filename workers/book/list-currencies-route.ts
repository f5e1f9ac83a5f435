import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../data/database.ts';
import { listTradedAssets } from '../../data/markets/traded-assets.ts';
import { seesUnsolicited } from '../../domain/accreditation/sees-unsolicited.ts';
import { ASSET_CATEGORIES } from '../../domain/assets/asset.ts';
import { optionalPrincipalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { pageOf, rowsToRead } from '../responses/paging.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { jsonOf } from '../responses/wire.ts';

const LIMIT_MAX = 1_000;
const KEPT_SECONDS = 60;

const Currencies = z
  .object({
    currencies: z.array(
      z.object({
        asset: z.string().openapi({ description: 'Symbol, as balances and markets have it.', example: 'USD' }),
        name: z.string(),
        type: z.enum(ASSET_CATEGORIES),
        decimals: z.int().openapi({ description: 'Its smallest amount is one of the last of them.' }),
      }),
    ),
  })
  .openapi('Currencies');

/** GET /v1/currencies. */
export function listCurrenciesRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public', edge: { seconds: KEPT_SECONDS } },
    createRoute({
      method: 'get',
      path: '/v1/currencies',
      summary: 'Assets that pairs trade, and those that they are paid in',
      request: {
        query: z.object({
          limit: wholeNumberOr(LIMIT_MAX, 1, LIMIT_MAX),
          cursor: z.string().max(200).default(''),
        }),
      },
      responses: { 200: jsonOf('By symbol; the next page is in the Link header.', Currencies) },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const found = await listTradedAssets(database(c.env.DB), {
        after: cursor,
        limit: rowsToRead(limit),
        unsolicited: seesUnsolicited(optionalPrincipalOf(c)?.facts ?? null),
      });
      const currencies = pageOf(c, found, limit, ({ symbol }) => symbol).map(({ symbol, name, category, scale }) => ({
        asset: symbol,
        name,
        type: category,
        decimals: scale,
      }));
      return c.json({ currencies }, 200);
    },
  );
}
