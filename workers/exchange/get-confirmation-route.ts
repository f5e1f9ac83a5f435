import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { type Holder, readHolder } from '../../data/accounts/holder.ts';
import { database } from '../../data/database.ts';
import { type ConfirmedFill, listConfirmedFills } from '../../data/orders/confirmed-fills.ts';
import { isSecurity } from '../../domain/assets/is-security.ts';
import { dateText } from '../../domain/calendar/date-text.ts';
import { MARKET_ROUTES } from '../../domain/markets/market.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { orderFailure } from './order-failure.ts';
import { OrderSide } from './order-schema.ts';

const Amounts = {
  price: z.number(),
  amount: z.number().openapi({ description: 'Price times quantity.' }),
  fee: z.number().openapi({ description: 'What the venue has received from the customer for the trade.' }),
  net: z.number().openapi({ description: 'Paid by a buyer, or due to a seller: amount with the fee.' }),
};

/** What 17 CFR 240.10b-10(a) has a confirmation of a trade in a security disclose. */
const Confirmation = z
  .object({
    tradeId: z.string(),
    orderId: z.string(),
    accountId: z.string(),
    holder: z.object({ userId: z.string(), name: z.string() }),
    side: OrderSide,
    executedAt: z.iso.datetime().openapi({ description: 'Date and time of the trade.' }),
    assetId: z.string(),
    symbol: z.string(),
    name: z.string(),
    type: z.string(),
    market: z.string(),
    route: z.enum(MARKET_ROUTES).openapi({ description: 'Where the order executed.' }),
    quantity: z.number(),
    currency: z.string(),
    ...Amounts,
    settlementDate: z.iso.date().nullable().openapi({ description: 'Null for what settled with the trade.' }),
    capacity: z.literal('agent').openapi({ description: 'In which the venue acted for the customer.' }),
    otherParty: z.literal('on_written_request').openapi({
      description:
        'The name of the person from whom was bought, or to whom was sold, is furnished upon written request.',
    }),
    rule: z
      .string()
      .nullable()
      .openapi({ example: '17 CFR 240.10b-10(a)', description: 'Null for what is no security.' }),
    adjusted: z
      .object({ type: z.string(), at: z.iso.datetime(), ...Amounts })
      .nullable()
      .openapi({
        description: 'What stands since the trade was taken back or corrected; null where it stands as it was made.',
      }),
  })
  .openapi('TradeConfirmation');

/** GET /v1/fills/{id}/confirmation. */
export function getConfirmationRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/fills/{id}/confirmation',
      tags: ['account'],
      summary: 'Confirmation of a trade of the caller',
      request: { params: z.object({ id: z.string().openapi({ description: 'Of the trade.' }) }) },
      responses: {
        200: {
          description: 'One for each side of the trade that was the caller’s.',
          content: {
            'application/json': { schema: z.object({ data: z.array(Confirmation), message: z.literal('ok') }) },
          },
        },
      },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      if (!(await settleBeforeRead(c.env, facts.accountId))) return failure(c, notCurrent());
      const db = database(c.env.DB);
      const fills = await listConfirmedFills(db, facts.accountId, c.req.valid('param').id);
      if (fills.length === 0) return failure(c, apiError('NOT_FOUND', 'there is no such trade'));
      const holder = await readHolder(db, facts.accountId);
      const data = fills.map((fill) => confirmationView(fill, facts.accountId, holder));
      return c.json({ data, message: 'ok' as const }, 200);
    },
  );
}

function confirmationView(fill: ConfirmedFill, accountId: string, holder: Holder): z.infer<typeof Confirmation> {
  const { adjustment, adjustedAt, adjustedPrice, adjustedNotional, adjustedFee } = fill;
  return {
    tradeId: fill.tradeId,
    orderId: fill.orderId,
    accountId,
    holder,
    side: fill.side === 'buy' ? 'BUY' : 'SELL',
    executedAt: new Date(fill.executedAt).toISOString(),
    assetId: fill.assetId,
    symbol: fill.symbol,
    name: fill.name,
    type: fill.category,
    market: fill.market,
    route: fill.route,
    quantity: fromScaled(fill.quantity, fill.quantityScale),
    currency: fill.currency,
    ...amountsOf(fill, fill),
    settlementDate: fill.settlesOn === null ? null : dateText(fill.settlesOn),
    capacity: 'agent',
    otherParty: 'on_written_request',
    rule: isSecurity(fill.category) ? '17 CFR 240.10b-10(a)' : null,
    adjusted:
      adjustment === null || adjustedAt === null
        ? null
        : {
            type: adjustment,
            at: new Date(adjustedAt).toISOString(),
            ...amountsOf(fill, {
              price: adjustedPrice ?? 0,
              notional: adjustedNotional ?? 0,
              fee: adjustedFee ?? 0,
            }),
          },
  };
}

function amountsOf(
  { side, priceScale, quoteScale }: ConfirmedFill,
  { price, notional, fee }: Pick<ConfirmedFill, 'price' | 'notional' | 'fee'>,
) {
  const money = (units: number) => fromScaled(units, quoteScale);
  const net = side === 'buy' ? notional + fee : notional - fee;
  return { price: fromScaled(price, priceScale), amount: money(notional), fee: money(fee), net: money(net) };
}
