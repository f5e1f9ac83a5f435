import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { type Client, credentials, Metadata, makeClientConstructor } from '@grpc/grpc-js';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { FixClient } from '../../clients/fix/fix-client.ts';
import { readSettings as readFixSettings } from '../../containers/fix-gateway/settings.ts';
import { startGateway as startFixGateway } from '../../containers/fix-gateway/start-gateway.ts';
import { exchangeBackend } from '../../containers/fix-gateway/transport/exchange-backend.ts';
import { readSettings as readGrpcSettings } from '../../containers/grpc-gateway/settings.ts';
import { startGateway as startGrpcGateway } from '../../containers/grpc-gateway/start-gateway.ts';
import { type StandInExchange, standInExchange } from '../../containers/grpc-gateway/test/stand-in-exchange.ts';
import { TRADING_SERVICE } from '../../containers/grpc-gateway/trading-service-definition.ts';
import { OrderBookRequestSchema } from '../../protocol/rpc/trading_pb.ts';
import { freePort } from '../../scripts/local/port.ts';
import { type TcpProxy, tcpProxy } from './fixtures/tcp-proxy.ts';

const HEADER_V1 = 'PROXY TCP4 192.0.2.1 203.0.113.5 54321 443\r\n';
/** 2001:db8::1 over IPv6. */
const HEADER_V2 = Buffer.from(
  '0d0a0d0a000d0a515549540a212100242001' + '0db80000000000000000000000012001' + '0db8000000000000000000000002d43101bb',
  'hex',
);
const LOCAL = Buffer.from('0d0a0d0a000d0a515549540a20000000', 'hex');

let exchange: StandInExchange;
let certificate: { readonly cert: string; readonly key: string };
const ends: (() => unknown)[] = [];

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'proxied-'));
  certificate = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '1'];
  execFileSync('openssl', [...request, '-keyout', certificate.key, '-out', certificate.cert], { stdio: 'ignore' });
});

beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  exchange = await standInExchange((_, response) =>
    response.end('{"symbol":"X","bids":[],"asks":[],"sequence":1,"timestamp":1}'),
  );
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await exchange.close();
  vi.restoreAllMocks();
});

/** Client addresses that the exchange was told, one a request. */
const told = () => exchange.requests.map(({ headers }) => headers['x-gateway-client-address']);

type Terms = { readonly tls?: boolean; readonly proxies?: string };

async function fixGateway({ tls = false, proxies = '127.0.0.0/8' }: Terms): Promise<number> {
  const settings = readFixSettings({
    EXCHANGE_URL: exchange.url.href,
    GATEWAY_SECRET: 'secret',
    FIX_HOST: '127.0.0.1',
    FIX_STORE: mkdtempSync(join(tmpdir(), 'proxied-')),
    FIX_PROXIES: proxies,
    ...(tls ? { FIX_TLS_CERT: certificate.cert, FIX_TLS_KEY: certificate.key } : {}),
  });
  const gateway = await startFixGateway(
    { ...settings, port: 0, healthPort: 0, drain_ms: 100 },
    exchangeBackend(settings),
  );
  ends.push(() => gateway.drain());
  return gateway.port;
}

async function grpcGateway({ tls = false, proxies = '127.0.0.0/8' }: Terms): Promise<number> {
  const settings = readGrpcSettings({
    EXCHANGE_URL: exchange.url.href,
    GATEWAY_SECRET: 'secret',
    GRPC_HOST: '127.0.0.1',
    GRPC_PROXIES: proxies,
    ...(tls ? { GRPC_TLS_CERT: certificate.cert, GRPC_TLS_KEY: certificate.key } : {}),
  });
  const gateway = await startGrpcGateway({ ...settings, port: 0, drain_ms: 100 });
  ends.push(() => gateway.drain());
  return gateway.port;
}

async function proxyTo(target: number, header: string | Buffer, localPort?: number): Promise<TcpProxy> {
  const proxy = await tcpProxy({ target, header, ...(localPort === undefined ? {} : { localPort }) });
  ends.push(() => proxy.close());
  return proxy;
}

/** On a machine that is busy with other things. */
const ANSWERED_MS_MAX = 30_000;

/** Logs on, which makes the gateway ask the exchange. */
async function logOn(port: number, { tls = false }: Terms): Promise<void> {
  const names = { senderCompId: 'SOMEBODY', targetCompId: 'EXCHANGE', username: 'key', password: 'secret' };
  const client = new FixClient({ host: '127.0.0.1', port, tls, logon: [[141, 'Y']], ...names });
  ends.push(() => client.drop());
  await client.next(({ type }) => type === 'A', ANSWERED_MS_MAX);
}

/** Asks for a book over a connection of its own, which makes the gateway ask the exchange. */
function askBook(port: number, { tls = false }: Terms): Promise<void> {
  const Trading = makeClientConstructor(TRADING_SERVICE, 'TradingService');
  const channel = tls
    ? credentials.createSsl(null, null, null, { checkServerIdentity: () => undefined, rejectUnauthorized: false })
    : credentials.createInsecure();
  const client: Client = new Trading(`127.0.0.1:${port}`, channel, { 'grpc.use_local_subchannel_pool': 1 });
  ends.push(() => client.close());
  const { path, requestSerialize, responseDeserialize } = TRADING_SERVICE.GetOrderBook;
  const request = create(OrderBookRequestSchema, { symbol: 'X' });
  return new Promise((resolve, reject) =>
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      new Metadata(),
      { deadline: Date.now() + ANSWERED_MS_MAX },
      (error) => (error === null ? resolve() : reject(error)),
    ),
  );
}

describe.each([
  ['the FIX gateway', fixGateway, logOn],
  ['the gRPC gateway', grpcGateway, askBook],
])('%s', (_, start, use) => {
  test.each([
    ['plaintext', 'version 1', false, HEADER_V1, '192.0.2.1'],
    ['plaintext', 'version 2', false, HEADER_V2, '2001:db8:0:0:0:0:0:1'],
    ['TLS', 'version 1', true, HEADER_V1, '192.0.2.1'],
    ['TLS', 'version 2', true, HEADER_V2, '2001:db8:0:0:0:0:0:1'],
    ['plaintext', 'LOCAL', false, LOCAL, '127.0.0.1'],
  ])('forwards the address of a PROXY header, over %s, by %s', async (_transport, _version, tls, header, client) => {
    const proxy = await proxyTo(await start({ tls }), header);
    await use(proxy.port, { tls });
    expect(told()[0]).toBe(client);
  });

  test.each([false, true])('knows the next client of a port that its proxy uses again (TLS: %s)', async (tls) => {
    const port = await start({ tls });
    const localPort = await freePort();
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      const asked = exchange.requests.length;
      // Until the gateway has seen the end of the connection before, another one of its port is refused, and asked for again.
      for (let isTaken = false; !isTaken; ) {
        const proxy = await proxyTo(port, HEADER_V1.replace('192.0.2.1', address), localPort);
        isTaken = await use(proxy.port, { tls }).then(
          () => true,
          () => false,
        );
        proxy.reset();
      }
      expect(told()[asked]).toBe(address);
    }
  });

  test('closes the connection of a proxy that sends no header', async () => {
    const port = await start({});
    await expect(use(port, {})).rejects.toThrow();
    expect(told()).toEqual([]);
  });

  test('believes no header of anyone else', async () => {
    const proxy = await proxyTo(await start({ proxies: '198.51.100.0/24' }), HEADER_V1);
    await expect(use(proxy.port, {})).rejects.toThrow();
    expect(told()).toEqual([]);
  });

  test('takes others than its proxies for who they are', async () => {
    await use(await start({ proxies: '198.51.100.0/24' }), {});
    expect(told()[0]).toBe('127.0.0.1');
  });

  test('looks for no header unless it is told whose', async () => {
    await use(await start({ proxies: '' }), {});
    expect(told()[0]).toBe('127.0.0.1');
  });
});
