import { createRoute, z } from '@hono/zod-openapi';
import { makeWithdrawal } from '../../../application/operator/make-withdrawal.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE_OF_OTHERS } from './operator-route.ts';
import { TransferView, transferFields, transferView } from './transfer-schema.ts';
import { weigh } from './weighty-call.ts';

const WithdrawalRequest = z.strictObject(transferFields).openapi('OperatorWithdrawalRequest');

/** POST /v1/operator/withdrawals: what is available leaves an account; what open orders hold stays. */
export function createWithdrawalRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE_OF_OTHERS,
    createRoute({
      method: 'post',
      path: '/v1/operator/withdrawals',
      tags: ['operator'],
      summary: 'Withdraw from an account',
      request: { body: { required: true, content: { 'application/json': { schema: WithdrawalRequest } } } },
      responses: { 200: envelopeOf('The withdrawal, completed.', TransferView) },
    }),
    async (c) => {
      const { reference = null, reason, ...order } = c.req.valid('json');
      const action = actionOf(c, reason);
      const waits = await weigh(c, c.req.valid('json'), action);
      if (waits !== null) return failure(c, waits);
      const made = await makeWithdrawal(c.env, { ...order, reference }, action);
      return made.ok ? c.json(enveloped(transferView(made.value)), 200) : failure(c, made.error);
    },
  );
}
