import { createRoute, z } from '@hono/zod-openapi';
import { readInterest } from '../../../application/listing/read-interest.ts';
import { INVESTOR_CLASSES, type InterestBook } from '../../../domain/listing/interest-book.ts';
import { plainNumber } from '../../../domain/money/plain-number.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { pageOf } from '../../responses/paging.ts';
import { CURSOR_WORDS } from '../../responses/time-cursor.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

const LEVELS_MAX = 1_000;

const InterestSum = z.object({
  indications: z.int(),
  investors: z.int(),
  shares: z.number(),
  payableShares: z.number().openapi({ description: 'Of those, what the investors may buy and could pay now.' }),
});

const Interest = InterestSum.extend({
  assetId: z.string(),
  byInvestorClass: z.array(InterestSum.extend({ investorClass: z.enum(INVESTOR_CLASSES) })),
  levels: z
    .array(InterestSum.extend({ limitPrice: z.number() }))
    .openapi({ description: 'What is wanted at each limit, the highest first; a page of it.' }),
}).openapi('OperatorInterest');

/** GET /v1/operator/assets/{id}/interest: what investors indicate, for the venue and the organization of the issuer's account. */
export function getInterestRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...OPERATOR_READ, errors: ['ASSET_NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/assets/{id}/interest',
      tags: ['operator'],
      summary: 'Indications of interest in an asset, without who they are of',
      request: {
        params: z.object({ id: z.string() }),
        query: z.object({
          limit: wholeNumberOr(LEVELS_MAX, 1, LEVELS_MAX),
          cursor: z
            .string()
            .regex(/^\d{1,16}(\.\d{1,8})?$/, CURSOR_WORDS)
            .transform(Number)
            .optional()
            .openapi({ type: 'number', description: 'Limit price of the last level of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('The interest.', Interest) },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const read = await readInterest(c.env, c.req.valid('param').id, readableOwner(c));
      if (!read.ok) return failure(c, read.error);
      const { interest, instrument } = read.value;
      const { asset, market } = instrument;
      const sum = ({ indications, investors, quantity, payable }: Omit<InterestBook, 'byClass' | 'levels'>) => ({
        indications,
        investors,
        shares: fromScaled(quantity, asset.scale),
        payableShares: fromScaled(payable, asset.scale),
      });
      const levels = interest.levels.map(({ price, ...of }) => ({
        limitPrice: fromScaled(price, market?.priceScale ?? 0),
        ...sum(of),
      }));
      const rest = levels.filter(({ limitPrice }) => cursor === undefined || limitPrice < cursor);
      const data = {
        assetId: asset.id,
        ...sum(interest),
        byInvestorClass: INVESTOR_CLASSES.map((investorClass) => ({
          investorClass,
          ...sum(interest.byClass[investorClass]),
        })),
        levels: [...pageOf(c, rest, limit, ({ limitPrice }) => plainNumber(limitPrice))],
      };
      return c.json(enveloped(data), 200);
    },
  );
}
