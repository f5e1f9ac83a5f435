import type { Client } from './client.ts';

/** Body of POST /v1/orders. */
export interface OrderBody {
  readonly assetId: string;
  readonly side: 'BUY' | 'SELL';
  readonly orderType: string;
  readonly quantity: number;
  readonly [field: string]: unknown;
}

export function limitOrder(assetId: string, side: 'BUY' | 'SELL', quantity: number, limitPrice: number): OrderBody {
  return { assetId, side, orderType: 'limit', quantity, limitPrice };
}

/** Places an order that must be accepted, and gives its id. */
export async function placed(client: Client, body: OrderBody): Promise<string> {
  const answer = await client.post<{ data: { orderId: string } }>('/v1/orders', body);
  if (answer.status !== 200) throw new Error(`order refused: ${JSON.stringify(answer.body)}`);
  return answer.body.data.orderId;
}
