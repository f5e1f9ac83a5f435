import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { listBalancesOf } from '../../data/book-profile/balances.ts';
import { database } from '../../data/database.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { failure } from '../middleware/api-error.ts';
import { notCurrent } from '../middleware/not-current.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { accountOf } from './account-of.ts';

const Balances = z
  .object({
    balances: z.array(
      z.object({
        asset: z.string().openapi({ description: 'Symbol.', example: 'USD' }),
        free: z.number(),
        locked: z.number().openapi({ description: 'Held by open orders.' }),
      }),
    ),
  })
  .openapi('Balances');

/** GET /v1/account/balances. */
export function balancesRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/account/balances',
      summary: 'What the account owns',
      responses: { 200: { description: 'Balances by asset.', content: { 'application/json': { schema: Balances } } } },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      if (!(await settleBeforeRead(c.env, account.id))) return failure(c, notCurrent());
      const balances = await listBalancesOf(database(c.env.DB), account.id);
      return c.json(
        {
          balances: balances.map(({ symbol, scale, available, held }) => ({
            asset: symbol,
            free: fromScaled(available, scale),
            locked: fromScaled(held, scale),
          })),
        },
        200,
      );
    },
  );
}
