import { createRoute, z } from '@hono/zod-openapi';
import { projected } from '../../../application/ledger/projected.ts';
import { noSuchBreak, resolveBreakByOperator } from '../../../application/operator/broker-breaks.ts';
import { type BreakPlace, type BreakRecord, findBreak, listBreaks } from '../../../data/broker/broker-breaks.ts';
import { database } from '../../../data/database.ts';
import { tellsOfExecution } from '../../../domain/broker/booking-terms.ts';
import { dateText } from '../../../domain/calendar/date-text.ts';
import { BREAK_KINDS, BREAK_RESOLUTIONS } from '../../../domain/ledger/records.ts';
import type { BookMarket } from '../../../domain/markets/market.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import type { Side } from '../../../domain/orders/order.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { notCurrent } from '../../responses/not-current.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { CURSOR_WORDS } from '../../responses/time-cursor.ts';
import { OrderSide } from '../order-schema.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE_OF_OTHERS, Reason, VENUE_READ } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const Terms = z.object({
  side: OrderSide.nullable(),
  price: z.number().nullable(),
  quantity: z.number().nullable(),
});

const BreakView = z
  .object({
    id: z.string().openapi({ description: 'Of the report, by the broker; unique within a market.' }),
    symbol: z.string(),
    kind: z.enum(BREAK_KINDS),
    state: z.enum(['open', ...BREAK_RESOLUTIONS]),
    orderId: z.string(),
    executionId: z.string().nullable(),
    ...Terms.shape,
    known: Terms.nullable().openapi({ description: 'Of an execution that was known: what was said of it first.' }),
    detail: z.string(),
    isBookable: z.boolean().openapi({ description: 'Whether it is open and tells of an execution.' }),
    timestamp: z.iso.datetime().openapi({ description: 'When it happened, by the broker.' }),
    resolvedAt: z.iso.datetime().nullable(),
    resolvedBy: z.string().nullable(),
    reason: z.string().nullable(),
    booking: z
      .object({
        id: z.string(),
        accountId: z.string(),
        side: OrderSide,
        price: z.number(),
        quantity: z.number(),
        total: z.number(),
        settlementDate: z.iso.date().nullable(),
      })
      .nullable(),
  })
  .openapi('OperatorBrokerBreak');

const Resolution = z
  .discriminatedUnion('action', [
    z.strictObject({ action: z.literal('acknowledge'), reason: Reason }),
    z.strictObject({
      action: z.literal('book'),
      reason: Reason,
      accountId: z.string(),
      side: OrderSide.optional(),
      price: z.number().positive().optional(),
      quantity: z.number().positive().optional(),
    }),
  ])
  .openapi('OperatorBrokerBreakResolution', {
    description:
      'What the break says of its execution stands. What it does not say (`side`, `price`, `quantity` null) is stated to book it.',
  });

/** `<Unix milliseconds> <symbol> <id>` of the last break of the page before. */
const CURSOR = /^(-?\d{1,16}) (\S{1,100}) (.{1,300})$/;

const params = z.object({ symbol: z.string(), id: z.string() });

/** Reports of a broker that fit no order (docs/design/broker.md#breaks): list, one, and how people close it. */
export function brokerBreakRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/broker-breaks',
      tags: ['operator'],
      summary: 'Reports of brokers that fit no order, newest first',
      request: {
        query: z.object({
          state: z.enum(['open', 'resolved', 'all']).default('open'),
          symbol: z.string().optional(),
          kind: z.enum(BREAK_KINDS).optional(),
          orderId: z.string().optional(),
          limit: limitQuery,
          cursor: z.string().regex(CURSOR, CURSOR_WORDS).optional(),
        }),
      },
      responses: { 200: envelopeOf('The breaks.', z.array(BreakView)) },
    }),
    async (c) => {
      const { state, symbol = null, kind = null, orderId = null, limit, cursor } = c.req.valid('query');
      if (!(await projected(c.env))) return failure(c, notCurrent());
      const isOpen = state === 'all' ? null : state === 'open';
      const filter = { isOpen, symbol, kind, orderId, before: placeOf(cursor) };
      const found = await listBreaks(database(c.env.DB), { ...filter, limit: rowsToRead(limit) });
      const page = pageOf(c, found, limit, ({ told: { at, book, id } }) => `${at} ${book} ${id}`);
      return c.json(enveloped(page.map(breakView)), 200);
    },
  );

  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/markets/{symbol}/broker-breaks/{id}',
      tags: ['operator'],
      summary: 'One report of a broker that fits no order',
      request: { params },
      responses: { 200: envelopeOf('The break.', BreakView) },
    }),
    async (c) => {
      const { symbol, id } = c.req.valid('param');
      if (!(await projected(c.env))) return failure(c, notCurrent());
      const found = await findBreak(database(c.env.DB), symbol, id);
      return found === null ? failure(c, noSuchBreak()) : c.json(enveloped(breakView(found)), 200);
    },
  );

  registerRoute(
    exchange,
    { ...OPERATOR_WRITE_OF_OTHERS, errors: [...OPERATOR_WRITE_OF_OTHERS.errors, 'INSUFFICIENT_BALANCE'] },
    createRoute({
      method: 'post',
      path: '/v1/operator/markets/{symbol}/broker-breaks/{id}/resolve',
      tags: ['operator'],
      summary: 'Close a break: acknowledge it, or book its execution to an account',
      description:
        'Booked, cash and shares move between the account and broker clearing, free of fees, and settle on the day of the trade.',
      request: { params, body: { required: true, content: { 'application/json': { schema: Resolution } } } },
      responses: { 200: envelopeOf('The break, closed.', BreakView) },
    }),
    async (c) => {
      const { symbol, id: breakId } = c.req.valid('param');
      const body = c.req.valid('json');
      const action = actionOf(c);
      const waits = body.action === 'acknowledge' ? null : await weigh(c, body, action);
      if (waits !== null) return failure(c, waits);
      const resolved = await resolveBreakByOperator(c.env, {
        symbol,
        breakId,
        reason: body.reason,
        booking: bookingOf(body),
        action,
      });
      return resolved.ok ? c.json(enveloped(breakView(resolved.value)), 200) : failure(c, resolved.error);
    },
  );
}

function bookingOf(body: z.infer<typeof Resolution>) {
  if (body.action === 'acknowledge') return null;
  const { accountId, side, price = null, quantity = null } = body;
  return { accountId, side: side === undefined ? null : SIDE_OF[side], price, quantity };
}

const SIDE_OF = { BUY: 'buy', SELL: 'sell' } as const satisfies Record<z.infer<typeof OrderSide>, Side>;

function placeOf(cursor: string | undefined): BreakPlace | null {
  const [, at, symbol, id] = CURSOR.exec(cursor ?? '') ?? [];
  return at === undefined || symbol === undefined || id === undefined ? null : { at: Number(at), symbol, id };
}

function breakView({ told, market, booking }: BreakRecord): z.infer<typeof BreakView> {
  const { id, book: symbol, kind, orderId, executionId, detail, resolvedBy, reason } = told;
  const known = { side: told.knownSide, price: told.knownPrice, quantity: told.knownQuantity };
  return {
    id,
    symbol,
    kind,
    state: told.resolution ?? 'open',
    orderId,
    executionId,
    ...termsView(told, market),
    known: known.side === null ? null : termsView(known, market),
    detail,
    isBookable: told.resolvedAt === null && tellsOfExecution(told),
    timestamp: new Date(told.at).toISOString(),
    resolvedAt: told.resolvedAt === null ? null : new Date(told.resolvedAt).toISOString(),
    resolvedBy,
    reason,
    booking: booking === null ? null : bookingView(booking, market),
  };
}

interface ScaledTerms {
  readonly side: Side | null;
  readonly price: number | null;
  readonly quantity: number | null;
}

function termsView({ side, price, quantity }: ScaledTerms, market: BookMarket): z.infer<typeof Terms> {
  return {
    side: side === null ? null : SIDE_NAME[side],
    price: price === null ? null : fromScaled(price, market.priceScale),
    quantity: quantity === null ? null : fromScaled(quantity, market.quantityScale),
  };
}

function bookingView(booking: NonNullable<BreakRecord['booking']>, market: BookMarket) {
  return {
    id: booking.id,
    accountId: booking.account,
    side: SIDE_NAME[booking.side],
    price: fromScaled(booking.price, market.priceScale),
    quantity: fromScaled(booking.quantity, market.quantityScale),
    total: fromScaled(booking.notional, market.quoteScale),
    settlementDate: booking.settlesOn === null ? null : dateText(booking.settlesOn),
  };
}

const SIDE_NAME = { buy: 'BUY', sell: 'SELL' } as const;
