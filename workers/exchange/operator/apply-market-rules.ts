import type { z } from '@hono/zod-openapi';
import { changeMarket } from '../../../application/ledger/change-market.ts';
import { reconfigureBook } from '../../../application/order-book/reconfigure-book.ts';
import type { MarketRules } from '../../../domain/ledger/transactions.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { actionOf } from './action-of.ts';
import { type MarketChangeView, marketChangeError, marketRulesView } from './market-schema.ts';

export type MarketOutcome =
  | { readonly ok: true; readonly data: z.infer<typeof MarketChangeView> }
  | { readonly ok: false; readonly error: ApiError };

/** Changes rules of a market and has its book read them; a halt is answered once the book has cancelled its open orders. */
export async function applyMarketRules(
  c: AppContext,
  market: Market,
  rules: Partial<MarketRules>,
): Promise<MarketOutcome> {
  const { symbol } = market;
  const change = await changeMarket(c.env, { symbol, rules, action: actionOf(c), now: Date.now() });
  if (!change.ok) return { ok: false, error: marketChangeError(change.error) };
  const { before, after } = change.value;
  if (!(await reconfigureBook(c.env, symbol))) {
    const message = 'the rules have changed, but the book did not answer; repeat with the same Idempotency-Key';
    return { ok: false, error: apiError('SERVICE_UNAVAILABLE', message) };
  }
  return {
    ok: true,
    data: { symbol, before: marketRulesView(before, market), after: marketRulesView(after, market) },
  };
}
