import type {
  BrokerOrder,
  BrokerOrderPage,
  BrokerOrderTerms,
  BrokerRefusal,
  BrokerReplacement,
  BrokerUnavailable,
} from '../../../domain/broker/broker-client.ts';
import { OPEN_ORDERS_PAGE_MAX } from '../../../domain/broker/broker-client.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type HttpAnswer, recordOf, unavailable } from '../ask-http.ts';
import { remember } from '../remember.ts';
import { type AlpacaRequest, type AlpacaSettings, askAlpaca, refusalOf } from './alpaca-http.ts';
import {
  type AlpacaOrder,
  isPassing,
  isSameRequest,
  nameOfRevision,
  orderOfChain,
  readAlpacaOrder,
} from './alpaca-order.ts';

/** Replacements of one order that are followed. */
const LINKS_MAX = 50;
/** A request that was not answered may still arrive, or its order not be shown yet, for so long. */
const ARRIVAL_MS_MAX = 30_000;
/** Requests of that kind that are remembered. */
const UNANSWERED_MAX = 10_000;

type Failure = BrokerRefusal | BrokerUnavailable;
/** An order and its replacements, the first one first; empty where there is none. */
type Chain = readonly AlpacaOrder[];

/** Orders of Alpaca's Trading API v2 (docs/design/broker.md#alpaca). */
export class AlpacaOrders {
  readonly #settings: AlpacaSettings;
  /** When an order was last submitted without an answer. */
  readonly #unanswered = new Map<string, number>();

  constructor(settings: AlpacaSettings) {
    this.#settings = settings;
  }

  async submit(order: BrokerOrderTerms): Promise<Result<BrokerOrder, Failure>> {
    const answer = await this.#ask('/v2/orders', { method: 'POST', body: bodyOf(order) });
    if (!answer.ok) {
      remember(this.#unanswered, order.clientOrderId, Date.now(), UNANSWERED_MAX);
      return answer;
    }
    const { status } = answer.value;
    if (status === 200) return answered(readAlpacaOrder(answer.value.body));
    // An id that is taken is answered as an order that cannot be read, or as one that the account cannot bear because it bears it already:
    // which it was, the order itself says.
    const chain = await this.chain(order.clientOrderId);
    if (!chain.ok) return chain;
    const [first] = chain.value;
    if (first === undefined) {
      if (this.#mayArrive(order.clientOrderId)) return unavailable('an earlier request may still arrive');
      return refused(status === 403 ? 'account_limit' : 'invalid_order', answer.value);
    }
    if (!isSameRequest(first.terms, order)) return refused('conflict', answer.value);
    return answered(...chain.value);
  }

  async cancel(clientOrderId: string): Promise<Result<null, Failure>> {
    const found = await this.#last(clientOrderId);
    if (!found.ok) return found;
    const answer = await this.#ask(`/v2/orders/${found.value.id}`, { method: 'DELETE' });
    if (!answer.ok) return answer;
    const { status } = answer.value;
    if (status === 204 || status === 200) return ok(null);
    return refused(status === 404 ? 'unknown_order' : 'order_ended', answer.value);
  }

  async replace(clientOrderId: string, change: BrokerReplacement): Promise<Result<null, Failure>> {
    const found = await this.#last(clientOrderId);
    if (!found.ok) return found;
    const last = found.value;
    if (last.revision >= change.revision) return ok(null);
    if (isPassing(last)) return unavailable(`the order is ${last.status}`);
    const answer = await this.#ask(`/v2/orders/${last.id}`, {
      method: 'PATCH',
      body: {
        qty: change.quantity,
        ...(change.limitPrice === null ? {} : { limit_price: change.limitPrice }),
        client_order_id: nameOfRevision(clientOrderId, change.revision),
      },
    });
    if (!answer.ok) return answer;
    const { status } = answer.value;
    if (status === 200) return ok(null);
    if (status === 404) return refused('unknown_order', answer.value);
    const isOver = orderOfChain([last])?.status !== 'open';
    return refused(isOver ? 'order_ended' : 'invalid_order', answer.value);
  }

  async order(clientOrderId: string): Promise<Result<BrokerOrder | null, BrokerUnavailable>> {
    const chain = await this.chain(clientOrderId);
    return chain.ok ? ok(orderOfChain(chain.value)) : chain;
  }

  /** @param page when the last order of the page before was submitted, in Alpaca's words */
  async openOrders(symbol: string, page: string | null): Promise<Result<BrokerOrderPage, BrokerUnavailable>> {
    const answer = await this.#ask('/v2/orders', {
      query: {
        status: 'open',
        symbols: symbol,
        limit: String(OPEN_ORDERS_PAGE_MAX),
        direction: 'asc',
        nested: 'false',
        ...(page === null ? {} : { after: page }),
      },
    });
    if (!answer.ok) return answer;
    const { body } = answer.value;
    if (answer.value.status !== 200 || !Array.isArray(body)) return unavailable(`status ${answer.value.status}`);
    const orders: BrokerOrder[] = [];
    for (const each of body) {
      const read = readAlpacaOrder(each);
      if (read === null) continue;
      // What was filled before a replacement stands in the orders that it replaced.
      const chain = read.revision === 0 ? ok([read]) : await this.chain(read.clientOrderId);
      if (!chain.ok) return chain;
      const order = orderOfChain(chain.value);
      if (order !== null) orders.push(order);
    }
    const submittedAt = recordOf(body.at(-1))?.submitted_at;
    const isFull = body.length >= OPEN_ORDERS_PAGE_MAX && typeof submittedAt === 'string';
    return ok({ orders, next: isFull ? submittedAt : null });
  }

  /** An order with its replacements, by the exchange's id. */
  async chain(clientOrderId: string): Promise<Result<Chain, BrokerUnavailable>> {
    const chain: AlpacaOrder[] = [];
    let next = await this.#find('/v2/orders:by_client_order_id', { client_order_id: clientOrderId });
    while (next.ok && next.value !== null && chain.length < LINKS_MAX) {
      chain.push(next.value);
      if (next.value.replacedBy === null) break;
      next = await this.#find(`/v2/orders/${next.value.replacedBy}`);
    }
    return next.ok ? ok(chain) : next;
  }

  /** An order by Alpaca's own id; null where it is none of the exchange's. */
  async byId(id: string): Promise<Result<AlpacaOrder | null, BrokerUnavailable>> {
    const body = await this.#read(`/v2/orders/${id}`);
    return body.ok ? ok(readAlpacaOrder(body.value?.order)) : body;
  }

  /** An order of the exchange's; null where there is none. */
  async #find(path: string, query = {}): Promise<Result<AlpacaOrder | null, BrokerUnavailable>> {
    const body = await this.#read(path, query);
    if (!body.ok) return body;
    if (body.value === null) return ok(null);
    const order = readAlpacaOrder(body.value.order);
    return order === null ? unavailable('an order that cannot be read') : ok(order);
  }

  /** What stands there; null where there is nothing. */
  async #read(path: string, query = {}): Promise<Result<{ readonly order: unknown } | null, BrokerUnavailable>> {
    const answer = await this.#ask(path, { query });
    if (!answer.ok) return answer;
    const { status, body } = answer.value;
    if (status === 404) return ok(null);
    return status === 200 ? ok({ order: body }) : unavailable(`status ${status}`);
  }

  #mayArrive(clientOrderId: string): boolean {
    const since = this.#unanswered.get(clientOrderId);
    return since !== undefined && Date.now() - since < ARRIVAL_MS_MAX;
  }

  async #last(clientOrderId: string): Promise<Result<AlpacaOrder, Failure>> {
    const chain = await this.chain(clientOrderId);
    if (!chain.ok) return chain;
    const last = chain.value.at(-1);
    return last === undefined ? refusedAs('unknown_order', 'there is no order under this id') : ok(last);
  }

  #ask(path: string, request: AlpacaRequest): Promise<Result<HttpAnswer, BrokerUnavailable>> {
    return askAlpaca(`${this.#settings.baseUrl}${path}`, this.#settings, request);
  }
}

function bodyOf(order: BrokerOrderTerms): Record<string, string> {
  return {
    symbol: order.symbol,
    qty: order.quantity,
    side: order.side,
    type: order.type,
    time_in_force: order.timeInForce,
    ...(order.limitPrice === null ? {} : { limit_price: order.limitPrice }),
    ...(order.stopPrice === null ? {} : { stop_price: order.stopPrice }),
    client_order_id: order.clientOrderId,
  };
}

function answered(...chain: readonly (AlpacaOrder | null)[]): Result<BrokerOrder, BrokerUnavailable> {
  const order = orderOfChain(chain.filter((link) => link !== null));
  return order === null ? unavailable('an order that cannot be read') : ok(order);
}

function refused(code: BrokerRefusal['code'], answer: HttpAnswer) {
  return refusedAs(code, refusalOf(answer).message);
}

function refusedAs(code: BrokerRefusal['code'], detail: string) {
  return err({ reason: 'refused', code, detail } satisfies BrokerRefusal);
}
