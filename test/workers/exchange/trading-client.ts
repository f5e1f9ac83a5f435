import type { Database } from '../../../data/database.ts';
import { createTrader, type Trader, type TraderTerms } from '../fixtures/create-trader.ts';
import { giveHolding } from '../fixtures/give-balance.ts';
import { type Client, signedIn } from './client.ts';

export interface TradingClient extends Client, Trader {}

type Holding = Parameters<typeof giveHolding>[0];

/** A new trader who is signed in, with what it holds of one asset. */
export async function tradingClient(
  db: Database,
  terms: TraderTerms = {},
  holding?: Pick<Holding, 'asset' | 'lots'>,
): Promise<TradingClient> {
  const trader = await createTrader(db, terms);
  if (holding !== undefined) await giveHolding({ accountId: trader.accountId, ...holding });
  return { ...trader, ...(await signedIn(trader)) };
}

/** What GET /v1/orders/{id} says of an order. */
export async function orderOf(client: Client, orderId: string): Promise<Record<string, unknown>> {
  const { body } = await client.get<{ data: Record<string, unknown> }>(`/v1/orders/${orderId}`);
  return body.data;
}
