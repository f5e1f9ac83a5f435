import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { listSales, type SaleRow, type SaleSpan } from '../../data/accounts/realized-by-day.ts';
import { database } from '../../data/database.ts';
import { dateText } from '../../domain/calendar/date-text.ts';
import { spanOfYear } from '../../domain/calendar/month.ts';
import { newYorkDate } from '../../domain/calendar/new-york-time.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { realizedProfit } from '../../domain/portfolio/realized-profit.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { csvLines } from '../responses/csv.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { limitQuery, pageOf, rowsToRead } from '../responses/paging.ts';
import { CURSOR_WORDS, timeCursorOf, timeCursorQuery, timeCursorText } from '../responses/time-cursor.ts';
import { wholeNumber } from '../responses/whole-number.ts';
import { orderFailure } from './order-failure.ts';

const YEAR_MIN = 2000;
const YEAR_MAX = 9_999;
/** Sales of a file that are read at once. */
const ROWS_OF_PART = 1_000;

const Gain = z
  .object({
    tradeId: z.string(),
    disposedOn: z.iso.date().openapi({ description: 'The day in New York.' }),
    assetId: z.string(),
    symbol: z.string(),
    quantity: z.number(),
    proceeds: z.number().openapi({ description: 'After the fee, in `currency`.' }),
    currency: z.string(),
    costBasis: z.number().nullable().openapi({
      description:
        'US dollars that the shares had cost, purchase fees included: first in, first out by lots, on average where the asset has none. Null where nobody knows.',
    }),
    gain: z.number().nullable().openapi({ description: 'US dollars, below 0 for a loss; null like costBasis.' }),
  })
  .openapi('Gain');

type Gain = z.infer<typeof Gain>;

const COLUMNS = [
  'disposedOn',
  'symbol',
  'assetId',
  'quantity',
  'proceeds',
  'currency',
  'costBasis',
  'gain',
  'tradeId',
] as const satisfies readonly (keyof Gain)[];

/** GET /v1/gains: what the sales of a year have realised. */
export function listGainsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/gains',
      tags: ['account'],
      summary: 'What each sale of a year has realised, oldest first',
      request: {
        query: z.object({
          year: wholeNumber(YEAR_MIN, YEAR_MAX).openapi({ description: 'By the calendar of New York.' }),
          format: z
            .enum(['json', 'csv'])
            .default('json')
            .openapi({ description: '`csv`: the same rows (RFC 4180); without `limit` all of them, in one file.' }),
          limit: limitQuery,
          cursor: timeCursorQuery.refine((cursor) => cursor?.startsWith('-') !== true, CURSOR_WORDS),
        }),
      },
      responses: {
        200: {
          description:
            'Sales as they stand; what was taken back is none. Shares that ended in a merger or went back to their issuer are not among them: what was paid for them is a `distribution` of the ledger.',
          content: {
            'application/json': { schema: z.object({ data: z.array(Gain), message: z.literal('ok') }) },
            'text/csv': { schema: z.string() },
          },
        },
      },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      const { year, format, limit, cursor } = c.req.valid('query');
      if (!(await settleBeforeRead(c.env, facts.accountId))) return failure(c, notCurrent());
      const span = { account: facts.accountId, ...spanOfYear(year), after: timeCursorOf(cursor) };
      const read = (part: Pick<SaleSpan, 'limit'> & Partial<SaleSpan>) =>
        listSales(database(c.env.DB), { ...span, ...part });
      if (format === 'csv' && limit === undefined) return table(c, year, wholeTable(read));
      const found = await read({ limit: rowsToRead(limit) });
      const page = pageOf(c, found, limit, ({ at, tradeId }) => timeCursorText(at, tradeId));
      if (format === 'csv') return table(c, year, csvLines([COLUMNS, ...page.map(csvRow)]));
      return c.json({ data: page.map(gainView), message: 'ok' as const }, 200);
    },
  );
}

function table(c: AppContext, year: number, body: string | ReadableStream) {
  return c.body(body, 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="gains-${year}.csv"`,
  }) as never;
}

/** Every sale, read part by part as it is sent. One that cannot be read ends the answer before its end, which the client sees. */
function wholeTable(read: (part: Pick<SaleSpan, 'limit'> & Partial<SaleSpan>) => Promise<SaleRow[]>): ReadableStream {
  const encoder = new TextEncoder();
  let after: Partial<SaleSpan> = {};
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(csvLines([COLUMNS]))),
    async pull(controller) {
      const rows = await read({ ...after, limit: ROWS_OF_PART });
      const last = rows.at(-1);
      if (last !== undefined) controller.enqueue(encoder.encode(csvLines(rows.map(csvRow))));
      if (last === undefined || rows.length < ROWS_OF_PART) return controller.close();
      after = { after: { at: last.at, id: last.tradeId } };
    },
  });
}

function csvRow(row: SaleRow) {
  const gain = gainView(row);
  return COLUMNS.map((name) => gain[name]);
}

function gainView(row: SaleRow): Gain {
  const { proceeds, cost, cashScale, rateNumerator: numerator, rateDenominator: denominator } = row;
  const rate = numerator === null || denominator === null ? null : { numerator, denominator };
  const dollars = (units: number) => fromScaled(units, cashScale);
  return {
    tradeId: row.tradeId,
    disposedOn: dateText(newYorkDate(row.at)),
    assetId: row.assetId,
    symbol: row.symbol,
    quantity: fromScaled(row.quantity, row.quantityScale),
    proceeds: fromScaled(proceeds, row.quoteScale),
    currency: row.currency,
    costBasis: cost === null ? null : dollars(cost),
    gain: cost === null ? null : dollars(realizedProfit({ notional: proceeds, fee: 0, cost, rate })),
  };
}
