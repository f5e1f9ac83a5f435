import { z } from 'zod';
import { MARKET_STATUSES } from '../../../domain/markets/market.ts';
import { plainNumber } from '../../../domain/money/plain-number.ts';
import { CursorParameter, NextCursor, PAGE_WORDS } from '../next-page.ts';
import { DecimalText } from '../output-fields.ts';
import { get } from '../rest-call.ts';
import { defineTool, READS } from '../tool.ts';

export const getMarkets = defineTool({
  name: 'get_markets',
  title: 'Markets',
  description: `Trading pairs with their rules: tick, lot, smallest and largest quantity, least value of an order that may rest, fees. ${PAGE_WORDS}`,
  input: z.strictObject({ cursor: CursorParameter.exactOptional() }),
  output: z.strictObject({
    markets: z.array(
      z.strictObject({
        symbol: z.string(),
        baseAsset: z.string(),
        quoteAsset: z.string(),
        status: z.enum(MARKET_STATUSES),
        tickSize: DecimalText,
        lotSize: DecimalText,
        minQuantity: DecimalText,
        maxQuantity: DecimalText,
        minNotional: DecimalText.describe('Price times quantity, in the quote asset, of an order that may rest.'),
        makerFeeBps: DecimalText,
        takerFeeBps: DecimalText,
      }),
    ),
    nextCursor: NextCursor,
  }),
  answer: z.object({
    markets: z.array(
      z.object({
        symbol: z.string(),
        base_asset: z.string(),
        quote_asset: z.string(),
        status: z.enum(MARKET_STATUSES),
        tick_size: z.number(),
        lot_size: z.number(),
        size_min: z.number(),
        size_max: z.number(),
        notional_min: z.number(),
        maker_fee_bps: z.number(),
        taker_fee_bps: z.number(),
      }),
    ),
  }),
  effects: READS,
  marketData: true,
  callOf: ({ cursor }) => get('/v1/markets', { cursor }),
  outputOf: ({ markets }, nextCursor) => ({
    markets: markets.map((market) => ({
      symbol: market.symbol,
      baseAsset: market.base_asset,
      quoteAsset: market.quote_asset,
      status: market.status,
      tickSize: plainNumber(market.tick_size),
      lotSize: plainNumber(market.lot_size),
      minQuantity: plainNumber(market.size_min),
      maxQuantity: plainNumber(market.size_max),
      minNotional: plainNumber(market.notional_min),
      makerFeeBps: plainNumber(market.maker_fee_bps),
      takerFeeBps: plainNumber(market.taker_fee_bps),
    })),
    nextCursor,
  }),
});
