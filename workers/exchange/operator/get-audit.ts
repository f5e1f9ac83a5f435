import { createRoute, z } from '@hono/zod-openapi';
import { runAudit } from '../../../data/audit/run-audit.ts';
import { database } from '../../../data/database.ts';
import { listMarkets } from '../../../data/markets.ts';
import { failure } from '../../middleware/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { orderBookOf } from '../../order-entry/order-book-of.ts';
import { enveloped, OPERATOR_READ, venueOnly } from './operator-route.ts';

const AuditView = z
  .object({
    holds: z.boolean(),
    unsettledBooks: z
      .array(z.string())
      .openapi({ description: 'Books that did not settle in time; the checks hold regardless.' }),
    checks: z.array(
      z.object({
        invariant: z.enum(['L1', 'L2', 'L3', 'L4', 'lots']),
        claim: z.string(),
        holds: z.boolean(),
        examined: z.int(),
        violation: z.string().nullable(),
      }),
    ),
  })
  .openapi('OperatorAudit');

/** GET /v1/operator/audit: L1–L4 and the lots over the whole ledger, once every book has settled. */
export function registerGetAudit(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/audit',
      tags: ['operator'],
      summary: 'Check the ledger',
      responses: enveloped('Every check with its first violation.', AuditView),
    }),
    async (c) => {
      const refusal = venueOnly(c);
      if (refusal !== null) return failure(c, refusal);
      const db = database(c.env.DB);
      const symbols = (await listMarkets(db)).map(({ symbol }) => symbol);
      const settled = await Promise.allSettled(symbols.map((symbol) => orderBookOf(c.env, symbol).settled()));
      const unsettledBooks = symbols.filter((_, index) => {
        const answer = settled[index];
        return answer?.status !== 'fulfilled' || !answer.value;
      });
      const checks = await runAudit(db);
      const holds = checks.every((check) => check.holds);
      return c.json({ data: { holds, unsettledBooks, checks }, message: 'ok' as const }, 200);
    },
  );
}
