import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { DAYS_MAX, readValueByDay, type ValueHistory } from '../../application/portfolio/read-value-by-day.ts';
import { dateText } from '../../domain/calendar/date-text.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { DayValue } from '../../domain/portfolio/value-by-day.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { orderFailure } from './order-failure.ts';
import { tooManyMovements } from './statement-routes.ts';

const DAYS_DEFAULT = 91;

const Day = z
  .object({
    date: z.iso.date(),
    isOver: z.boolean().openapi({ description: 'False for today, which shows what is known now.' }),
    value: z
      .number()
      .openapi({ description: 'US dollars at the end of the day, UTC: cash, and what was held at its close.' }),
    cash: z.number().openapi({ description: 'Of that, US dollars; those that had not settled included.' }),
    netDeposits: z
      .number()
      .openapi({ description: 'What came in on the day less what left, at the prices of its end.' }),
    realizedPnl: z
      .number()
      .openapi({ description: 'What sales for US dollars of the day have realised, as they stand.' }),
    profit: z
      .number()
      .openapi({ description: 'Since the day before: the change of value less netDeposits; 0 on the first day.' }),
    isPartial: z
      .boolean()
      .openapi({ description: 'Sales whose cost nobody knows, or in another currency, are left out of realizedPnl.' }),
    withoutClose: z.array(z.string()).openapi({
      description:
        'Symbols of which no close is known up to the day: they count at the price that the venue has stated, or at nothing.',
    }),
  })
  .openapi('PortfolioDay');

/** GET /v1/portfolio/history: what the account was worth, day by day. */
export function portfolioHistoryRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/portfolio/history',
      tags: ['account'],
      summary: 'What the caller’s account was worth at the end of each day',
      description:
        'Derived from the ledger and the closes of each day at each reading; nothing is estimated between them.',
      request: {
        query: z.object({
          days: wholeNumberOr(DAYS_DEFAULT, 1, DAYS_MAX).openapi({
            description: 'Up to today, which is the last one.',
          }),
        }),
      },
      responses: {
        200: {
          description: 'Days of UTC, oldest first.',
          content: {
            'application/json': {
              schema: z.object({ data: z.array(Day), currency: z.literal('USD'), message: z.literal('ok') }),
            },
          },
        },
      },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      if (!(await settleBeforeRead(c.env, facts.accountId))) return failure(c, notCurrent());
      const now = Date.now();
      const last = now - (now % DAY_MS);
      const first = last - (c.req.valid('query').days - 1) * DAY_MS;
      const history = await readValueByDay(c.env, facts.accountId, { first, last });
      if (history === null) return failure(c, tooManyMovements());
      const data = history.days.map((day, at) => dayView(day, history.days[at - 1] ?? null, history, last));
      return c.json({ data, currency: 'USD' as const, message: 'ok' as const }, 200);
    },
  );
}

function dayView(
  { day, value, cash, netDeposits, withoutClose }: DayValue,
  before: DayValue | null,
  { realized, symbols, cashScale }: ValueHistory,
  today: number,
): z.infer<typeof Day> {
  const dollars = (units: bigint) => Number(`${units}e-${cashScale}`);
  const sales = realized.get(day);
  return {
    date: dateText(day),
    isOver: day < today,
    value: dollars(value),
    cash: dollars(cash),
    netDeposits: dollars(netDeposits),
    realizedPnl: dollars(BigInt(sales?.profit ?? 0)),
    profit: before === null ? 0 : dollars(value - before.value - netDeposits),
    isPartial: (sales?.unknown ?? 0) > 0,
    withoutClose: withoutClose.map((asset) => symbols.get(asset) ?? asset),
  };
}
