import { EdgeExchange } from '../../clients/ccxt/edge-exchange.ts';

export const BASE = 'http://exchange.example/book';
export const NOW = 1_796_000_000_000;

export const MARKET = {
  symbol: 'ACME-USD',
  base_asset: 'ACME',
  quote_asset: 'USD',
  status: 'open',
  halted_until: null,
  tick_size: 0.01,
  lot_size: 1,
  size_min: 1,
  size_max: 1_000,
  notional_min: 1,
  price_decimals: 2,
  size_decimals: 0,
  maker_fee_bps: 5,
  taker_fee_bps: 12,
};
export const ORDER = {
  order_id: 'o-1',
  client_order_id: 'c-1',
  symbol: 'ACME-USD',
  side: 'buy',
  type: 'limit',
  time_in_force: 'GTC',
  price: 20.1,
  stop_price: null,
  size: 10,
  filled_size: 4,
  remaining_size: 6,
  average_price: 20.05,
  status: 'partially_filled',
  reason: null,
  expires_at: null,
  created_at: NOW,
  updated_at: NOW + 5,
};

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}
type Answer = unknown | ((sent: Sent) => unknown);

/** An answer with its status, where it is none of 200, and the cursor that its Link header leads to. */
interface Told {
  readonly status?: unknown;
  readonly next?: string | number;
}

/** A driver whose network is a table: the first entry that a call begins with answers it. */
export function driver(answers: Readonly<Record<string, Answer>> = {}, options: object = {}) {
  const sent: Sent[] = [];
  const known: Readonly<Record<string, Answer>> = {
    ...answers,
    'GET /v1/markets': { markets: [MARKET] },
    'GET /v1/currencies': {
      currencies: [
        { asset: 'ACME', name: 'Acme Robotics', type: 'privates', decimals: 0 },
        { asset: 'USD', name: 'US dollar', type: 'currency', decimals: 2 },
      ],
    },
  };
  const fetchImplementation = async (url: string, init: { method: string; headers: object; body?: string }) => {
    const { pathname, search } = new URL(url);
    const headers = Object.fromEntries(
      Object.entries(init.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
    const call = {
      method: init.method,
      path: pathname.replace(/^\/book/, '') + search,
      headers,
      body: init.body ?? '',
    };
    sent.push(call);
    const name = Object.keys(known).find((each) => `${call.method} ${call.path}`.startsWith(each));
    const answer = name === undefined ? { status: 404, error: { code: 'NOT_FOUND' } } : known[name];
    const { next, ...told } = (typeof answer === 'function' ? answer(call) : answer) as Told;
    const status = typeof told.status === 'number' ? told.status : 200;
    const link = next === undefined ? {} : { link: `<${BASE}/elsewhere?cursor=${next}>; rel="next"` };
    return new Response(JSON.stringify(told), { status, headers: { 'content-type': 'application/json', ...link } });
  };
  const exchange = new EdgeExchange({
    apiKey: 'k',
    secret: 's',
    enableRateLimit: false,
    urls: { api: { public: BASE, private: BASE } },
    options,
  } as never);
  Object.assign(exchange, { fetchImplementation });
  return { exchange, sent };
}

export const refusal = (status: number, code: string, details: object = {}) => ({
  status,
  error: { code, message: 'no', details },
});
export const lastOf = (sent: readonly Sent[]) => sent.at(-1) as Sent;
