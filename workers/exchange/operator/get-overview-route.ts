import { createRoute } from '@hono/zod-openapi';
import { readOverview } from '../../../application/operator/overview/read-overview.ts';
import { whoActs } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { VENUE_READ } from './operator-route.ts';
import { OverviewView, overviewView } from './overview-schema.ts';

/** GET /v1/operator/overview: what runs and what does not, in one answer, which may be polled. */
export function getOverviewRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/overview',
      tags: ['operator'],
      summary: 'What of the venue runs and what does not: markets, books, ledger, queues, jobs, bridge, blocks',
      description: 'A part that cannot be read is null and named in `unanswered`; the others are answered.',
      responses: { 200: envelopeOf('All as it is now.', OverviewView) },
    }),
    async (c) => {
      const now = Date.now();
      return c.json(enveloped(overviewView(await readOverview(c.env, now, whoActs(c)), now)), 200);
    },
  );
}
