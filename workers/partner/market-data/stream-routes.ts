import { createRoute, z } from '@hono/zod-openapi';
import { openFeed, streamCallerOf } from '../../../application/market-data/open-feed.ts';
import { followedMarket } from '../../../application/partner/securities/followed-market.ts';
import { err, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { DEPTH_DEFAULT, DEPTH_MAX, type Topic, topicKey } from '../../../protocol/feeds/topic.ts';
import { type AppContext, partnerOf, principalOf } from '../../middleware/app-env.ts';
import { clientAddressOf } from '../../middleware/client-address.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { feedRefused } from '../../responses/feed-refused.ts';
import { wholeNumber, wholeNumberOr } from '../../responses/whole-number.ts';
import { PARTNER_READ } from '../partner-route.ts';
import { noSuchSecurity } from '../securities/security-schema.ts';

const tags = ['market data'];
const securityParam = z.object({ id: z.uuid() });
const streamOptions = { ...PARTNER_READ, errors: ['CONFLICT'] } as const;
const resumeFrom = wholeNumber(0).optional().openapi({
  description:
    'The last sequence that you have: what followed it comes first, or `reset` where that is no longer kept.',
});
const responses = { 101: { description: 'Switching protocols.' } };

/** GET /v1/ws/book/{id} (P-MKT-05). Messages: protocol/feeds/partner-message.ts. */
export function openBookStreamRoute(partner: Profile): void {
  registerRoute(
    partner,
    streamOptions,
    createRoute({
      method: 'get',
      path: '/v1/ws/book/{id}',
      tags,
      summary: 'The order book of a security over WebSocket',
      description:
        'A `book_snapshot`, then a `book_update` for each change, whose `prev_sequence` is the sequence of the message before; any other is a gap.',
      request: {
        params: securityParam,
        query: z.object({
          depth: wholeNumberOr(DEPTH_DEFAULT, 1, DEPTH_MAX),
          resume_from: resumeFrom,
        }),
      },
      responses,
    }),
    async (c) => {
      const { depth, resume_from = null } = c.req.valid('query');
      const topicOn = (symbol: string): Topic => ({ channel: 'orderbook', symbol, depth });
      const opened = await openStream(c, c.req.valid('param').id, topicOn, resume_from);
      return opened.ok ? opened.value : failure(c, opened.error);
    },
  );
}

/** GET /v1/ws/trades/{id} (P-MKT-06). Messages: protocol/feeds/partner-message.ts. */
export function openTradesStreamRoute(partner: Profile): void {
  registerRoute(
    partner,
    streamOptions,
    createRoute({
      method: 'get',
      path: '/v1/ws/trades/{id}',
      tags,
      summary: 'The trades of a security over WebSocket',
      description: 'A `trade` for each, whose sequence is gapless, as GET /v1/securities/{id}/trades has it.',
      request: { params: securityParam, query: z.object({ resume_from: resumeFrom }) },
      responses,
    }),
    async (c) => {
      const { resume_from = null } = c.req.valid('query');
      const topicOn = (symbol: string): Topic => ({ channel: 'trades', symbol });
      const opened = await openStream(c, c.req.valid('param').id, topicOn, resume_from);
      return opened.ok ? opened.value : failure(c, opened.error);
    },
  );
}

async function openStream(
  c: AppContext,
  securityId: string,
  topicOn: (symbol: string) => Topic,
  resume_from: number | null,
): Promise<Result<Response, ApiError>> {
  const { organization, role } = partnerOf(c);
  const followed = await followedMarket(c.env, { organization, role }, securityId);
  if (followed === null) return err(noSuchSecurity());
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket')
    return err(apiError('VALIDATION_ERROR', 'connect by WebSocket'));
  if (followed.instrument === null)
    return err(apiError('CONFLICT', 'the security is not listed', { reason: 'not_listed' }));
  const { symbol } = followed.instrument.market;
  const caller = streamCallerOf(
    { principal: principalOf(c), accessToken: c.get('accessToken') ?? null, clientAddress: clientAddressOf(c) },
    { organization, securityId, topic: topicKey(topicOn(symbol)), resumeFrom: resume_from },
  );
  const opened = await openFeed(c.env, caller, symbol);
  return opened.ok ? opened : err(feedRefused(opened.error));
}
