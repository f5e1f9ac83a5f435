import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CallerHeaders, Exchange } from '../application/exchange.ts';
import { OrderNames } from '../application/order-names.ts';
import type { Field } from '../codec/fix-message.ts';
import { SessionFile } from '../store/session-file.ts';
import { exchangeAuthenticator } from './exchange-authenticator.ts';

const KEY = '01a224cf-8986-7559-8032-78d047c908d8';

it('X-12: lets one key in as one session, however its id is written', async () => {
  const callers: CallerHeaders[] = [];
  const exchange: Exchange = {
    call: async (_method, _path, caller) => {
      callers.push(caller);
      return { type: 'ok', body: { orders: [] }, next: null };
    },
    feedUrl: new URL('ws://127.0.0.1:1'),
    isHealthy: async () => true,
    close: async () => undefined,
  };
  const names = new SessionFile(join(mkdtempSync(join(tmpdir(), 'fix-names-')), 'names.jsonl'), 0);
  const authenticate = exchangeAuthenticator(exchange, new OrderNames(names), {
    compId: 'EXCHANGE',
    gatewaySecret: null,
  });
  const sessionOf = async (username: string) => {
    const fields: Field[] = [
      [49, 'DESK'],
      [56, 'EXCHANGE'],
      [553, username],
      [554, 'secret'],
    ];
    const peer = await authenticate({ fields, text: '' }, '127.0.0.1');
    return peer.ok ? peer.value.session : peer.error;
  };
  expect([await sessionOf(KEY.toUpperCase()), await sessionOf(KEY)]).toEqual([`${KEY}/DESK`, `${KEY}/DESK`]);
  expect(callers.map((caller) => caller['x-api-key'])).toEqual([KEY, KEY]);
});
