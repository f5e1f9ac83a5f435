import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FixClient, type FixClientOptions } from '../../clients/fix/fix-client.ts';
import { SessionFile } from '../../containers/fix-gateway/store/session-file.ts';
import { acceptConnection } from '../../containers/fix-gateway/transport/accept-connection.ts';
import { SessionHost } from '../../containers/fix-gateway/transport/session-host.ts';
import type { SessionPort } from '../../containers/fix-gateway/transport/session-port.ts';
import { ok } from '../../domain/result.ts';

/** A store on a disk that may be full. */
class FullableStore extends SessionFile {
  isFull = false;

  override flush(): void {
    if (this.isFull) throw new Error('ENOSPC: no space left on device');
    super.flush();
  }
}

let path: string;
let store: FullableStore;
let server: Server;
let host: SessionHost;
let said: SessionPort;
const clients: FixClient[] = [];

beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  path = join(mkdtempSync(join(tmpdir(), 'fix-host-')), 'session.jsonl');
  store = new FullableStore(path, Date.now());
  const settings = {
    senderCompId: 'US',
    targetCompId: 'PEER',
    resetOnLogon: false,
    explainsRefusals: true,
    isTest: true,
    schedule: null,
    clockSkew_ms_max: 120_000,
    supported: new Set(['D']),
  };
  host = new SessionHost('session', settings, store, (port) => {
    said = port;
    return {
      loggedOn: () => undefined,
      take: (sequence, message) =>
        port.answer(sequence, [{ type: '8', body: [[58, `answer to ${message.fields.at(-1)?.[1]}`]] }]),
      disconnected: () => undefined,
      close: async () => undefined,
    };
  });
  const peer = { session: 'session', compId: 'PEER', applicationOf: () => host.application, admitted: () => undefined };
  server = createServer((socket) =>
    acceptConnection(socket, '127.0.0.1', {
      compId: 'US',
      explainsRefusals: true,
      authenticate: async () => ok(peer),
      hostOf: () => host,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.drop();
  server.close();
  await host.close();
  vi.restoreAllMocks();
});

function connect(options: Partial<FixClientOptions> = {}): FixClient {
  const { port } = server.address() as AddressInfo;
  const names = { senderCompId: 'PEER', targetCompId: 'US', username: 'u', password: 'p' };
  const client = new FixClient({ host: '127.0.0.1', port, ...names, ...options });
  clients.push(client);
  return client;
}

const order = (id: string) =>
  [
    [11, id],
    [55, 'X'],
    [54, 1],
    [60, '20261120-12:00:00'],
    [40, 1],
    [58, id],
  ] as const;

describe('a session whose store takes nothing', () => {
  it('sends nothing, ends its connection, and answers what it took once the store takes it', async () => {
    const client = connect();
    await client.next(({ type }) => type === 'A');
    store.isFull = true;
    client.send('D', order('one'));
    await vi.waitUntil(() => client.isClosed);
    await expect(client.next(({ type }) => type === '8', 50)).rejects.toThrow('before the end, but []');
    await vi.waitUntil(() => !host.isConnected);
    store.isFull = false;
    // Nobody is connected, and nothing is recorded any more: what was is written by itself.
    await vi.waitUntil(() => new SessionFile(path, 0).nextTarget === 3);
    const again = connect({ sequences: client.sequences });
    expect((await again.next(({ type }) => type === '8')).get(58)).toBe('answer to one');
    said.send({ type: '8', body: [[58, 'goes on']] });
    expect((await again.next(({ get }) => get(58) === 'goes on')).type).toBe('8');
  });
});

/** A process with a store, which adds a record and flushes for each message, and says how that went. */
const WRITER = `
  import { SessionFile } from './containers/fix-gateway/store/session-file.ts';
  const store = new SessionFile(process.argv[1], 0);
  let sequence = 0;
  process.on('message', () => {
    store.recordSent({ sequence: ++sequence, text: 'x'.repeat(700) });
    try {
      store.flush();
      process.send('written');
    } catch {
      process.send('failed');
    }
  });
  process.send('ready');
`;

describe.skipIf(process.platform !== 'linux')('a store whose disk is full', () => {
  it('writes all or nothing of a turn, and what it owes once there is room', async () => {
    const full = join(mkdtempSync(join(tmpdir(), 'fix-full-')), 'session.jsonl');
    const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER, full], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const said = async () => (await once(writer, 'message'))[0] as string;
    const roomFor = (bytes: string) => execFileSync('prlimit', [`--fsize=${bytes}`, '--pid', String(writer.pid)]);
    const write = () => {
      const answer = said();
      writer.send('write');
      return answer;
    };
    await said();
    roomFor('2000:unlimited');
    expect([await write(), await write(), await write(), await write()]).toEqual([
      'written',
      'written',
      'failed',
      'failed',
    ]);
    expect(new SessionFile(full, 0).nextSender).toBe(3);
    roomFor('unlimited:unlimited');
    expect(await write()).toBe('written');
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    expect(new SessionFile(full, 0).sent(1, 9)).toHaveLength(5);
  });
});
