import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import { type LocalSystem, localSystem } from './local-system.ts';
import { paste } from './paste.ts';

let system: LocalSystem;
let printed: string;

beforeAll(async () => {
  // From source and from nothing, as everybody starts it.
  system = await localSystem({ BUILT_WORKERS: '', PREPARED_STATE: '', SERVICES: 'inference,chains,grpc,fix' });
  printed = await system.start();
});

afterAll(async () => {
  await system.stop('SIGTERM');
});

/** Process id of the runtime that listens on a port. */
function listenerOf(port: number): number {
  const listed = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' });
  const line = listed.split('\n').find((each) => each.includes(`--socket-addr=entry=localhost:${port}`));
  return Number(line?.trim().split(' ')[0]);
}

async function order(person: string, side: 'buy' | 'sell'): Promise<Record<string, unknown>> {
  const { id, secret } = demoKeyOf(person);
  const response = await fetch(`${system.origin}/book/v1/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': id, 'x-api-secret': secret },
    body: JSON.stringify({ symbol: 'ACME-USD', side, type: 'limit', price: 25, size: 10 }),
  });
  return (await response.json()) as Record<string, unknown>;
}

async function balancesOf(person: string): Promise<Record<string, unknown>> {
  const { id, secret } = demoKeyOf(person);
  const response = await fetch(`${system.origin}/book/v1/account/balances`, {
    headers: { 'x-api-key': id, 'x-api-secret': secret },
  });
  return (await response.json()) as Record<string, unknown>;
}

describe('npm start', () => {
  test('prints curl lines that work when pasted', () => {
    expect(paste(printed, 'the public book')).toMatchObject({ symbol: 'ACME-USD', bids: [], asks: [] });
    expect(paste(printed, 'a one-time code for Alice')).toMatchObject({ token_type: 'Bearer', expires_in: 7200 });
    expect(paste(printed, 'Bob bids')).toMatchObject({ symbol: 'ACME-USD', side: 'buy', status: 'open' });
    expect(paste(printed, 'the public book')).toMatchObject({ bids: [{ price: 24.5, size: 10 }] });
    expect(paste(printed, 'the lister’s security')).toMatchObject({ status: 'listed', symbol: 'LSRB' });
    expect(paste(printed, 'the agent’s cap table')).toMatchObject({ shares_outstanding: 1000, holders: 1 });
  });

  test('serves every profile under the port that PORT chooses, the issuer included', async () => {
    for (const profile of ['exchange', 'book', 'agent', 'iam']) {
      expect((await fetch(`${system.origin}/${profile}/healthz`)).status).toBe(200);
    }
    const discovery = await fetch(`${system.origin}/iam/.well-known/openid-configuration`);
    expect(await discovery.json()).toMatchObject({ issuer: `${system.origin}/iam` });
  });

  test('lets a limit buy and sell of two demo users meet; the audit of the running system is right', async () => {
    expect(await order('bob', 'buy')).toMatchObject({ status: 'open' });
    expect(await order('alice', 'sell')).toMatchObject({ status: 'filled', average_price: 25 });
    const audit = await system.run('audit');
    expect(audit).toMatchObject({ code: 0, output: expect.stringMatching(/all \d+ checks hold/) });
    expect(audit.output).toMatch(
      /the orders of each trade are a buy of its buyer and a sell of its seller, on its book\s+1 rows {2}holds/,
    );
  });

  test('refuses a second start on the same state, a reset, and work on the ledger, while it runs', async () => {
    expect(await system.run('start')).toMatchObject({
      code: 1,
      output: expect.stringContaining(`running already, on port ${system.port}`),
    });
    for (const script of ['reset', 'ledger:replay', 'ledger:rebuild-read-model'])
      expect(await system.run(script)).toMatchObject({ code: 1, output: expect.stringContaining('Stop it first') });
  });

  test('when the process that listens is killed, says that it answers nothing and serves again; an audit meanwhile ends with a message', async () => {
    const before = await balancesOf('alice');
    process.kill(listenerOf(system.port), 'SIGKILL');
    // The runtime puts another process in its place, which listens and passes nothing on.
    expect(await system.run('audit')).toMatchObject({
      code: 1,
      output: expect.stringMatching(new RegExp(`The system at ${system.origin} (does not answer|cannot be reached)`)),
    });
    await vi.waitFor(
      async () =>
        expect((await fetch(`${system.origin}/book/healthz`, { signal: AbortSignal.timeout(2_000) })).status).toBe(200),
      { timeout: 300_000, interval: 500 },
    );
    expect(await balancesOf('alice')).toEqual(before);
    expect(await system.run('audit')).toMatchObject({ code: 0, output: expect.stringMatching(/all \d+ checks hold/) });
    expect(system.printed()).toContain('the server answers nothing any more');
  });

  test('stops on SIGTERM and frees its port; the replay then reads the state, D1 is written again, the audit is right; a second start keeps the data', async () => {
    const before = await balancesOf('alice');
    expect(await system.stop('SIGTERM')).toMatchObject({ code: 0, output: expect.stringContaining('stopped') });
    await expect(fetch(`${system.origin}/book/healthz`)).rejects.toThrow();
    const replay = await system.run('ledger:replay');
    expect(replay).toMatchObject({ code: 0, output: expect.stringContaining('L1 to L3 and the lots hold') });
    expect(replay.output).toMatch(/^alice-account +acme +1990 /m);
    expect(await system.run('ledger:rebuild-read-model')).toMatchObject({ code: 0 });
    expect(await system.run('audit')).toMatchObject({ code: 0, output: expect.stringMatching(/all \d+ checks hold/) });
    await system.start();
    expect(await balancesOf('alice')).toEqual(before);
  });

  test('with its port in use says so and names the port; npm run reset empties the state', async () => {
    await system.stop('SIGINT');
    const occupant = createServer().listen(system.port, '127.0.0.1');
    expect(await system.run('start')).toMatchObject({
      code: 1,
      output: expect.stringContaining(`Port ${system.port} is in use`),
    });
    occupant.close();
    expect(system.printed()).toContain(`the data stays in ${system.state} until`);
    expect(await system.run('reset')).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${system.state} is empty`),
    });
    expect(await system.run('audit')).toMatchObject({ code: 1, output: expect.stringContaining('no ledger in') });
  });
});
