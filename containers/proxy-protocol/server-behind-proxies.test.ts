import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { parseSettings } from '../process/parse-settings.ts';
import { ProxiedPeers } from './proxied-peers.ts';
import { serverBehindProxies } from './server-behind-proxies.ts';

const HEADER = 'PROXY TCP4 192.0.2.1 203.0.113.5 54321 443\r\n';
const LOCAL_V2 = Buffer.from('0d0a0d0a000d0a515549540a20000000', 'hex');

let server: Server;
const sockets: Socket[] = [];

afterEach(() => {
  server.close();
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Writes of a peer, one packet each, and what became of the connection. */
async function send(proxies: readonly string[], writes: readonly (string | Buffer)[], headerWait_ms = 60_000) {
  const peers = new ProxiedPeers();
  const refusals: string[] = [];
  const taken: { client: string | null; said: string }[] = [];
  server = serverBehindProxies({
    proxies,
    peers,
    headerWait_ms,
    accept(socket) {
      sockets.push(socket);
      const connection = { client: peers.clientOf(`${socket.remoteAddress}:${socket.remotePort}`), said: '' };
      taken.push(connection);
      socket.setEncoding('latin1').on('data', (text: string) => {
        connection.said += text;
      });
    },
    refused: (_, reason) => refusals.push(reason),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
  sockets.push(socket);
  const closed = once(socket.resume(), 'close');
  await once(socket, 'connect');
  for (const bytes of writes) {
    socket.write(bytes);
    await wait(2);
  }
  return { socket, closed, taken, refusals, peers };
}

describe('a connection from a trusted proxy', () => {
  test('is its client’s, and goes on after the header', async () => {
    const { taken } = await send(['127.0.0.0/8'], [`${HEADER}8=FIX`, '.4.4']);
    await expect.poll(() => taken).toEqual([{ client: '192.0.2.1', said: '8=FIX.4.4' }]);
  });

  test('may bring its header byte by byte', async () => {
    const { taken } = await send(['127.0.0.1'], [...HEADER, 'first', 'second']);
    await expect.poll(() => taken).toEqual([{ client: '192.0.2.1', said: 'firstsecond' }]);
  });

  test('is the proxy’s own by LOCAL, as for its health checks', async () => {
    const { taken } = await send(['127.0.0.1'], [LOCAL_V2, 'ping']);
    await expect.poll(() => taken).toEqual([{ client: null, said: 'ping' }]);
  });

  test.each([
    ['without a header', '8=FIX.4.4', 'no PROXY header'],
    ['with a malformed one', 'PROXY TCP4 somebody 203.0.113.5 1 2\r\n', 'malformed line'],
  ])('is closed %s', async (_, bytes, reason) => {
    const { taken, refusals, closed } = await send(['127.0.0.1'], [bytes]);
    await closed;
    expect([taken, refusals]).toEqual([[], [reason]]);
  });

  test('is closed when its header does not come in time, whole', async () => {
    const { taken, refusals, closed } = await send(['127.0.0.1'], ['PROXY TCP4 192.'], 50);
    await closed;
    expect([taken, refusals]).toEqual([[], ['no PROXY header in time']]);
  });

  test('may come and go without a word, as health checks do', async () => {
    const { socket, taken, refusals } = await send(['127.0.0.1'], []);
    socket.end();
    await once(socket, 'close');
    expect([taken, refusals]).toEqual([[], []]);
  });

  test('is forgotten when it closes', async () => {
    const { socket, taken, peers } = await send(['127.0.0.1'], [HEADER]);
    const peer = `127.0.0.1:${socket.localPort}`;
    await expect.poll(() => taken.length).toBe(1);
    expect(peers.clientOf(peer)).toBe('192.0.2.1');
    socket.destroy();
    await expect.poll(() => peers.clientOf(peer)).toBeNull();
  });
});

describe('a connection from anyone else', () => {
  test('is taken for who it is, whatever header it sends', async () => {
    const { taken } = await send(['10.0.0.0/8'], [`${HEADER}hello`]);
    await expect.poll(() => taken).toEqual([{ client: null, said: `${HEADER}hello` }]);
  });
});

describe('the setting', () => {
  const proxiesOf = (text: string | undefined) => parseSettings({ X: text }, (from) => from.proxies('X'));

  test('lists addresses and CIDR blocks, and trusts nobody when it is empty', () => {
    expect(proxiesOf(' 10.0.0.0/8, 2001:db8::7 ,')).toEqual(['10.0.0.0/8', '2001:db8::7']);
    expect([proxiesOf(''), proxiesOf(undefined)]).toEqual([[], []]);
    expect(() => proxiesOf('10.0.0.0/40')).toThrow('X: 10.0.0.0/40 is neither an address nor a CIDR block');
  });
});
