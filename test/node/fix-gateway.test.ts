import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FixClient, type FixClientOptions, timestamp } from '../../clients/fix/fix-client.ts';
import { readSettings } from '../../containers/fix-gateway/settings.ts';
import type { Gateway } from '../../containers/fix-gateway/start-gateway.ts';
import { startAcceptanceGateway } from '../../scripts/fix/start-acceptance-gateway.ts';

const PASSWORD = 'never-to-be-logged-0123456789';
const folder = () => mkdtempSync(join(tmpdir(), 'fix-gateway-'));

let gateway: Gateway | null = null;
const clients: FixClient[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const client of clients.splice(0)) client.drop();
  await gateway?.drain();
  gateway = null;
});

async function start(
  terms: Partial<Parameters<typeof startAcceptanceGateway>[0]> = {},
  explainsRefusals = false,
): Promise<Gateway> {
  gateway = await startAcceptanceGateway({ storeFolder: folder(), ...terms }, explainsRefusals);
  return gateway;
}

function connect({ port }: Gateway, options: Partial<FixClientOptions> = {}): FixClient {
  const client = new FixClient({
    host: '127.0.0.1',
    port,
    senderCompId: 'TW44',
    targetCompId: 'ISLD',
    username: 'somebody',
    password: PASSWORD,
    ...options,
  });
  clients.push(client);
  return client;
}

describe('the settings of the gateway', () => {
  it('need the address of an exchange, and say all that is wrong at once', () => {
    expect(() => readSettings({})).toThrow('EXCHANGE_URL is not set');
    const wrong = { EXCHANGE_URL: 'ftp://x', FIX_PORT: '70000', FIX_SCHEDULE: 'always', FIX_TLS_CERT: 'cert.pem' };
    expect(() => readSettings(wrong)).toThrow(
      /EXCHANGE_URL.*FIX_PORT=70000.*FIX_TLS_CERT and FIX_TLS_KEY.*FIX_SCHEDULE: always/s,
    );
  });
});

describe('the application of the acceptance scripts', () => {
  it('sends orders back, and a possible repetition only the first time', async () => {
    const client = connect(await start());
    await client.next(({ type }) => type === 'A');
    const body = [
      [11, 'once'],
      [40, 1],
      [54, 1],
      [55, 'X'],
      [60, timestamp(Date.now())],
    ] as const;
    client.send('D', [[97, 'Y'], ...body]);
    expect((await client.next(({ type }) => type === 'D')).get(97)).toBe('Y');
    client.send('D', [[97, 'Y'], ...body]);
    client.send('D', [[11, 'twice'], ...body.slice(1)]);
    expect((await client.next(({ type }) => type === 'D')).get(11)).toBe('twice');
  });
});

describe('the gateway', () => {
  it('asks whether a silent peer is there, who may have asked for no heartbeats', async () => {
    const kept = vi.spyOn(Socket.prototype, 'setKeepAlive');
    const client = connect(await start());
    await client.next(({ type }) => type === 'A');
    expect(kept).toHaveBeenCalledWith(true, 30_000);
  });

  it('takes the connections of a session one at a time', async () => {
    const running = await start();
    const first = connect(running);
    await first.next(({ type }) => type === 'A');
    await expect(connect(running).next(({ type }) => type === 'A')).rejects.toThrow('before the end');
    await first.logout();
    await connect(running).next(({ type }) => type === 'A');
  });

  it.each<[string, Partial<FixClientOptions>, string]>([
    ['an unknown CompID', { targetCompId: 'OTHER' }, 'CompID problem'],
    ['a field that is no flag', { logon: [[141, 'X']] }, 'the logon is not valid'],
    ['a number that is too low', { sequences: { nextSender: 0, nextTarget: 1 } }, 'MsgSeqNum too low'],
  ])(
    'answers a Logon with %s by a Logout that says so, whatever the peer has sent behind it',
    async (_, options, reason) => {
      const client = connect(await start({}, true), options);
      const text = 'x'.repeat(100_000);
      for (let i = 0; i < 20; i++) client.send('0', [[112, text]]);
      expect((await client.next(({ type }) => type === '5')).get(58)).toContain(reason);
      await vi.waitUntil(() => client.isClosed);
    },
  );

  it('passes over a message beyond its limit, says so, and goes on with the session', async () => {
    const client = connect(await start());
    await client.next(({ type }) => type === 'A');
    client.send('D', [
      [11, 'large'],
      [58, 'x'.repeat(1_200_000)],
    ]);
    const refused = await client.next(({ type }) => type === '3');
    expect([refused.get(45), refused.get(371), refused.get(373)]).toEqual(['2', '9', '99']);
    client.send('1', [[112, 'on']]);
    expect((await client.next(({ type }) => type === '0')).get(112)).toBe('on');
    await client.logout();
  });

  it('speaks TLS when it is given a certificate', async () => {
    const [cert, key] = [join(folder(), 'cert.pem'), join(folder(), 'key.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '1'];
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const running = await start({ tls: { certificate: readFileSync(cert), key: readFileSync(key) } });
    const client = connect(running, { tls: true });
    expect((await client.next(({ type }) => type === 'A')).get(108)).toBe('30');
    await expect(connect(running).next(({ type }) => type === 'A')).rejects.toThrow();
  });

  it('says how it is, and logs sessions out before it ends', async () => {
    const running = await start();
    const client = connect(running);
    await client.next(({ type }) => type === 'A');
    const health = await fetch(`http://127.0.0.1:${running.healthPort}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok', sessions: 1 }]);
    const drained = running.drain();
    gateway = null;
    expect((await client.next(({ type }) => type === '5')).get(58)).toBe('the gateway is closing');
    client.send('5', []);
    await drained;
    await expect(fetch(`http://127.0.0.1:${running.healthPort}/healthz`)).rejects.toThrow();
  });

  it('logs one JSON object a line, and no password in any', async () => {
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    const client = connect(await start());
    await client.next(({ type }) => type === 'A');
    await client.logout();
    vi.restoreAllMocks();
    const events = lines.map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toEqual(expect.arrayContaining(['logged_on', 'disconnected']));
    expect(lines.join('')).not.toContain(PASSWORD);
  });
});
