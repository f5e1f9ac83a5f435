import { z } from 'zod';
import { plainNumber } from '../../../domain/money/plain-number.ts';
import { DecimalText } from '../output-fields.ts';
import { get } from '../rest-call.ts';
import { SymbolParameter } from '../symbol-parameter.ts';
import { defineTool, READS } from '../tool.ts';

const DEPTH_MAX = 1_000;

const Level = z.object({ price: z.number(), size: z.number() });
/** No tuple: JSON Schema says that in one way up to draft 7 and in another since, and clients know either. */
const LevelText = z.array(DecimalText).length(2).describe('[price, quantity]');

export const getOrderbook = defineTool({
  name: 'get_orderbook',
  title: 'Order book',
  description: 'Bids and asks of a trading pair, best first, as [price, quantity].',
  input: z.strictObject({
    symbol: SymbolParameter,
    depth: z.int().min(1).max(DEPTH_MAX).exactOptional().describe('Levels of each side; 50 when left out.'),
  }),
  output: z.strictObject({ symbol: z.string(), bids: z.array(LevelText), asks: z.array(LevelText) }),
  answer: z.object({ symbol: z.string(), bids: z.array(Level), asks: z.array(Level) }),
  effects: READS,
  marketData: true,
  callOf: ({ symbol, depth }) => get(`/v1/orderbook/${symbol}`, { depth }),
  outputOf: ({ symbol, bids, asks }) => ({ symbol, bids: bids.map(levelText), asks: asks.map(levelText) }),
});

function levelText({ price, size }: z.infer<typeof Level>): string[] {
  return [plainNumber(price), plainNumber(size)];
}
