import type { CallerHeaders, Exchange } from './exchange.ts';
import type { WireFill, WireOrder } from './wire.ts';

const UUID_TIME_DIGITS = 12;

/** The lowest UUIDv7 of a millisecond: a cursor that begins with the trades of a time. */
function cursorAt(time_ms: number): string {
  const time = Math.max(0, Math.floor(time_ms)).toString(16).padStart(UUID_TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** Every fill of the account after a time, oldest first, a page at a time; null, and no more, when the exchange cannot be asked. */
export async function* fillsSince(
  exchange: Exchange,
  caller: CallerHeaders,
  time_ms: number,
): AsyncGenerator<readonly WireFill[] | null> {
  let cursor: string | null = cursorAt(time_ms);
  while (cursor !== null) {
    const answer = await exchange.call('GET', `/v1/fills?cursor=${cursor}`, caller);
    yield answer.type === 'ok' ? (answer.body as { fills: WireFill[] }).fills : null;
    cursor = answer.type === 'ok' ? answer.next : null;
  }
}

/** Every order of the account that is not final; null when the exchange cannot be asked. */
export async function openOrders(exchange: Exchange, caller: CallerHeaders): Promise<WireOrder[] | null> {
  const orders: WireOrder[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await exchange.call('GET', `/v1/orders?status=open${page}`, caller);
    if (answer.type !== 'ok') return null;
    orders.push(...(answer.body as { orders: WireOrder[] }).orders);
    cursor = answer.next;
  }
  return orders;
}
