import { z } from 'zod';
import { plainNumber, plainNumberOrNull } from '../../../domain/money/plain-number.ts';
import { DecimalText, Milliseconds } from '../output-fields.ts';
import { get } from '../rest-call.ts';
import { SymbolParameter } from '../symbol-parameter.ts';
import { defineTool, READS } from '../tool.ts';

export const getQuote = defineTool({
  name: 'get_quote',
  title: 'Quote',
  description: 'Best bid and ask, last trade, and volume and change of the last 24 hours of a trading pair.',
  input: z.strictObject({ symbol: SymbolParameter }),
  output: z.strictObject({
    symbol: z.string(),
    bid: DecimalText.nullable(),
    ask: DecimalText.nullable(),
    last: DecimalText.nullable(),
    volume24h: DecimalText,
    change24h: DecimalText.nullable(),
    timestamp: Milliseconds,
  }),
  answer: z.object({
    symbol: z.string(),
    bid: z.number().nullable(),
    ask: z.number().nullable(),
    last: z.number().nullable(),
    volume24h: z.number(),
    change24h: z.number().nullable(),
    timestamp: z.int(),
  }),
  effects: READS,
  marketData: true,
  callOf: ({ symbol }) => get(`/v1/ticker/${symbol}`),
  outputOf: ({ symbol, bid, ask, last, volume24h, change24h, timestamp }) => ({
    symbol,
    bid: plainNumberOrNull(bid),
    ask: plainNumberOrNull(ask),
    last: plainNumberOrNull(last),
    volume24h: plainNumber(volume24h),
    change24h: plainNumberOrNull(change24h),
    timestamp,
  }),
});
