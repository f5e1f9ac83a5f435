import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DEMO_CUSTOMER, DEMO_TENANT } from '../../application/seed/demo-bridge.ts';
import { anvilPath, type Devnet, startDevnet } from '../../scripts/contracts/devnet.ts';
import { DEMO_WALLET } from '../../scripts/local/bridge/demo-wallet.ts';
import { type BridgePlace, setUpBridge } from '../../scripts/local/bridge/set-up-bridge.ts';
import { type ShownTransfer, type TenantCall, tenantCall } from '../../scripts/local/bridge/tenant-call.ts';
import { Wallet } from '../../scripts/local/bridge/wallet.ts';
import { freePort } from '../../scripts/local/port.ts';
import { clientToken, signIn } from '../../scripts/local/session.ts';
import { type LocalSystem, localSystem } from './local-system.ts';
import { paste } from './paste.ts';
import { until } from './until.ts';

const OPERATOR_PHONE = '+15550100001';
const UNIT = 1_000_000n;
const READY_MS_MAX = 240_000;

const hasDevnet = anvilPath() !== null;
if (!hasDevnet) console.warn('the tenant of npm start is not tested: anvil has no program for this machine');

let system: LocalSystem | null = null;
let external: Devnet | null = null;

afterEach(async () => {
  vi.restoreAllMocks();
  await system?.stop('SIGTERM');
  await external?.stop();
  system = null;
  external = null;
});

/** Waits until `npm start` has printed it. */
async function prints(printed: () => string, wanted: string): Promise<void> {
  await until(`npm start prints “${wanted}”`, printed, (text) => text.includes(wanted), { within_ms: READY_MS_MAX });
}

async function tenant({ origin }: LocalSystem): Promise<TenantCall> {
  return tenantCall(origin, DEMO_TENANT.hostname, await clientToken(origin, DEMO_TENANT));
}

/** USDC that the customer's account has. */
async function customerHas({ origin }: LocalSystem): Promise<number> {
  const operator = await signIn(origin, OPERATOR_PHONE, 'demo-app');
  const { data } = await operator.call<{ data: { balances: { assetId: string; available: number }[] } }>(
    `GET /v1/operator/accounts/${DEMO_CUSTOMER.id}`,
  );
  return data.balances.find(({ assetId }) => assetId === 'usdc')?.available ?? 0;
}

/** What lies in the tenant's vault, and in the customer's wallet. */
async function onEthereum({ origin }: LocalSystem, rpc: string): Promise<{ vault: bigint; wallet: bigint }> {
  const shown = await fetch(`${origin}/bridge/api/tenant?hostname=${DEMO_TENANT.hostname}`);
  const { chains } = (await shown.json()) as { chains: { assets: { token: `0x${string}`; vault: `0x${string}` }[] }[] };
  const [asset] = chains[0]?.assets ?? [];
  if (asset === undefined) throw new Error('the tenant shows no asset');
  const wallet = new Wallet(rpc, DEMO_WALLET.account);
  expect(wallet.address).toBe(DEMO_WALLET.address);
  return { vault: await wallet.balanceOf(asset.token, asset.vault), wallet: await wallet.balanceOf(asset.token) };
}

/** What a run of the set-up may still ask. */
interface Life {
  left: number;
  /** Whether the call at which it is killed is done all the same. */
  readonly isDone: boolean;
  readonly kill: () => void;
}

const lives = new AsyncLocalStorage<Life>();

/** Lets nothing through that a killed run asks, now or later. */
function killable(): void {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const life = lives.getStore();
    if (life === undefined) return real(...request);
    life.left -= 1;
    if (life.left >= 0) return real(...request);
    if (life.left === -1 && life.isDone) await real(...request);
    life.kill();
    throw new Error('killed');
  });
}

/** How a set-up ends that is killed behind so many calls. @throws Error where it fails by itself */
async function killedAfter(place: BridgePlace, left: number, isDone: boolean): Promise<'done' | 'killed'> {
  return new Promise((resolve, reject) => {
    const life: Life = { left, isDone, kill: () => resolve('killed') };
    lives.run(life, () => setUpBridge(place)).then(() => resolve('done'), reject);
  });
}

describe.skipIf(!hasDevnet)('the tenant of the bridge in npm start', { timeout: 600_000 }, () => {
  test('a set-up that is killed at any call is completed by the next one: one deposit, one account with its funds', async () => {
    external = await startDevnet({ chainId: 31_337 });
    const port = await freePort();
    const chains = {
      SERVICES: 'chains',
      BRIDGE_RPC_URLS: JSON.stringify({ ethereum: external.url }),
      DEVNET_PORT: String(port),
    };
    system = await localSystem(chains);
    const { printed } = system;
    await system.start();
    const takesNone = "the demo's tenant of the bridge takes no transfers";
    await prints(printed, takesNone);
    const place = { origin: system.origin, exchange: `http://127.0.0.1:${port}`, external: external.url };
    killable();
    let kills = 0;
    for (let calls = 1; (await killedAfter(place, calls, kills % 2 === 1)) === 'killed'; calls += 3) kills += 1;
    expect(kills).toBeGreaterThan(8);
    await setUpBridge(place);
    const call = await tenant(system);
    const { transfers } = await call<{ transfers: { state: string }[] }>('GET /api/v1/transfer');
    expect(transfers).toEqual([expect.objectContaining({ state: 'confirmed' })]);
    expect(await customerHas(system)).toBe(999);
    expect(await onEthereum(system, external.url)).toEqual({ vault: 1_000n * UNIT, wallet: 9_000n * UNIT });
  });

  test('everything that serves killed during its set-up, the next start completes it; its curl lines work, and a third start keeps all of it', async () => {
    const here = await localSystem({ SERVICES: 'chains' });
    system = here;
    await here.start();
    await here.kill();
    const isReady = () => prints(here.printed, 'the bridge is ready');
    const printed = await here.start();
    await isReady();
    expect(paste(printed, 'the bridge’s tenant')).toMatchObject({
      hostname: DEMO_TENANT.hostname,
      name: DEMO_TENANT.name,
      chains: [{ name: 'ethereum', assets: [{ asset_id: 'usdc' }] }],
      fee_bps: 10,
    });
    const { id } = paste(printed, '25 USDC of its customer') as { id: string };
    const confirmed = () =>
      until(
        'the transfer is confirmed',
        async () => (await tenant(here))<ShownTransfer>(`GET /api/v1/transfer/${id}`),
        ({ state }) => state === 'confirmed',
        { within_ms: READY_MS_MAX, every_ms: 500 },
      );
    await confirmed();
    await here.stop('SIGTERM');

    await here.start();
    await isReady();
    await confirmed();
    expect(await customerHas(here)).toBe(974);
    const rpc = /Ethereum, a local chain +(\S+)/.exec(here.printed())?.[1] ?? '';
    expect(await onEthereum(here, rpc)).toEqual({ vault: 975_025_000n, wallet: 9_024_975_000n });
    expect(await here.run('audit')).toMatchObject({ code: 0, output: expect.stringMatching(/all \d+ checks hold/) });
  });
});
