import { createRoute, z } from '@hono/zod-openapi';
import { makeDeposit } from '../../../application/operator/make-deposit.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { LOTS_PER_DEPOSIT_MAX, LotRequest, statedLot } from './lot-schema.ts';
import { OPERATOR_WRITE_OF_OTHERS } from './operator-route.ts';
import { TransferView, transferFields, transferView } from './transfer-schema.ts';
import { weigh } from './weighty-call.ts';

const DepositRequest = z
  .strictObject({
    ...transferFields,
    cost: z.number().nonnegative().default(0).openapi({ description: 'US dollars paid, of an asset without lots.' }),
    lots: z.array(LotRequest).max(LOTS_PER_DEPOSIT_MAX).optional().openapi({
      description: 'Of an asset that tracks lots; they sum to the amount. One lot acquired now, when left out.',
    }),
  })
  .openapi('OperatorDepositRequest');

/** POST /v1/operator/deposits: money or assets enter an account. */
export function createDepositRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE_OF_OTHERS,
    createRoute({
      method: 'post',
      path: '/v1/operator/deposits',
      tags: ['operator'],
      summary: 'Deposit into an account',
      request: { body: { required: true, content: { 'application/json': { schema: DepositRequest } } } },
      responses: { 200: envelopeOf('The deposit, completed.', TransferView) },
    }),
    async (c) => {
      const { reference = null, reason, lots, ...order } = c.req.valid('json');
      const action = actionOf(c, reason);
      const waits = await weigh(c, c.req.valid('json'), action);
      if (waits !== null) return failure(c, waits);
      const stated = lots === undefined ? null : lots.map(statedLot);
      const made = await makeDeposit(c.env, { ...order, lots: stated, reference }, action);
      return made.ok ? c.json(enveloped(transferView(made.value)), 200) : failure(c, made.error);
    },
  );
}
