import { createRoute } from '@hono/zod-openapi';
import { askLedger } from '../../../application/ledger/ask-ledger.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { LedgerStatusView, ledgerStatusView } from './ledger-schema.ts';
import { VENUE_READ } from './operator-route.ts';

/** GET /v1/operator/ledger, which may be polled. */
export function getLedgerRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/ledger',
      tags: ['operator'],
      summary: 'The ledger: halt with its reason, lag of D1, unsealed rows, fill of each bound, rebuild',
      responses: { 200: envelopeOf('The ledger as it is now.', LedgerStatusView) },
    }),
    async (c) => {
      const status = await askLedger(c.env, (ledger) => ledger.status());
      return status === null
        ? failure(c, apiError('SERVICE_UNAVAILABLE', 'the ledger does not answer'))
        : c.json(enveloped(ledgerStatusView(status, Date.now())), 200);
    },
  );
}
