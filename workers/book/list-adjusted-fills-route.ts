import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { database } from '../../data/database.ts';
import { listAdjustedFills } from '../../data/orders/account-fills.ts';
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

/** GET /v1/fills/adjusted: fills that were taken back or corrected, in the sequence in which that was done. */
export function listAdjustedFillsRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/fills/adjusted',
      summary: 'Fills of the account that were taken back or corrected',
      description: '`cursor` is the last `adjustment_sequence` that the caller has; later adjustments follow.',
      request: {
        query: z.object({
          symbol: z.string().optional(),
          limit: wholeNumberOr(LIMIT_MAX, 1, LIMIT_MAX),
          cursor: wholeNumberOr(0, 0),
        }),
      },
      responses: {
        200: {
          description: 'The earliest adjustment first; the next page is in the Link header.',
          content: { 'application/json': { schema: Fills } },
        },
      },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const { symbol, limit, cursor } = c.req.valid('query');
      const unknown =
        symbol === undefined ? null : await ownSymbolError({ env: c.env, principal: principalOf(c) }, symbol);
      if (unknown !== null) return failure(c, unknown);
      if (!(await settleBeforeRead(c.env, account.value))) return failure(c, notCurrent());
      const terms = { account: account.value, book: symbol ?? null, after: cursor, limit };
      const fills = await listAdjustedFills(database(c.env.DB), terms);
      const places = new Set(fills.map(({ adjustment }) => adjustment.sequence));
      const last = fills.at(-1);
      if (last !== undefined && places.size === limit) linkNextPage(c, last.adjustment.sequence);
      return c.json({ fills: fills.map(fillOf) }, 200);
    },
  );
}
