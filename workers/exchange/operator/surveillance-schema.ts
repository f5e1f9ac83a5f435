import { z } from '@hono/zod-openapi';
import type { ScaledCase, SurveillanceCase, SurveillanceNote } from '../../../data/surveillance/surveillance-cases.ts';
import type { SurveillanceDay } from '../../../data/surveillance/surveillance-days.ts';
import { scaledToDecimal } from '../../../domain/money/decimal-text.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { type Finding, type FindingNumber, NUMBER_UNITS } from '../../../domain/surveillance/finding.ts';
import { CASE_OUTCOMES, CASE_STATES, SURVEILLANCE_RULES } from '../../../domain/surveillance/surveillance-case.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { OrderSide } from '../order-schema.ts';
import { HolderName } from './account-schema.ts';

const Person = z.object({ userId: z.string(), name: HolderName }).openapi('SurveilledPerson');

export const CaseItemView = z
  .object({
    id: z.string(),
    rule: z.enum(SURVEILLANCE_RULES),
    market: z.string(),
    assetId: z.string(),
    day: z.iso.date().openapi({ description: 'The trading day, of UTC.' }),
    people: z.array(Person),
    accountIds: z.array(z.string()),
    state: z.enum(CASE_STATES),
    assignee: z.string().nullable().openapi({ description: 'User id of who looks into it.' }),
    outcome: z.enum(CASE_OUTCOMES).nullable(),
    closeReason: z.string().nullable(),
    closedBy: z.string().nullable(),
    closedAt: z.iso.datetime().nullable(),
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('SurveillanceCaseItem');

const EvidenceTrade = z
  .object({
    id: z.string(),
    executedAt: z.iso.datetime(),
    price: z.number(),
    quantity: z.number(),
    buyOrderId: z.string(),
    buyerAccountId: z.string(),
    sellOrderId: z.string(),
    sellerAccountId: z.string(),
  })
  .openapi('SurveillanceTrade');

const EvidenceOrder = z
  .object({
    id: z.string(),
    accountId: z.string(),
    side: OrderSide,
    price: z.number(),
    quantity: z.number(),
    filled: z.number(),
    createdAt: z.iso.datetime(),
    cancelledAt: z.iso.datetime(),
  })
  .openapi('SurveillanceOrder');

const Note = z
  .object({ id: z.string(), author: z.string(), text: z.string(), createdAt: z.iso.datetime() })
  .openapi('SurveillanceNote');

export const CaseView = CaseItemView.extend({
  relation: z
    .string()
    .nullable()
    .openapi({ description: 'Why two people are looked at as one: `same_person`, or what one is to the other.' }),
  relationOf: z.string().nullable().openapi({
    description:
      'User id of whom the other one is that; null of one person, and in cases from before it was written down.',
  }),
  numbers: z
    .array(z.object({ name: z.string(), unit: z.enum(NUMBER_UNITS), value: z.string() }))
    .openapi({ description: 'What has decided, with the thresholds of the rule; prices and quantities as decimals.' }),
  trades: z.array(EvidenceTrade).openapi({ description: 'The first of them; `numbers` say how many there are.' }),
  orders: z.array(EvidenceOrder).openapi({ description: 'Cancelled orders, the first of them.' }),
  notes: z.array(Note),
}).openapi('SurveillanceCase');

export const DayView = z
  .object({
    day: z.iso.date(),
    markets: z.int(),
    cases: z.int(),
    casesLeftOut: z.int().openapi({ description: 'Findings that made no case, because there were too many.' }),
    tradesLeftOut: z.int().openapi({ description: 'Trades that were not read, because a market had too many.' }),
    accountsLeftOut: z.int().openapi({ description: 'Accounts whose cancelled orders were not all read.' }),
    marketsLeftOut: z
      .array(z.string())
      .openapi({ description: 'Markets that were not judged, because each run that began with them failed.' }),
    beganAt: z.iso.datetime(),
    doneAt: z.iso.datetime().nullable(),
  })
  .openapi('SurveillanceDay');

type Names = ReadonlyMap<string, string>;

export function caseItemView(row: Omit<SurveillanceCase, 'evidence'>, names: Names): z.infer<typeof CaseItemView> {
  const { id, rule, market, asset, day, people, accounts, state, assignee, outcome, closeReason, closedBy, version } =
    row;
  return {
    id,
    rule,
    market,
    assetId: asset,
    day,
    people: people.map((userId) => ({ userId, name: names.get(userId) ?? null })),
    accountIds: [...accounts],
    state,
    assignee,
    outcome,
    closeReason,
    closedBy,
    closedAt: isoTimeOrNull(row.closedAt),
    version,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

export function caseView(
  { found, priceScale, quantityScale }: ScaledCase,
  notes: readonly SurveillanceNote[],
  names: Names,
): z.infer<typeof CaseView> {
  const {
    relation,
    relationOf = null,
    numbers,
    trades,
    orders,
  } = JSON.parse(found.evidence) as Pick<Finding, 'relation' | 'numbers' | 'trades' | 'orders'> &
    Partial<Pick<Finding, 'relationOf'>>;
  const scales = { price: priceScale, quantity: quantityScale };
  return {
    ...caseItemView(found, names),
    relation,
    relationOf,
    numbers: Object.entries(numbers).map(([name, number]) => ({
      name,
      unit: number.unit,
      value: shownValue(number, scales),
    })),
    trades: trades.map((trade) => ({
      id: trade.id,
      executedAt: isoTime(trade.executedAt),
      price: fromScaled(trade.price, priceScale),
      quantity: fromScaled(trade.quantity, quantityScale),
      buyOrderId: trade.buyOrder,
      buyerAccountId: trade.buyer,
      sellOrderId: trade.sellOrder,
      sellerAccountId: trade.seller,
    })),
    orders: orders.map((order) => ({
      id: order.id,
      accountId: order.account,
      side: order.side === 'buy' ? ('BUY' as const) : ('SELL' as const),
      price: fromScaled(order.price, priceScale),
      quantity: fromScaled(order.quantity, quantityScale),
      filled: fromScaled(order.filled, quantityScale),
      createdAt: isoTime(order.createdAt),
      cancelledAt: isoTime(order.cancelledAt),
    })),
    notes: notes.map(({ id, author, text, createdAt }) => ({ id, author, text, createdAt: isoTime(createdAt) })),
  };
}

function shownValue(
  { unit, value }: FindingNumber,
  scales: { readonly price: number; readonly quantity: number },
): string {
  return unit === 'price' || unit === 'quantity' ? scaledToDecimal(BigInt(value), scales[unit]) : value;
}

export function dayView(row: SurveillanceDay): z.infer<typeof DayView> {
  const { beganAt, doneAt, visited: _, tries: __, marketsLeftOut, ...day } = row;
  return { ...day, marketsLeftOut: [...marketsLeftOut], beganAt: isoTime(beganAt), doneAt: isoTimeOrNull(doneAt) };
}
