import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { readAccountProfile, readCash } from '../../data/accounts/portfolio.ts';
import { readUnsettledCash } from '../../data/accounts/unsettled.ts';
import { database } from '../../data/database.ts';
import { kycStatusAt } from '../../domain/accounts/kyc-status-at.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { orderFailure } from './order-failure.ts';

/** X-ACC-01 to X-ACC-04. */
const Account = z
  .object({
    userId: z.string(),
    email: z.string(),
    phone: z.string().openapi({ description: 'Empty for a machine client.' }),
    kycStatus: z.string().openapi({ example: 'completed' }),
    accreditationStatus: z.string().openapi({ example: 'completed' }),
    accreditationType: z.string().nullable().openapi({ example: '506c' }),
    cashBalance: z.number().openapi({
      description: 'US dollars, those held by open orders and those of sales that have not settled included.',
    }),
    unsettledCash: z
      .number()
      .openapi({ description: 'US dollars of sales that have not settled: they can be neither spent nor withdrawn.' }),
    buyingPower: z.number().openapi({ description: 'US dollars that have settled and that no open order holds.' }),
  })
  .openapi('Account');

/** GET /v1/account and its legacy path. */
export function getAccountRoute(exchange: Profile): void {
  for (const path of ['/v1/account', '/v1/core-account-info']) {
    registerRoute(
      exchange,
      { access: { credential: 'tenant' }, bucket: 'private' },
      createRoute({
        method: 'get',
        path,
        tags: ['account'],
        summary: 'Account of the caller',
        deprecated: path !== '/v1/account',
        responses: {
          200: {
            description: 'The account.',
            content: { 'application/json': { schema: z.object({ data: Account }) } },
          },
        },
      }),
      async (c) => {
        const { facts } = principalOf(c);
        if (facts === null) return orderFailure(c, { reason: 'no_account' });
        if (!(await settleBeforeRead(c.env, facts.accountId))) return failure(c, notCurrent());
        const db = database(c.env.DB);
        const [profile, cash, unsettled] = await Promise.all([
          readAccountProfile(db, facts.accountId),
          readCash(db, facts.accountId),
          readUnsettledCash(db, facts.accountId),
        ]);
        const data = {
          ...profile,
          kycStatus: kycStatusAt({ ...facts, ...profile }, Date.now()),
          cashBalance: fromScaled(cash.available + cash.held + unsettled, cash.scale),
          unsettledCash: fromScaled(unsettled, cash.scale),
          buyingPower: fromScaled(cash.available, cash.scale),
        };
        return c.json({ data }, 200);
      },
    );
  }
}
