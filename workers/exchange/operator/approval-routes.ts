import { createRoute, z } from '@hono/zod-openapi';
import { decideOnCall } from '../../../application/operator/approvals/second-operator.ts';
import { database } from '../../../data/database.ts';
import { type ApprovalRow, findApproval, listApprovals, setTwoOperators } from '../../../data/identity/approvals.ts';
import { APPROVAL_STATES } from '../../../domain/identity/approval.ts';
import { VENUE_OWNER } from '../../../domain/identity/venue.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type AppContext, principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, Reason, ReasonBody, VENUE_READ } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const CURSOR_LENGTH_MAX = 100;

const ApprovalView = z
  .object({
    id: z.string(),
    call: z.string().openapi({ example: 'POST /exchange/v1/operator/deposits' }),
    body: z.unknown().openapi({ description: 'What was asked for, as it will be made.' }),
    askedBy: z.string().openapi({ description: 'User id of the operator.' }),
    askedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    state: z.enum(APPROVAL_STATES),
    decidedBy: z.string().nullable(),
    decidedAt: z.iso.datetime().nullable(),
    usedBy: z.string().nullable().openapi({ description: 'Id of the action that it was used for.' }),
    own: z.boolean().openapi({
      description: 'Whether whoever reads this may have asked for it: they do not decide on it.',
    }),
  })
  .openapi('OperatorApproval');

/** GET /v1/operator/approvals, …/{id}: calls that wait for a second operator, or have been decided on within a day. */
export function readApprovalRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/approvals',
      tags: ['operator'],
      summary: 'Calls that wait for a second operator, newest first',
      request: {
        query: z.object({
          state: z.enum(APPROVAL_STATES).optional(),
          limit: limitQuery,
          cursor: z.string().max(CURSOR_LENGTH_MAX).optional(),
        }),
      },
      responses: { 200: envelopeOf('The calls.', z.array(ApprovalView)) },
    }),
    async (c) => {
      const { state = null, limit, cursor } = c.req.valid('query');
      const page = { now: Date.now(), state, before: cursor ?? null, limit: rowsToRead(limit) };
      const found = await listApprovals(database(c.env.DB), page);
      const shown = pageOf(c, found, limit, ({ id }) => id).map((row) => approvalView(c, row));
      return c.json(enveloped(shown), 200);
    },
  );
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/approvals/{id}',
      tags: ['operator'],
      summary: 'A call that waits for a second operator, or was decided on',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('The call.', ApprovalView) },
    }),
    async (c) => {
      const found = await findApproval(database(c.env.DB), c.req.valid('param').id);
      if (found === null) return failure(c, apiError('NOT_FOUND', 'no such call waits'));
      return c.json(enveloped(approvalView(c, found)), 200);
    },
  );
}

/** POST /v1/operator/approvals/{id}/approve and /reject, by another person than whoever asked. */
export function decideApprovalRoutes(exchange: Profile): void {
  for (const [verb, state] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    registerRoute(
      exchange,
      // What waits may name people.
      { ...OPERATOR_WRITE, idempotent: 'unstored', errors: [...OPERATOR_WRITE.errors, 'SERVICE_UNAVAILABLE'] },
      createRoute({
        method: 'post',
        path: `/v1/operator/approvals/{id}/${verb}`,
        tags: ['operator'],
        summary: verb === 'approve' ? 'Approve a call of another operator' : 'Reject a call of another operator',
        description:
          'Whoever asked makes an approved call again, with the header `X-Operator-Approval`, within a day of asking. Until then an approved call may still be rejected.',
        request: {
          params: z.object({ id: z.string() }),
          body: { required: true, content: { 'application/json': { schema: ReasonBody } } },
        },
        responses: { 200: envelopeOf('The call after the decision.', ApprovalView) },
      }),
      async (c) => {
        const byMachine = principalOf(c).kind !== 'user';
        const decision = { id: c.req.valid('param').id, state, byMachine, ...c.req.valid('json') };
        const decided = await decideOnCall(c.env, decision, actionOf(c));
        return decided.ok ? c.json(enveloped(approvalView(c, decided.value)), 200) : failure(c, decided.error);
      },
    );
  }
}

const TwoOperators = z.strictObject({ required: z.boolean(), reason: Reason }).openapi('OperatorTwoOperators');
const TwoOperatorsView = z.object({ required: z.boolean() }).openapi('OperatorTwoOperatorsSet');

/** PUT /v1/operator/approvals: whether the venue asks for a second operator. To end that takes one. */
export function setTwoOperatorsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'put',
      path: '/v1/operator/approvals',
      tags: ['operator'],
      summary: 'Ask a second operator for what moves money or gives rights, or not any more',
      description: 'Where the deployment asks for one (`OPERATOR_APPROVALS`), this ends nothing.',
      request: { body: { required: true, content: { 'application/json': { schema: TwoOperators } } } },
      responses: { 200: envelopeOf('What is set.', TwoOperatorsView) },
    }),
    async (c) => {
      const { required, reason } = c.req.valid('json');
      const action = actionOf(c);
      const waits = required ? null : await weigh(c, { required, reason }, action);
      if (waits !== null) return failure(c, waits);
      const change = { organization: VENUE_OWNER, required, reason, now: Date.now() };
      await setTwoOperators(database(c.env.DB), change, action);
      return c.json(enveloped({ required }), 200);
    },
  );
}

function approvalView(c: AppContext, row: ApprovalRow): z.infer<typeof ApprovalView> {
  const { id, call, body, askedBy, people, askedAt, expiresAt, state, decidedBy, decidedAt, usedBy } = row;
  return {
    id,
    call,
    body: JSON.parse(body),
    askedBy,
    askedAt: new Date(askedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    state,
    decidedBy,
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
    usedBy,
    own: people.includes(principalOf(c).userId),
  };
}
