import { createRoute, z } from '@hono/zod-openapi';
import { projected } from '../../../application/ledger/projected.ts';
import { settleTrades } from '../../../application/operator/settle-trades.ts';
import { type DueRow, listDue } from '../../../data/accounts/unsettled.ts';
import { database } from '../../../data/database.ts';
import { dateText } from '../../../domain/calendar/date-text.ts';
import { UNSETTLED_KINDS } from '../../../domain/ledger/unsettled.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { notCurrent } from '../../responses/not-current.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, VENUE_READ } from './operator-route.ts';

/** Days, assets and kinds in one answer: the earliest. */
const DUE_ROWS_MAX = 1_000;

const DueView = z
  .object({
    settlementDate: z.iso.date(),
    assetId: z.string(),
    symbol: z.string(),
    kind: z.enum(UNSETTLED_KINDS).openapi({ description: 'Cash of sales, or shares of purchases.' }),
    accounts: z.int(),
    amount: z.number(),
  })
  .openapi('OperatorSettlement');

const SettleBody = z
  .strictObject({
    through: z.iso.date().openapi({
      description:
        'What is due on this day or before settles. A day that has not come in New York is refused, but in a local system.',
    }),
  })
  .openapi('OperatorSettlementRequest');

const SettledView = z
  .object({
    through: z.iso.date(),
    settled: z.int().openapi({ description: 'Sums that have settled, one by account, asset, kind and day.' }),
  })
  .openapi('OperatorSettled');

/** GET and POST /v1/operator/settlements: what waits to settle, and the settlement job at once. */
export function settlementRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/settlements',
      tags: ['operator'],
      summary: 'What waits to settle, the earliest day first',
      responses: { 200: envelopeOf('Sums of all accounts, by day, asset and kind.', z.array(DueView)) },
    }),
    async (c) => {
      if (!(await projected(c.env))) return failure(c, notCurrent());
      return c.json(enveloped((await listDue(database(c.env.DB), DUE_ROWS_MAX)).map(dueView)), 200);
    },
  );

  registerRoute(
    exchange,
    { ...OPERATOR_WRITE, errors: [...OPERATOR_WRITE.errors, 'FORBIDDEN'] },
    createRoute({
      method: 'post',
      path: '/v1/operator/settlements',
      tags: ['operator'],
      summary: 'Settle what is due',
      description: 'The settlement job does the same every five minutes, by the date in New York.',
      request: { body: { required: true, content: { 'application/json': { schema: SettleBody } } } },
      responses: { 200: envelopeOf('What has settled.', SettledView) },
    }),
    async (c) => {
      const { through } = c.req.valid('json');
      const settled = await settleTrades(c.env, Date.parse(through), actionOf(c));
      return settled.ok ? c.json(enveloped({ through, settled: settled.value }), 200) : failure(c, settled.error);
    },
  );
}

function dueView({ settlesOn, scale, amount, ...row }: DueRow): z.infer<typeof DueView> {
  return { settlementDate: dateText(settlesOn), ...row, amount: fromScaled(amount, scale) };
}
