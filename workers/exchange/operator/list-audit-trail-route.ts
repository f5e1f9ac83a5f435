import { createRoute, z } from '@hono/zod-openapi';
import { peopleBehind } from '../../../application/identity/clients/people-behind.ts';
import { listAuditTrail } from '../../../data/audit/trail/audit-trail.ts';
import { database } from '../../../data/database.ts';
import { whoActs } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

const NAMED_LENGTH_MAX = 200;

const AuditedActionView = z
  .object({
    id: z.string(),
    type: z.string().openapi({ example: 'operator.deposit' }),
    subject: z.string().nullable().openapi({
      description:
        'What was acted upon: an id, a market symbol, or `venue`. Null in a family relation of another organization’s account.',
    }),
    actor: z.string().openapi({ description: 'User id of the operator.' }),
    credential: z.string().nullable().openapi({
      description:
        'What the operator came by: `client:<client_id>` or `key:<key id>`. Null for what follows by itself.',
      example: 'client:lakeside-app',
    }),
    requestId: z.string(),
    details: z.record(z.string(), z.unknown()),
    before: z.unknown(),
    after: z.unknown(),
    timestamp: z.iso.datetime(),
  })
  .openapi('OperatorAuditedAction');

/** GET /v1/operator/audit-trail: who did what to the organization; an operator of the venue reads every action. */
export function listAuditTrailRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/audit-trail',
      tags: ['operator'],
      summary: 'Administrative actions, newest first',
      description:
        'The trail is append-only. What was done with a case of market surveillance is not shown to whom the case is about, nor what was found of an identity to its person. Amounts within `details`, `before` and `after` are scaled integers.',
      request: {
        query: z.object({
          subject: z.string().optional(),
          actor: z.string().max(NAMED_LENGTH_MAX).optional().openapi({ description: 'User id of whoever acted.' }),
          type: z.string().max(NAMED_LENGTH_MAX).optional().openapi({ example: 'operator.deposit' }),
          limit: limitQuery,
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: envelopeOf('The actions.', z.array(AuditedActionView)) },
    }),
    async (c) => {
      const { subject, actor, type, limit, cursor } = c.req.valid('query');
      const db = database(c.env.DB);
      const found = await listAuditTrail(db, {
        owner: readableOwner(c),
        subject: subject ?? null,
        actor: actor ?? null,
        type: type ?? null,
        viewers: [...(await peopleBehind(db, whoActs(c)))],
        before: cursor ?? null,
        limit: rowsToRead(limit),
      });
      const data = pageOf(c, found, limit, ({ id }) => id).map(({ createdAt, ...action }) => ({
        ...action,
        timestamp: new Date(createdAt).toISOString(),
      }));
      return c.json(enveloped(data), 200);
    },
  );
}
