import { createRoute, z } from '@hono/zod-openapi';
import { askLedger } from '../../../application/ledger/ask-ledger.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { VENUE_READ } from './operator-route.ts';

const StateHashView = z.object({ journaledRows: z.int(), stateHash: z.string() }).openapi('OperatorLedgerStateHash');

const WALK_WAIT_MS = 60_000;

/** GET /v1/operator/ledger/state-hash, which walks everything that the ledger holds. */
export function getLedgerStateHashRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/ledger/state-hash',
      tags: ['operator'],
      summary: 'Hash of the state of the ledger',
      description:
        'Walks everything that the ledger holds while nothing else runs: to compare two states, not to be polled.',
      responses: { 200: envelopeOf('The hash, and the journal row after which it was that.', StateHashView) },
    }),
    async (c) => {
      const answer = await askLedger(c.env, (ledger) => ledger.stateHash(), WALK_WAIT_MS);
      if (answer === null) return failure(c, apiError('SERVICE_UNAVAILABLE', 'the ledger does not answer'));
      const { journaled, stateHash } = answer;
      return c.json(enveloped({ journaledRows: journaled, stateHash }), 200);
    },
  );
}
