import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { database } from '../../data/database.ts';
import { listOwnFills } from '../../data/orders/account-fills.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { linkNextPage } from '../responses/link-next-page.ts';
import { notCurrent } from '../responses/not-current.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { accountOf } from './account-of.ts';
import { Fills, fillOf } from './fill.ts';
import { ownSymbolError } from './own-symbol-error.ts';

const LIMIT_MAX = 1_000;

/** GET /v1/fills: what a client reads to learn what it missed on the `orders` channel. */
export function listFillsRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/fills',
      summary: 'Fills of the account',
      description:
        '`cursor` is the last trade that the caller has; fills of later ones follow, or of earlier ones with `order=newest_first`.',
      request: {
        query: z.object({
          symbol: z.string().optional(),
          order_id: z.uuid().optional().openapi({ description: 'Fills of this order alone.' }),
          order: z.enum(['oldest_first', 'newest_first']).default('oldest_first'),
          limit: wholeNumberOr(LIMIT_MAX, 1, LIMIT_MAX),
          cursor: z.uuid().optional(),
        }),
      },
      responses: {
        200: {
          description: 'As `order` says; the next page is in the Link header.',
          content: { 'application/json': { schema: Fills } },
        },
      },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const { symbol, order_id: ofOrder, order, limit, cursor } = c.req.valid('query');
      const unknown =
        symbol === undefined ? null : await ownSymbolError({ env: c.env, principal: principalOf(c) }, symbol);
      if (unknown !== null) return failure(c, unknown);
      if (!(await settleBeforeRead(c.env, account.value))) return failure(c, notCurrent());
      const terms = {
        account: account.value,
        book: symbol ?? null,
        order: ofOrder ?? null,
        after: cursor ?? null,
        isNewestFirst: order === 'newest_first',
        limit,
      };
      const fills = await listOwnFills(database(c.env.DB), terms);
      const last = fills.at(-1);
      if (last !== undefined && new Set(fills.map(({ tradeId }) => tradeId)).size === limit) {
        linkNextPage(c, last.tradeId);
      }
      return c.json({ fills: fills.map(fillOf) }, 200);
    },
  );
}
