import { z } from 'zod';
import { SIDES } from '../../../domain/orders/order.ts';
import { decimalText } from '../decimal-text.ts';
import { DecimalText, Milliseconds } from '../output-fields.ts';
import { get } from '../rest-call.ts';
import { SymbolParameter } from '../symbol-parameter.ts';
import { defineTool, READS } from '../tool.ts';

const LIMIT_MAX = 1_000;

export const getTrades = defineTool({
  name: 'get_trades',
  title: 'Trades',
  description: 'The latest trades of a trading pair, newest first.',
  input: z.strictObject({
    symbol: SymbolParameter,
    limit: z.int().min(1).max(LIMIT_MAX).exactOptional().describe('100 when left out.'),
  }),
  output: z.strictObject({
    symbol: z.string(),
    trades: z.array(
      z.strictObject({
        tradeId: z.string(),
        price: DecimalText,
        quantity: DecimalText,
        side: z.enum(SIDES).describe('Of the taker.'),
        timestamp: Milliseconds,
      }),
    ),
  }),
  answer: z.object({
    symbol: z.string(),
    trades: z.array(
      z.object({
        trade_id: z.string(),
        price: z.number(),
        size: z.number(),
        side: z.enum(SIDES),
        timestamp: z.int(),
      }),
    ),
  }),
  effects: READS,
  marketData: true,
  callOf: ({ symbol, limit }) => get(`/v1/trades/${symbol}`, { limit }),
  outputOf: ({ symbol, trades }) => ({
    symbol,
    trades: trades.map((trade) => ({
      tradeId: trade.trade_id,
      price: decimalText(trade.price),
      quantity: decimalText(trade.size),
      side: trade.side,
      timestamp: trade.timestamp,
    })),
  }),
});
