import { z } from 'zod';
import { MARKET_SYMBOL } from '../../domain/markets/market-symbol.ts';

/** What a tool takes for a market: a pair, or whatever name tools list orders under. */
export const SymbolParameter = z
  .string()
  .regex(MARKET_SYMBOL, 'must be shaped <BASE>-<QUOTE>, such as ACME-USD, or be a symbol that get_open_orders gives')
  .describe('Trading pair, <BASE>-<QUOTE>, such as ACME-USD; of an order, the symbol that it is listed with.');
