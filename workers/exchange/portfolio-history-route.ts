import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import {
  CLOSES_MAX,
  DAYS_MAX,
  readValueByDay,
  type ValueHistory,
} from '../../application/portfolio/read-value-by-day.ts';
import { dateText } from '../../domain/calendar/date-text.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { DayValue } from '../../domain/portfolio/value-by-day.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
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
    value: z.number().nullable().openapi({
      description:
        'US dollars at the end of the day, UTC: cash, and what was held at its close. Null where no price is known of something held.',
    }),
    cash: z.number().openapi({ description: 'Of that, US dollars; those that had not settled included.' }),
    netDeposits: z.number().nullable().openapi({
      description: 'What came in on the day less what left, at the prices of its end; null where one is not known.',
    }),
    realizedPnl: z
      .number()
      .openapi({ description: 'What sales for US dollars of the day have realised, as they stand.' }),
    profit: z.number().nullable().openapi({
      description:
        'Since the day before: the change of value less netDeposits; 0 on the first day. Null where one of these is not known.',
    }),
    isPartial: z
      .boolean()
      .openapi({ description: 'Sales whose cost nobody knows, or in another currency, are left out of realizedPnl.' }),
    withoutClose: z.array(z.string()).openapi({
      description:
        'Symbols of which no close is known up to the day: they count at the price that the venue has stated, and where it has stated none the value is not known.',
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
      if (!history.ok) return failure(c, history.error === 'too_many_closes' ? tooManyCloses() : tooManyMovements());
      const { days } = history.value;
      const data = days.map((day, at) => dayView(day, days[at - 1] ?? null, history.value, last));
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
  const orNull = (units: bigint | null) => (units === null ? null : dollars(units));
  const sales = realized.get(day);
  return {
    date: dateText(day),
    isOver: day < today,
    value: orNull(value),
    cash: dollars(cash),
    netDeposits: orNull(netDeposits),
    realizedPnl: dollars(BigInt(sales?.profit ?? 0)),
    profit: before === null && value !== null ? 0 : orNull(profitOf(value, before?.value ?? null, netDeposits)),
    isPartial: (sales?.unknown ?? 0) > 0,
    withoutClose: withoutClose.map((asset) => symbols.get(asset) ?? asset),
  };
}

function profitOf(value: bigint | null, before: bigint | null, netDeposits: bigint | null): bigint | null {
  return value === null || before === null || netDeposits === null ? null : value - before - netDeposits;
}

/** Fewer days have room for more assets. */
function tooManyCloses() {
  return apiError('VALIDATION_ERROR', 'the account has more assets than so many days have room for: ask for fewer', {
    reason: 'too_many_closes',
    closesMax: CLOSES_MAX,
  });
}
