import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { type Address, createPublicClient, http } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import { REGISTRY_ABI } from '../../protocol/registry/registry-abi.ts';
import { anvilPath, type Devnet, devnetAccount, startDevnet } from '../../scripts/contracts/devnet.ts';
import { CHAINS, deployRegistry } from '../../scripts/contracts/registry-deployment.ts';
import { applyAsPartner, type PartnerSession } from '../../scripts/demo-partner/partner-session.ts';
import { freePort } from '../../scripts/local/port.ts';
import { type Session, signIn } from '../../scripts/local/session.ts';
import { type ReceivedWebhook, startWebhookReceiver } from '../node/fixtures/webhook-receiver.ts';
import { type FaultyRpc, faultyRpc } from './faulty-rpc.ts';
import { listSecurity } from './list-security.ts';
import { type LocalSystem, localSystem } from './local-system.ts';
import { PatientClient } from './patient-client.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const OPERATOR_PHONE = '+15550100001';
const SELLER = demoKeyOf('alice');
const BUYER = demoKeyOf('carol');
const TRADES_MAX = 90;
/** Between two trades. */
const PACE_MS = 400;
/** What was told to a process that is gone is found by the clock within five minutes, and the recorder waits for a minute at most. */
const CATCH_UP_MS = 420_000;
const PAGE = 50;

const hasAnvil = anvilPath() !== null;
if (!hasAnvil) console.warn('the settlement chain is not tested: there is no devnet for this machine');

interface ChainStatus {
  readonly blocks: { readonly height: number; readonly finalHeight: number; readonly checkpointHeight: number };
  readonly checkpoints: { readonly number: number };
  readonly registry: { readonly waiting: number; readonly height: number; readonly checkpoint: number };
}

describe.skipIf(!hasAnvil)('settlements on chain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chain-'));
  const client = new PatientClient();
  let chain: Devnet;
  let registry: Address;
  let rpc: FaultyRpc;
  let receivers: { readonly url: string; stop(): Promise<void> };
  let system: LocalSystem;
  let lister: PartnerSession;
  let operator: Session;
  let trades = 0;
  /** What operators saw last of blocks, checkpoints and registry. */
  let seen: unknown = null;

  const startChain = (port: number) => startDevnet({ chainId: CHAINS.devnet, port, state: join(folder, 'chain.json') });

  beforeAll(async () => {
    chain = await startChain(await freePort());
    const terms = { admin: devnetAccount(0).address, recorder: devnetAccount(1).address, adminDelay: 60 };
    registry = (await deployRegistry(chain.url, devnetAccount(0), terms)).address;
    rpc = await faultyRpc(chain.url);
    receivers = await startWebhookReceiver();
    system = await localSystem({ SERVICES: 'chains', REGISTRY_RPC_URL: rpc.url, REGISTRY_ADDRESS: registry });
    await system.start();
    operator = await signIn(system.origin, OPERATOR_PHONE, 'demo-app');
    lister = await applyAsPartner(system.origin, {
      role: 'cross_lister',
      name: 'Northwind ATS',
      contact_email: 'desk@northwind.example',
      crd_number: '123456',
    });
    await operator.call(`POST /v1/operator/partners/${lister.id}/approve`, { reason: 'looked at' });
    await listSecurity(lister, operator, { symbol: 'ORBC', holder: 'alice-account', shares: 200 });
    const events = ['settlement.recorded'];
    await lister.call('POST /v1/webhooks', { url: `${receivers.url}/hook/recorded`, events });
  }, 400_000);

  afterAll(async () => {
    await system?.stop('SIGTERM');
    await receivers?.stop();
    await rpc?.close();
    await chain?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  async function trade(): Promise<void> {
    for (const [side, { id, secret }] of [
      ['sell', SELLER],
      ['buy', BUYER],
    ] as const) {
      const answer = await client.ask({
        method: 'POST',
        url: `${system.origin}/book/v1/orders`,
        headers: { 'x-api-key': id, 'x-api-secret': secret, 'idempotency-key': uuidv7() },
        body: { symbol: 'ORBC-USD', side, type: 'limit', size: 1, price: 10, time_in_force: 'GTC' },
      });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    }
    trades += 1;
  }

  /** Ids of all trades of the security, once there are so many. */
  async function settlements(): Promise<string[]> {
    const ids: string[] = [];
    await until(async () => {
      ids.length = 0;
      for (let cursor = ''; ; cursor = `&cursor=${ids.at(-1)}`) {
        const page = await lister.call<{ settlements: { trade_id: string }[] }>(
          `GET /v1/settlements?limit=${PAGE}${cursor}`,
        );
        ids.push(...page.settlements.map(({ trade_id }) => trade_id));
        if (page.settlements.length < PAGE) return ids.length >= trades;
      }
    });
    return ids;
  }

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + CATCH_UP_MS;
    let fault: unknown = null;
    const isSoAtLast = () =>
      isSo().catch((error: unknown) => {
        fault = error;
        return false;
      });
    while (!(await isSoAtLast())) {
      if (Date.now() > deadline)
        throw new Error(`it is not so after ${CATCH_UP_MS} ms: ${JSON.stringify(seen)}`, { cause: fault });
      await wait(500);
    }
  }

  const status = () => operator.call<{ data: ChainStatus }>('GET /v1/operator/settlement-chain');

  /** All is final, checkpointed and on chain. */
  async function isDone(): Promise<boolean> {
    const { data } = await status();
    seen = data;
    const { blocks, checkpoints, registry: recorded } = data;
    return (
      blocks.finalHeight === blocks.height &&
      blocks.checkpointHeight === blocks.height &&
      recorded.height === blocks.height &&
      recorded.waiting === 0 &&
      recorded.checkpoint === checkpoints.number
    );
  }

  const verification = (id: string) =>
    lister.call<{ status: string; finality: string }>(`GET /v1/settlements/${id}/verify`);

  /** As the README says it, on the text of a receipt. */
  function verify(receipt: string, ...options: string[]): Promise<{ readonly code: number; readonly output: string }> {
    const file = join(folder, 'receipt.json');
    writeFileSync(file, receipt);
    return new Promise((resolve) => {
      execFile('npm', ['run', '--silent', 'verify', '--', file, ...options], { cwd: ROOT }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
      });
    });
  }

  test('a trade’s receipt is proved by npm run verify, changed it is refused with the reason, and its partner finds it in the registry', async () => {
    await trade();
    const [id = ''] = await settlements();
    await until(isDone);
    expect(await verification(id)).toMatchObject({ status: 'verified', finality: 'checkpoint_final' });
    const { transactions } = await lister.call<{ transactions: { tx_hash: string }[] }>(
      `GET /v1/settlements/${id}/txs`,
    );
    expect(transactions).toEqual([expect.objectContaining({ tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })]);
    const receipt = await lister.text(`/v1/settlements/${id}/receipt`);
    const published = await client.ask({
      method: 'GET',
      url: `${system.origin}/.well-known/committee`,
      headers: {},
    });
    const [known] = (published.body as { committees: { hash: string }[] }).committees;
    const proved = await verify(receipt, '--committee', known?.hash ?? '');
    expect(proved).toEqual({
      code: 0,
      output: expect.stringMatching(new RegExp(`recorded: trade ${id} [\\s\\S]*checkpoint_final`)),
    });
    expect(await verify(receipt)).toEqual({
      code: 3,
      output: expect.stringContaining('by the word of this file alone'),
    });
    const { checkpoint } = JSON.parse(receipt) as { checkpoint: { certificate: { bls: { signature: string } } } };
    for (const [from, to, reason] of [
      ['"quantity":1', '"quantity":2', 'inclusion'],
      [id, uuidv7(), 'inclusion'],
      [checkpoint.certificate.bls.signature, checkpoint.certificate.bls.signature.replace(/.$/, flipped), 'BLS'],
      ['"version"', '"Version"', 'version'],
    ] as const) {
      const changed = receipt.replace(from, to);
      expect(changed).not.toBe(receipt);
      expect(await verify(changed)).toEqual({ code: 1, output: expect.stringContaining(reason) });
    }
  });

  test('under load, with RPC and node away, silent and restarted and everything that serves killed, each settlement is recorded once and told once', {
    timeout: 1_200_000,
  }, async () => {
    let isOver = false;
    const load = (async () => {
      while (!isOver && trades < TRADES_MAX) {
        await trade();
        await wait(PACE_MS);
      }
    })();
    const during = async (fate: FaultyRpc['fate'], ms: number) => {
      rpc.fate = fate;
      await wait(ms);
      rpc.fate = 'through';
    };
    const restart = async () => {
      await system.kill();
      await system.start();
    };
    await during('cut', 1_500);
    await during('answer_lost', 1_500);
    await restart();
    await during('silent', 2_000);
    const port = Number(new URL(chain.url).port);
    await chain.stop();
    await wait(1_000);
    chain = await startChain(port);
    rpc.fate = 'silent';
    await restart();
    rpc.fate = 'through';
    process.kill(chain.pid, 'SIGSTOP');
    await wait(2_000);
    process.kill(chain.pid, 'SIGCONT');
    await during('answer_lost', 1_000);
    await restart();
    isOver = true;
    await load;
    expect(client.bugs).toEqual([]);

    const ids = await settlements();
    expect(ids).toHaveLength(trades);
    await until(isDone);
    for (const id of ids)
      expect(await verification(id)).toMatchObject({ status: 'verified', finality: 'checkpoint_final' });
    const node = createPublicClient({ transport: http(chain.url) });
    const eventsOf = (eventName: 'SettlementRecorded' | 'CheckpointRecorded') =>
      node.getContractEvents({ address: registry, abi: REGISTRY_ABI, eventName, fromBlock: 'earliest' });
    const uuids = (await eventsOf('SettlementRecorded')).map(({ args }) => ('uuid' in args ? args.uuid : ''));
    for (const id of ids) expect(uuids.filter((uuid) => uuid === `0x${id.replaceAll('-', '')}`)).toHaveLength(1);
    const numbers = (await eventsOf('CheckpointRecorded')).map(({ args }) => ('number' in args ? args.number : 0n));
    expect(numbers).toEqual(numbers.map((_, at) => BigInt(at + 1)));
    expect(numbers).toHaveLength((await status()).data.checkpoints.number);

    const told = new Map<string, string>();
    await until(async () => {
      const received = (await (await fetch(`${receivers.url}/hook/recorded`)).json()) as ReceivedWebhook[];
      for (const { headers, body } of received)
        told.set(headers['webhook-id'] ?? '', (JSON.parse(body) as { trade_id: string }).trade_id);
      return told.size >= trades;
    });
    expect([...told.values()].sort()).toEqual(ids.sort());
  });

  const flipped = (digit: string) => (digit === '0' ? '1' : '0');
});
