import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead, settledForRead } from '../../application/ledger/settle-before-read.ts';
import { readStatement, type Statement } from '../../application/portfolio/read-statement.ts';
import { MOVEMENT_KINDS, MOVEMENTS_MAX, type MovementRow, readFirstMovement } from '../../data/accounts/movements.ts';
import { database } from '../../data/database.ts';
import {
  type Month,
  monthAfter,
  monthText,
  newYorkMonth,
  readMonth,
  spanOfMonth,
} from '../../domain/calendar/month.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { linkNextPage } from '../responses/link-next-page.ts';
import { movementCursorQuery, movementCursorText, movementPlaceOf } from '../responses/movement-cursor.ts';
import { notCurrent } from '../responses/not-current.ts';
import { orderFailure } from './order-failure.ts';

/** Months of the list, the newest ones. */
const MONTHS_MAX = 240;
const MOVEMENTS_OF_PAGE = 1_000;

const monthFields = {
  month: z.string().openapi({ example: '2026-11' }),
  from: z.iso.datetime().openapi({ description: 'Midnight in New York at which it begins.' }),
  to: z.iso.datetime().openapi({ description: 'Midnight in New York at which it ends.' }),
  isOver: z.boolean().openapi({ description: 'False for the month that still runs: what it closes with may change.' }),
};

const StatementMonth = z.object(monthFields).openapi('StatementMonth');

const Movement = z.object({
  timestamp: z.iso.datetime(),
  kind: z.enum(MOVEMENT_KINDS),
  reference: z.string().openapi({ description: 'Of the trade, transfer or other transaction.' }),
  assetId: z.string(),
  symbol: z.string(),
  amount: z.number().openapi({ description: 'Below 0 for what has left the account.' }),
});

const StatementView = z
  .object({
    ...monthFields,
    isComplete: z.boolean().openapi({
      description:
        'False while a market of the account cannot settle: what it has executed is missing, and stands here once it has settled.',
    }),
    accountId: z.string(),
    holder: z.object({ userId: z.string(), name: z.string() }),
    balances: z
      .array(
        z.object({
          assetId: z.string(),
          symbol: z.string(),
          name: z.string(),
          type: z.string(),
          opening: z.number(),
          closing: z.number().openapi({ description: 'Opening and what has moved, exactly.' }),
          moved: z.array(z.object({ kind: z.enum(MOVEMENT_KINDS), amount: z.number() })),
        }),
      )
      .openapi({
        description:
          'Of every asset that the account had or moved. What open orders hold is the account’s, and so is cash of sales from the day of the trade on.',
      }),
    movements: z
      .array(Movement)
      .openapi({ description: `Oldest first, up to ${MOVEMENTS_OF_PAGE} a page; the next one is in the Link header.` }),
  })
  .openapi('Statement');

const ACCESS = { access: { credential: 'tenant' }, bucket: 'private' } as const;

/** GET /v1/statements and GET /v1/statements/{month}. */
export function statementRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    ACCESS,
    createRoute({
      method: 'get',
      path: '/v1/statements',
      tags: ['account'],
      summary: 'Months of which the caller has a statement, newest first',
      responses: {
        200: {
          description: `From the first movement on, ${MONTHS_MAX} months at most.`,
          content: {
            'application/json': { schema: z.object({ data: z.array(StatementMonth), message: z.literal('ok') }) },
          },
        },
      },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      if (!(await settleBeforeRead(c.env, facts.accountId))) return failure(c, notCurrent());
      const first = await readFirstMovement(database(c.env.DB), facts.accountId);
      const data = first === null ? [] : monthsSince(first, Date.now()).map((month) => monthView(month, Date.now()));
      return c.json({ data, message: 'ok' as const }, 200);
    },
  );
  registerRoute(
    exchange,
    { ...ACCESS, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/statements/{month}',
      tags: ['account'],
      summary: 'What the caller had at both ends of a month, and what moved between',
      description:
        'Derived from the ledger at each reading. A trade that was taken back or corrected stands in the month in which that was done.',
      request: {
        params: z.object({ month: z.string() }),
        query: z.object({ cursor: movementCursorQuery }),
      },
      responses: {
        200: {
          description: 'The statement.',
          content: { 'application/json': { schema: z.object({ data: StatementView, message: z.literal('ok') }) } },
        },
      },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      const month = readMonth(c.req.valid('param').month);
      const span = month === null ? null : spanOfMonth(month);
      if (month === null || span === null || span.from > Date.now()) return failure(c, noStatement());
      const settled = await settledForRead(c.env, facts.accountId);
      if (settled === 'behind') return failure(c, notCurrent());
      const page = { after: movementPlaceOf(c.req.valid('query').cursor), limit: MOVEMENTS_OF_PAGE };
      const statement = await readStatement(c.env, facts.accountId, span, page);
      if (statement === null) return failure(c, tooManyMovements());
      const { next } = statement.movements;
      if (next !== null) linkNextPage(c, movementCursorText(next));
      const isComplete = settled === 'whole';
      const { accountId } = facts;
      const data = { ...monthView(month, Date.now()), isComplete, accountId, ...statementView(statement) };
      return c.json({ data, message: 'ok' as const }, 200);
    },
  );
}

/** Newest first. */
function monthsSince(first: number, now: number): Month[] {
  const last = newYorkMonth(now);
  const months = [newYorkMonth(first)];
  for (let month = monthAfter(newYorkMonth(first)); monthText(month) <= monthText(last); month = monthAfter(month))
    months.push(month);
  return months.toReversed().slice(0, MONTHS_MAX);
}

function monthView(month: Month, now: number): z.infer<typeof StatementMonth> {
  const { from, to } = spanOfMonth(month);
  return {
    month: monthText(month),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    isOver: to <= now,
  };
}

function statementView({ holder, assets, balances, movements }: Statement) {
  const assetOf = (id: string) => {
    const asset = assets.get(id);
    if (asset === undefined) throw new Error(`asset ${id} has moved and does not exist`);
    return asset;
  };
  return {
    holder,
    balances: balances.map(({ asset: id, opening, closing, moved }) => {
      const { symbol, name, category, scale } = assetOf(id);
      const amount = (scaled: number) => fromScaled(scaled, scale);
      return {
        assetId: id,
        symbol,
        name,
        type: category,
        opening: amount(opening),
        closing: amount(closing),
        moved: moved.map((each) => ({ kind: each.kind, amount: amount(each.amount) })),
      };
    }),
    movements: movements.rows.map((row) => movementView(row, assetOf(row.asset))),
  };
}

function movementView(
  { at, kind, reference, asset, amount }: MovementRow,
  { symbol, scale }: { symbol: string; scale: number },
) {
  return {
    timestamp: new Date(at).toISOString(),
    kind,
    reference,
    assetId: asset,
    symbol,
    amount: fromScaled(amount, scale),
  };
}

function noStatement() {
  return apiError('NOT_FOUND', 'there is no statement of this month', { field: 'month' });
}

/** What a call reads is bounded: more than this is told in parts, by the list of transactions. */
export function tooManyMovements() {
  return apiError('VALIDATION_ERROR', 'more has moved since then than one answer adds up', {
    reason: 'too_many_movements',
    movementsMax: MOVEMENTS_MAX,
  });
}
