import { createRoute } from '@hono/zod-openapi';
import { rebuildReadModel } from '../../../application/ledger/rebuild-read-model.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { RebuildView, rebuildView } from './ledger-schema.ts';
import { OPERATOR_WRITE, ReasonBody } from './operator-route.ts';

/** POST /v1/operator/ledger/rebuild-read-model: D1 is written again from the journal, in the background. */
export function rebuildReadModelRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/ledger/rebuild-read-model',
      tags: ['operator'],
      summary: 'Write the read model again from the journal',
      description:
        'Proves that every row of the journal is there, then empties what D1 shows of the ledger and has it written again, step by step. `GET /v1/operator/ledger` shows how far it is. From emptying to the end reads of accounts answer 503 and no new order is admitted; what is open can be cancelled.',
      request: { body: { required: true, content: { 'application/json': { schema: ReasonBody } } } },
      responses: {
        200: envelopeOf('The rebuild that has begun, or that this Idempotency-Key began before.', RebuildView),
      },
    }),
    async (c) => {
      const { reason } = c.req.valid('json');
      const outcome = await rebuildReadModel(c.env, { action: actionOf(c), reason, now: Date.now() });
      switch (outcome.type) {
        case 'begun':
          return c.json(enveloped(rebuildView(outcome.rebuild)), 200);
        case 'under_way':
          return failure(
            c,
            apiError('CONFLICT', 'another rebuild is under way', { rebuild: rebuildView(outcome.rebuild) }),
          );
        case 'shared':
          return failure(c, apiError('CONFLICT', `D1 has rows of ${outcome.shard}, too: nothing was done`));
        case 'unreachable': {
          const message = 'no answer; repeat with the same Idempotency-Key to learn the outcome';
          return failure(c, apiError('SERVICE_UNAVAILABLE', message));
        }
      }
    },
  );
}
