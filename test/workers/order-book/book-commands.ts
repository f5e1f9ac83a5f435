import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import type { CancelCommand, PlaceCommand } from '../../../durable-objects/order-book/api.ts';
import { ask } from '../ledger-object/ledger-client.ts';

/** A placement as order entry would send it, limit GTC unless the terms say otherwise. */
export function place(
  account: string,
  side: OrderTerms['side'],
  quantity: number,
  price: number | null,
  terms: Partial<OrderTerms> = {},
  command: Partial<PlaceCommand> = {},
): PlaceCommand {
  return {
    type: 'place',
    orderId: uuidv7(),
    account,
    owner: 'org-test',
    keyId: null,
    clientOrderId: null,
    terms: {
      side,
      type: price === null ? 'market' : 'limit',
      timeInForce: price === null ? 'IOC' : 'GTC',
      quantity,
      price,
      stopPrice: null,
      expiresAt: null,
      selfTradePrevention: 'cancel_newest',
      hidden: false,
      displayQuantity: null,
      ...terms,
    },
    attributes: 0,
    requires: 0,
    allowanceAsset: null,
    positionAsset: null,
    daily: null,
    factsVersion: 1,
    rulesVersion: 1,
    ...command,
  };
}

export function cancel(account: string, orderId: string): CancelCommand {
  return { type: 'cancel', orderId, account };
}

/** What the ledger says that an account has. */
export async function balanceOf(account: string, asset: string): Promise<{ available: number; held: number }> {
  const balances = await ask('ledger:0', (ledger) => ledger.balances(account));
  const { available = 0, held = 0 } = balances.find((balance) => balance.asset === asset) ?? {};
  return { available, held };
}

/** The order's row in D1, once D1 has all that the ledger has. */
export async function orderRow(orderId: string): Promise<Record<string, unknown> | null> {
  await untilProjected();
  return env.DB.prepare('SELECT * FROM orders WHERE id = ?1').bind(orderId).first();
}

export async function untilProjected(): Promise<void> {
  if (!(await ask('ledger:0', (ledger) => ledger.projected()))) throw new Error('D1 stays behind the ledger');
}
