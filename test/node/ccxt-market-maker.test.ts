import type { Dict } from 'ccxt';
import { describe, expect, it } from 'vitest';
import { makeMarket } from '../../clients/ccxt/market-maker.ts';
import { driver, NOW, ORDER, refusal, type Sent } from './played-ccxt.ts';

describe('a market maker on ccxt alone', () => {
  const TERMS = { symbol: 'ACME/USD', amount: 1, spread: 0.01, reference: 20, rounds: 4, pauseMs: 0 };
  /** What stands at the exchange, by client order id. */
  function playedMarket(answers: Readonly<Record<string, (sent: Sent, open: Map<string, Dict>) => unknown>> = {}) {
    const open = new Map<string, Dict>([['not-ours', {}]]);
    const place = (asked: Dict) => {
      open.set(asked.client_order_id as string, asked);
      return { ...ORDER, ...asked, status: 'open', filled_size: 0 };
    };
    const calls = Object.entries(answers).map(([name, answer]) => [name, (sent: Sent) => answer(sent, open)]);
    const played = driver({
      ...Object.fromEntries(calls),
      'POST /v1/orders': (sent: Sent) => answers.place?.(sent, open) ?? place(JSON.parse(sent.body) as Dict),
      'DELETE /v1/orders/client/': (sent: Sent) => {
        const answered = answers.cancel?.(sent, open);
        if (answered !== undefined) return answered;
        const id = sent.path.split('/').at(-1) as string;
        return open.delete(id)
          ? { ...ORDER, client_order_id: id, status: 'cancelled' }
          : refusal(404, 'ORDER_NOT_FOUND');
      },
      'GET /v1/orderbook/': {
        symbol: 'ACME-USD',
        bids: [{ price: 19, size: 1 }],
        asks: [{ price: 21, size: 1 }],
        sequence: 1,
        timestamp: NOW,
      },
      'GET /v1/account/balances': { balances: [{ asset: 'ACME', free: 100, locked: 0 }] },
    });
    const clock = { now: NOW };
    const sleep = async (ms: number) => {
      clock.now += ms;
    };
    Object.assign(played.exchange, { milliseconds: () => clock.now, sleep });
    return { ...played, open };
  }

  it('quotes both sides around the middle, cancels what it placed, and leaves nothing of it', async () => {
    let sales = 0;
    const { exchange, sent, open } = playedMarket({
      place: ({ body }) =>
        body.includes('"side":"sell"') && ++sales > 2 ? refusal(400, 'INSUFFICIENT_BALANCE') : undefined,
    });
    const made = await makeMarket(exchange, TERMS);
    expect(made).toEqual({ rounds: 4, placed: 6, refused: { InsufficientFunds: 2 }, inventory: 0 });
    const quoted = sent
      .filter(({ method, path }) => method === 'POST' && path === '/v1/orders')
      .map(({ body }) => body);
    expect(quoted[0]).toContain('"side":"buy","type":"limit","size":1,"price":19.8,"time_in_force":"POST_ONLY"');
    expect(quoted[1]).toContain('"side":"sell","type":"limit","size":1,"price":20.2');
    expect([...open.keys()]).toEqual(['not-ours']);
  });

  it('withdraws a quote whose placement has no answer, and one that arrives late', async () => {
    let placements = 0;
    let late: Dict | null = null;
    let lookups = 0;
    const { exchange, open } = playedMarket({
      place: ({ body }, standing) => {
        placements += 1;
        const asked = JSON.parse(body) as Dict;
        if (placements === 1) standing.set(asked.client_order_id as string, asked);
        if (placements === 2) late = asked;
        return placements > 2 ? undefined : refusal(503, 'SERVICE_UNAVAILABLE');
      },
      cancel: ({ path }, standing) => {
        if (late !== null && path.endsWith(late.client_order_id as string) && ++lookups === 3)
          standing.set(late.client_order_id as string, late);
        return undefined;
      },
    });
    const made = await makeMarket(exchange, { ...TERMS, rounds: 2 });
    expect(made).toMatchObject({ placed: 0, refused: { ExchangeNotAvailable: 2 } });
    expect(lookups).toBe(3);
    expect([...open.keys()]).toEqual(['not-ours']);
  });

  it('tries again where cancels have no answer, and names what may be left', async () => {
    let refusals = 0;
    const again = playedMarket({ cancel: () => (++refusals < 5 ? refusal(503, 'SERVICE_UNAVAILABLE') : undefined) });
    await makeMarket(again.exchange, { ...TERMS, rounds: 1 });
    expect([...again.open.keys()]).toEqual(['not-ours']);
    const never = playedMarket({ cancel: () => refusal(503, 'SERVICE_UNAVAILABLE') });
    await expect(makeMarket(never.exchange, { ...TERMS, rounds: 1 })).rejects.toThrow(/may stand still: \S+, \S+$/);
  });
});
