import { createRoute, z } from '@hono/zod-openapi';
import { askLedger } from '../../../application/ledger/ask-ledger.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { LedgerStatusView, ledgerStatusView } from './ledger-schema.ts';
import { enveloped, OPERATOR_READ, venueOnly } from './operator-route.ts';

const StateHashView = z.object({ journaledRows: z.int(), stateHash: z.string() }).openapi('OperatorLedgerStateHash');

const WALK_WAIT_MS = 60_000;

/** GET /v1/operator/ledger, which may be polled, and /v1/operator/ledger/state-hash, which walks everything that the ledger holds. */
export function getLedgerRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/ledger',
      tags: ['operator'],
      summary: 'The ledger: halt with its reason, lag of D1, unsealed rows, fill of each bound, rebuild',
      responses: enveloped('The ledger as it is now.', LedgerStatusView),
    }),
    async (c) => {
      const refusal = venueOnly(c);
      if (refusal !== null) return failure(c, refusal);
      const status = await askLedger(c.env, (ledger) => ledger.status());
      return status === null
        ? failure(c, apiError('SERVICE_UNAVAILABLE', 'the ledger does not answer'))
        : c.json({ data: ledgerStatusView(status, Date.now()), message: 'ok' as const }, 200);
    },
  );
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/ledger/state-hash',
      tags: ['operator'],
      summary: 'Hash of the state of the ledger',
      description:
        'Walks everything that the ledger holds while nothing else runs: to compare two states, not to be polled.',
      responses: enveloped('The hash, and the journal row after which it was that.', StateHashView),
    }),
    async (c) => {
      const refusal = venueOnly(c);
      if (refusal !== null) return failure(c, refusal);
      const answer = await askLedger(c.env, (ledger) => ledger.stateHash(), WALK_WAIT_MS);
      if (answer === null) return failure(c, apiError('SERVICE_UNAVAILABLE', 'the ledger does not answer'));
      const { journaled, stateHash } = answer;
      return c.json({ data: { journaledRows: journaled, stateHash }, message: 'ok' as const }, 200);
    },
  );
}
