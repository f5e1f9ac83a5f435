import { z } from 'zod';
import { ADJUSTMENT_TYPES } from '../../../domain/ledger/adjustment-type.ts';
import { plainNumber, plainNumberOrNull } from '../../../domain/money/plain-number.ts';
import { SIDES } from '../../../domain/orders/order.ts';
import { DecimalText, Milliseconds } from '../output-fields.ts';
import { get } from '../rest-call.ts';
import { SymbolParameter } from '../symbol-parameter.ts';
import { defineTool, READS } from '../tool.ts';

const LIMIT_MAX = 1_000;

const TradeStatus = z.enum(['executed', ...ADJUSTMENT_TYPES]);

export const getTrades = defineTool({
  name: 'get_trades',
  title: 'Trades',
  description:
    'The latest trades of a trading pair, newest first. Nothing stands of a trade whose status is bust; one that was corrected stands at its correctedPrice.',
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
        status: TradeStatus,
        correctedPrice: DecimalText.nullable().describe('Null unless it was corrected.'),
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
        status: TradeStatus,
        corrected_price: z.number().nullable(),
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
      price: plainNumber(trade.price),
      quantity: plainNumber(trade.size),
      side: trade.side,
      timestamp: trade.timestamp,
      status: trade.status,
      correctedPrice: plainNumberOrNull(trade.corrected_price),
    })),
  }),
});
