import { createRoute, z } from '@hono/zod-openapi';
import { listSettledBalances } from '../../application/ledger/balances.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { accountOf } from './account-of.ts';
import { assetNamesOf } from './asset-names-of.ts';

const Balances = z
  .object({
    balances: z.array(
      z.object({
        asset: z.string().openapi({ description: 'Symbol.', example: 'USD' }),
        free: z.number(),
        locked: z.number().openapi({ description: 'Held by open orders.' }),
        unsettled: z.number().optional().openapi({
          description: 'Proceeds of sales that have not settled, in neither of the two; left out where there are none.',
        }),
      }),
    ),
  })
  .openapi('Balances');

/** GET /v1/account/balances. */
export function listBalancesRoute(profile: Profile): void {
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
      const owned =
        (await listSettledBalances(c.env, account.value))?.filter(({ asset }) => !isAllowance(asset)) ?? null;
      if (owned === null) return failure(c, notCurrent());
      const names = await assetNamesOf(
        c.env,
        owned.map(({ asset }) => asset),
      );
      const balances = owned.flatMap(({ asset, available, held, unsettled }) => {
        const name = names.get(asset);
        if (name === undefined || name.category === 'allowance') return [];
        const amountOf = (scaled: number): number => fromScaled(scaled, name.scale);
        const waiting = unsettled === undefined ? {} : { unsettled: amountOf(unsettled) };
        return [{ asset: name.symbol, free: amountOf(available), locked: amountOf(held), ...waiting }];
      });
      return c.json({ balances: balances.sort((one, other) => (one.asset < other.asset ? -1 : 1)) }, 200);
    },
  );
}

/** Allowances and position limits are balances, too, but nobody's property; the ledger opens them under names of their own. */
function isAllowance(asset: string): boolean {
  return asset.startsWith('allowance:');
}
