import { createRoute, z } from '@hono/zod-openapi';
import { runWholeAudit } from '../../../application/audit/run-whole-audit.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { VENUE_READ } from './operator-route.ts';

const AuditView = z
  .object({
    holds: z.boolean(),
    unsettledBooks: z
      .array(z.string())
      .openapi({ description: 'Books that did not settle in time; the checks hold regardless.' }),
    checks: z.array(
      z.object({
        invariant: z.enum(['L1', 'L2', 'L3', 'L4', 'L5', 'lots', 'broker', 'unsettled', 'register', 'projection']),
        claim: z.string(),
        holds: z.boolean(),
        examined: z.int(),
        violation: z.string().nullable(),
      }),
    ),
  })
  .openapi('OperatorAudit');

/** GET /v1/operator/audit: L1–L5 and the lots, in the ledger, in D1 and between them, once every book has settled. */
export function getAuditRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/audit',
      tags: ['operator'],
      summary: 'Check the ledger',
      responses: { 200: envelopeOf('Every check with its first violation.', AuditView) },
    }),
    async (c) => {
      const { unsettledBooks, checks } = await runWholeAudit(c.env);
      const holds = checks.every((check) => check.holds);
      return c.json(enveloped({ holds, unsettledBooks: [...unsettledBooks], checks: [...checks] }), 200);
    },
  );
}
