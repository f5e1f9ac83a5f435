import type { components, paths } from './generated/book-api.ts';
import { bookOperations } from './generated/book-operations.ts';
import { compare, type Decimal } from './numbers/decimal.ts';
import { ProfileClient } from './profile-client.ts';
import type { CallOptions } from './wire/call-types.ts';
import { type Answered, ExchangeError, type Failure, failureOf, OTHER_REQUEST } from './wire/failure.ts';
import type { TransportOptions } from './wire/transport.ts';

export type { components as BookTypes, paths as BookPaths } from './generated/book-api.ts';

export type Order = components['schemas']['Order'];
export type OrderRequest = components['schemas']['OrderRequest'];
export type Fill = components['schemas']['Fill'];

/** The order book (profile B). */
export class BookClient extends ProfileClient<paths> {
  constructor(options: TransportOptions) {
    super(options, bookOperations);
  }

  /**
   * Places an order once, whatever is lost on the way: its client order id, which is made where it is left out, is the Idempotency-Key,
   * too. Where the account has the same order under that id already, in whatever writing, it is read and returned; another one is CONFLICT.
   * After 24 hours look for the order first (`calledOrder`): the exchange forgets ids of orders that have ended.
   */
  async placeOrder(request: OrderRequest, { signal }: CallOptions = {}): Promise<Order> {
    const clientOrderId = request.client_order_id ?? crypto.randomUUID();
    const body = { ...request, client_order_id: clientOrderId };
    try {
      return await this.post('/v1/orders', { body, idempotencyKey: clientOrderId, signal });
    } catch (error) {
      const answer = answerOfTakenId(failureOf(error));
      const existing = answer === null ? null : await this.calledOrder(clientOrderId, { signal });
      if (answer === null || existing === null) throw error;
      if (isSameOrder(existing, body)) return existing;
      throw answer.code === OTHER_REQUEST ? new ExchangeError(conflictWith(existing, answer)) : error;
    }
  }

  /** The order of this client order id, or null where the account has none. */
  async calledOrder(clientOrderId: string, { signal }: CallOptions = {}): Promise<Order | null> {
    try {
      return await this.get('/v1/orders/client/{client_order_id}', {
        path: { client_order_id: clientOrderId },
        signal,
      });
    } catch (error) {
      const failure = failureOf(error);
      if (failure?.kind === 'refused' && failure.code === 'ORDER_NOT_FOUND') return null;
      throw error;
    }
  }

  /**
   * Cancels the order of this client order id; returns it as it then stands, also where it had ended before, and null where the account has
   * none. Where it still shows as open, ask again.
   */
  async cancelCalledOrder(clientOrderId: string, { signal }: CallOptions = {}): Promise<Order | null> {
    try {
      const path = { client_order_id: clientOrderId };
      return await this.delete('/v1/orders/client/{client_order_id}', { path, signal });
    } catch (error) {
      const failure = failureOf(error);
      const isOver = failure?.kind === 'refused' && OVER.includes(failure.code);
      if (!isOver) throw error;
    }
    return await this.calledOrder(clientOrderId, { signal });
  }

  /** Orders of the account, newest first. */
  async *orders(
    query: NonNullable<paths['/v1/orders']['get']['parameters']['query']> = {},
    { signal }: CallOptions = {},
  ): AsyncGenerator<Order, void, undefined> {
    for await (const { orders } of this.pages('/v1/orders', { query, signal })) yield* orders;
  }

  /** Fills of the account. */
  async *fills(
    query: NonNullable<paths['/v1/fills']['get']['parameters']['query']> = {},
    { signal }: CallOptions = {},
  ): AsyncGenerator<Fill, void, undefined> {
    for await (const { fills } of this.pages('/v1/fills', { query, signal })) yield* fills;
  }

  /** Measures how far the exchange's clock is ahead of ours, in milliseconds; signatures go by it from then on. */
  async measureClock({ signal }: CallOptions = {}): Promise<number> {
    const { clock } = this.transport;
    const sentAt = clock.read();
    const { timestamp } = await this.get('/v1/time', { signal });
    clock.measured(Number(timestamp), sentAt, clock.read());
    return clock.skewMs;
  }
}

const OVER: readonly string[] = ['ORDER_NOT_CANCELLABLE', 'ORDER_NOT_FOUND'];

/** The answer by which an order may stand under the id already: the order's own id is taken, or the key by a request in another writing. */
function answerOfTakenId(failure: Failure | null): Answered | null {
  if (failure?.kind === 'refused' && failure.code === 'CONFLICT') return failure;
  if (failure?.kind === 'outcome_unknown' && failure.answer?.code === OTHER_REQUEST) return failure.answer;
  return null;
}

/** What the exchange answers once it has forgotten the key. */
function conflictWith({ order_id }: Order, { requestId }: Answered): Failure {
  const message = 'an order of this client order id has other terms';
  return {
    kind: 'refused',
    status: 409,
    code: 'CONFLICT',
    message,
    details: { existing_order_id: order_id },
    requestId,
  };
}

/** Whether an order is the one that a repeated request asks for: every term that an order shows is the same. */
export function isSameOrder(order: Order, request: OrderRequest): boolean {
  const { symbol, side, type, size, price = null, stop_price = null, expires_at = null } = request;
  return (
    order.symbol === symbol &&
    order.side === side &&
    order.type === type &&
    isSameTime(order.time_in_force, request) &&
    isSameAmount(order.size, size) &&
    isSameAmount(order.price, price) &&
    isSameAmount(order.stop_price, stop_price) &&
    isSameAmount(order.expires_at, expires_at)
  );
}

function isSameAmount(shown: Decimal | null, asked: Decimal | null): boolean {
  return shown === null || asked === null ? shown === asked : compare(shown, asked) === 0;
}

function isSameTime(shown: string, { type, time_in_force = null }: OrderRequest): boolean {
  return shown === (time_in_force ?? (type === 'market' ? 'IOC' : 'GTC'));
}
