import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { LocalSystem } from './local-system.ts';

const AT_ONCE = 3;
const REST_MS = 100;
const ANSWER_WAIT_MS = 30_000;
/** What the local system gives its gateways, which say from where their clients come. */
const GATEWAY_SECRET = 'local-only-gateway-secret-0123456789';

/** Nobody that the venue knows, from many addresses: unknown keys, names that are not there, sockets that ask for nonsense. */
export class Strangers {
  asked = 0;
  /** Answers with status 500, each of which is a defect. */
  readonly bugs: string[] = [];
  readonly #system: LocalSystem;

  constructor(system: LocalSystem) {
    this.#system = system;
  }

  async flood(isOver: () => boolean): Promise<void> {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => this.#one(at, isOver)));
  }

  async #one(at: number, isOver: () => boolean): Promise<void> {
    for (let turn = at; !isOver(); turn += AT_ONCE) {
      const ask = ASKED[turn % ASKED.length] ?? unknownKey;
      this.asked += 1;
      await ask(this.#system.origin, turn)
        .then(async (response) => {
          const text = (await response?.text()) ?? '';
          if (response?.status === 500) this.bugs.push(`${response.url}: ${text}`);
        })
        // While everything is killed nobody answers.
        .catch(() => undefined);
      await wait(REST_MS);
    }
  }
}

type Ask = (origin: string, turn: number) => Promise<Response | null>;

const addressOf = (turn: number) => `10.${(turn >> 8) & 255}.${turn & 255}.${1 + (turn % 200)}`;
const from = (turn: number) => ({
  'x-gateway-secret': GATEWAY_SECRET,
  'x-gateway-client-address': addressOf(turn),
});
const ask = (url: string, turn: number, init: RequestInit = {}) =>
  fetch(url, {
    ...init,
    headers: { ...from(turn), ...(init.headers as Record<string, string>) },
    signal: AbortSignal.timeout(ANSWER_WAIT_MS),
  });
const unknownKeyHeaders = () => ({ 'x-api-key': crypto.randomUUID(), 'x-api-secret': 'nobody-knows-this-secret' });

const unknownKey: Ask = (origin, turn) =>
  ask(`${origin}/book/v1/account/balances`, turn, { headers: unknownKeyHeaders() });
const unknownSymbol: Ask = (origin, turn) => ask(`${origin}/book/v1/orderbook/NONE${turn}-USD?depth=${turn}`, turn);
const orderOfNobody: Ask = (origin, turn) =>
  ask(`${origin}/book/v1/orders`, turn, {
    method: 'POST',
    headers: { ...unknownKeyHeaders(), 'content-type': 'application/json' },
    body: `{"symbol":"${'X'.repeat(1_000)}`,
  });
const wrongSecret: Ask = (origin, turn) =>
  ask(`${origin}/iam/api/login/oauth/access_token`, turn, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: `nobody-${turn}`, client_secret: 'x' }),
  });
const noToken: Ask = (origin, turn) => ask(`${origin}/partner/v1/securities/${crypto.randomUUID()}`, turn);
const noTool: Ask = (origin, turn) =>
  ask(`${origin}/agent/mcp`, turn, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer nothing' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
  });

const nonsenseOnSocket: Ask = async (origin, turn) => {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/book/v1/ws`, {
    headers: from(turn),
    handshakeTimeout: ANSWER_WAIT_MS,
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await Promise.race([once(socket, 'open'), closed]);
  for (let at = 0; at < 20 && socket.readyState === WebSocket.OPEN; at++)
    socket.send(JSON.stringify({ type: 'subscribe', channel: 'orderbook', symbol: 'ACME-USD', depth: 7 * at + turn }));
  socket.close();
  await closed;
  return null;
};

const ASKED: readonly Ask[] = [
  unknownKey,
  unknownSymbol,
  orderOfNobody,
  wrongSecret,
  noToken,
  noTool,
  nonsenseOnSocket,
];
