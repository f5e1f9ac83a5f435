import { createRoute, z } from '@hono/zod-openapi';
import { decideTransfer } from '../../../application/accounts/transfer-requests.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { TransferRequestView, transferRequestView } from '../transfer-request-schema.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE_OF_OTHERS, Reason } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const Decision = z
  .strictObject({
    reason: Reason,
    cost: z.number().nonnegative().default(0).openapi({
      description: 'US dollars paid for what an executed deposit brings, where that is no money.',
    }),
  })
  .openapi('OperatorTransferDecision');

const SUMMARY = {
  approve: 'Approve a request; its user cannot take it back any more',
  reject: 'Reject a request, approved or not; what it held is available again',
  execute: 'Execute an approved request, once',
} as const;

/** POST /v1/operator/transfer-requests/{id}/approve, /reject and /execute. */
export function decideTransferRequestRoute(exchange: Profile): void {
  for (const decision of ['approve', 'reject', 'execute'] as const) {
    registerRoute(
      exchange,
      OPERATOR_WRITE_OF_OTHERS,
      createRoute({
        method: 'post',
        path: `/v1/operator/transfer-requests/{id}/${decision}`,
        tags: ['operator'],
        summary: SUMMARY[decision],
        request: {
          params: z.object({ id: z.string() }),
          body: { required: true, content: { 'application/json': { schema: Decision } } },
        },
        responses: { 200: envelopeOf('The request after the decision.', TransferRequestView) },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const action = actionOf(c);
        const waits = decision === 'execute' ? await weigh(c, c.req.valid('json'), action) : null;
        if (waits !== null) return failure(c, waits);
        const decided = await decideTransfer(c.env, { id, decision, ...c.req.valid('json') }, action);
        return decided.ok ? c.json(enveloped(transferRequestView(decided.value)), 200) : failure(c, decided.error);
      },
    );
  }
}
