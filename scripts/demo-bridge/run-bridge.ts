import { DEMO_PEOPLE } from '../../application/seed/demo-people.ts';
import { DEV_TOKEN_ABI } from '../../protocol/bridge/abi/dev-token-abi.ts';
import { GUARD_ABI } from '../../protocol/bridge/abi/guard-abi.ts';
import { deployDevToken, setLanes } from '../contracts/bridge-deployment.ts';
import { devnetAccount } from '../contracts/devnet.ts';
import { LANE, WATCHTOWER } from '../local/bridge/equip-tenant.ts';
import type { ShownTransfer } from '../local/bridge/tenant-call.ts';
import { Wallet } from '../local/bridge/wallet.ts';
import { signIn } from '../local/session.ts';
import { initiate, payIn, reached } from './carry-transfer.ts';
import { availableUsdc, openCustomer } from './customers.ts';
import { type DemoPlace, setUpTenant, type Tenant } from './tenant.ts';

const OPERATOR = 'olivia';
const UNIT = 1_000_000n;
/** Account of the devnets that plays the customer. */
const CUSTOMER = 3;

interface Scene extends DemoPlace {
  readonly acme: Tenant;
  readonly zenith: Tenant;
  /** Account of a customer of each. */
  readonly accounts: { readonly acme: string; readonly zenith: string };
  /** The customer's wallet on either chain. */
  readonly outside: Wallet;
  readonly inside: Wallet;
}

export interface BridgeDemo {
  readonly origin: string;
  readonly external: string;
  readonly exchange: string;
  readonly say: (text: string) => void;
}

/** Two tenants move an asset both ways, and what does not go through goes back. @throws Error at the first answer that is not right */
export async function runBridge(demo: BridgeDemo): Promise<void> {
  const scene = await setUp(demo);
  await fromChainToAccount(scene);
  await fromAccountToChain(scene);
  await fromChainToChainAndBack(scene);
  await apart(scene);
  await overLimit(scene);
  await queued(scene);
  await vetoed(scene);
  await wrongAmount(scene);
  await backing(scene);
}

async function setUp(demo: BridgeDemo): Promise<Scene> {
  const { origin, external, exchange, say } = demo;
  say('setting up');
  const phone = DEMO_PEOPLE.find(({ name }) => name === OPERATOR)?.phone;
  if (phone == null) throw new Error('the demo has no operator with a phone');
  const operator = await signIn(origin, phone, 'demo-app');
  const token = await deployDevToken(external, devnetAccount(0), { name: 'USD Coin', symbol: 'USDC', decimals: 6 });
  const place = { origin, external, exchange, operator, token, say };
  const acme = await setUpTenant(place, {
    name: 'Acme Bridge',
    hostname: 'bridge.acme.example',
    color: '#0a5cff',
    limit: 1_000n * UNIT,
    challengeFrom: 500n * UNIT,
  });
  const zenith = await setUpTenant(place, {
    name: 'Zenith Bridge',
    hostname: 'bridge.zenith.example',
    color: '#ff5c0a',
    limit: 1_000n * UNIT,
    challengeFrom: 500n * UNIT,
  });
  const accounts = {
    acme: await openCustomer(operator, acme.organization),
    zenith: await openCustomer(operator, zenith.organization),
  };
  const [outside, inside] = [new Wallet(external, CUSTOMER), new Wallet(exchange, CUSTOMER)];
  await outside.write(token, DEV_TOKEN_ABI, 'mint', [outside.address, 10_000n * UNIT]);
  const shown = await fetch(`${origin}/bridge/api/tenant?hostname=${acme.hostname}`);
  const { name, branding } = (await shown.json()) as { name: string; branding: { primary_color: string } };
  expect('the tenant shows itself', `${name} ${branding.primary_color}`, 'Acme Bridge #0a5cff');
  const unknown = await fetch(`${origin}/bridge/api/tenant?hostname=bridge.nobody.example`);
  expect('an unknown hostname is answered', unknown.status, 404);
  return { ...place, acme, zenith, accounts, outside, inside };
}

async function fromChainToAccount(scene: Scene): Promise<void> {
  const { acme, accounts, outside, say } = scene;
  say('\nfrom Ethereum to an account');
  const transfer = await initiate(acme.call, {
    amount: 250,
    source: external(outside),
    destination: { account_id: accounts.acme },
  });
  await deposit(scene, transfer, outside);
  const done = await reached(acme.call, transfer.id, 'confirmed');
  say(`  ${trail(done)}`);
  expect('the account has', await availableUsdc(scene.operator, accounts.acme), 249.75);
}

async function fromAccountToChain(scene: Scene): Promise<void> {
  const { acme, accounts, outside, token, say } = scene;
  say('\nfrom the account back to Ethereum');
  const before = await outside.balanceOf(token);
  const transfer = await initiate(acme.call, {
    amount: 100,
    source: { account_id: accounts.acme },
    destination: external(outside),
  });
  expect('the account is debited at once', await availableUsdc(scene.operator, accounts.acme), 149.75);
  const done = await reached(acme.call, transfer.id, 'confirmed');
  say(`  ${trail(done)}`);
  expect('the wallet has got', (await outside.balanceOf(token)) - before, 99_900_000n);
  const refused = {
    asset: 'USDC',
    amount: 10_000,
    source: { account_id: accounts.acme },
    destination: external(outside),
  };
  await acme.call('POST /api/v1/transfer/initiate', { ...refused, amount: 500 }, 400);
  say('  more than the account has is refused');
}

async function fromChainToChainAndBack(scene: Scene): Promise<void> {
  const { zenith, outside, inside, token, say } = scene;
  say('\nanother tenant: from Ethereum to the exchange’s chain, and back');
  const inward = await initiate(zenith.call, { amount: 200, source: external(outside), destination: own(inside) });
  await deposit(scene, inward, outside);
  say(`  ${trail(await reached(zenith.call, inward.id, 'confirmed'))}`);
  expect('wrapped tokens are minted', await inside.balanceOf(zenith.wrapped), 199_800_000n);
  const before = await outside.balanceOf(token);
  const outward = await initiate(zenith.call, { amount: 150, source: own(inside), destination: external(outside) });
  await deposit(scene, outward, inside);
  say(`  ${trail(await reached(zenith.call, outward.id, 'confirmed'))}`);
  expect('they are burnt', await inside.balanceOf(zenith.wrapped), 49_800_000n);
  expect('and released', (await outside.balanceOf(token)) - before, 149_850_000n);
}

async function apart({ acme, zenith, accounts, outside, say }: Scene): Promise<void> {
  const asked = { asset: 'USDC', amount: 1, source: { account_id: accounts.acme }, destination: external(outside) };
  await zenith.call('POST /api/v1/transfer/initiate', asked, 404);
  const { transfers } = await acme.call<{ transfers: { id: string }[] }>('GET /api/v1/transfer');
  await zenith.call(`GET /api/v1/transfer/${transfers[0]?.id}`, undefined, 404);
  say('\nneither tenant reaches the other’s accounts or transfers');
}

async function overLimit({ acme, accounts, outside, say }: Scene): Promise<void> {
  const large = { asset: 'USDC', amount: 1_001, source: external(outside), destination: { account_id: accounts.acme } };
  await acme.call('POST /api/v1/transfer/initiate', large, 403);
  say('more than a day’s limit is refused');
}

async function queued(scene: Scene): Promise<void> {
  const { acme, accounts, outside, say } = scene;
  say('\nmore than the day has room for');
  const filling = await initiate(acme.call, {
    amount: 400,
    source: external(outside),
    destination: { account_id: accounts.acme },
  });
  await deposit(scene, filling, outside);
  await reached(acme.call, filling.id, 'confirmed');
  const transfer = await initiate(acme.call, {
    amount: 300,
    source: external(outside),
    destination: { account_id: accounts.acme },
  });
  await deposit(scene, transfer, outside);
  await reached(acme.call, transfer.id, 'queued');
  say('  it waits; the timelock raises the limit');
  const lane = { lane: LANE, limit: 5_000n * UNIT, challengeFrom: 500n * UNIT, challengeSeconds: 3_600n };
  await setLanes(acme.place, acme.guard, [lane]);
  say(`  ${trail(await reached(acme.call, transfer.id, 'confirmed'))}`);
}

async function vetoed(scene: Scene): Promise<void> {
  const { acme, accounts, outside, exchange, token, say } = scene;
  say('\nwhat a watchtower vetoes');
  const before = await outside.balanceOf(token);
  const transfer = await initiate(acme.call, {
    amount: 600,
    source: external(outside),
    destination: { account_id: accounts.acme },
  });
  await deposit(scene, transfer, outside);
  await reached(acme.call, transfer.id, 'challenge');
  await new Wallet(exchange, WATCHTOWER).write(acme.guard, GUARD_ABI, 'veto', [`0x${transfer.commitment}`]);
  const done = await reached(acme.call, transfer.id, 'refunded');
  say(`  ${trail(done)}: ${done.refund_reason}`);
  expect('all of it is back', await outside.balanceOf(token), before);
}

async function wrongAmount(scene: Scene): Promise<void> {
  const { zenith, accounts, outside, token, say } = scene;
  say('\nfunds other than quoted');
  const before = await outside.balanceOf(token);
  const transfer = await initiate(zenith.call, {
    amount: 50,
    source: external(outside),
    destination: { account_id: accounts.zenith },
  });
  await payIn(transfer, outside, 49n * UNIT);
  const done = await reached(zenith.call, transfer.id, 'refunded');
  say(`  ${trail(done)}: ${done.refund_reason}`);
  expect('all of it is back', await outside.balanceOf(token), before);
}

/** What lies in each vault is at least what its organization has out. */
async function backing(scene: Scene): Promise<void> {
  const { acme, zenith, accounts, outside, inside, token, say } = scene;
  say('\nwhat lies in the vaults, and what is out');
  for (const [tenant, account] of [
    [acme, accounts.acme],
    [zenith, accounts.zenith],
  ] as const) {
    const lies = await outside.balanceOf(token, tenant.vault);
    const wrapped = await inside.read<bigint>(tenant.wrapped, DEV_TOKEN_ABI, 'totalSupply');
    const held = BigInt(Math.round((await availableUsdc(scene.operator, account)) * Number(UNIT)));
    say(`  ${tenant.hostname}: ${lies} in the vault, ${wrapped} wrapped, ${held} in accounts`);
    if (lies < wrapped + held) throw new Error('more is out than lies in the vault');
  }
}

async function deposit({ say }: Scene, transfer: ShownTransfer, wallet: Wallet): Promise<void> {
  say(`  paid in by ${(await payIn(transfer, wallet)).slice(0, 14)}…`);
}

const external = ({ address }: Wallet) => ({ chain: 'ethereum', address });
const own = ({ address }: Wallet) => ({ chain: 'exchange', address });

function trail({ history }: ShownTransfer): string {
  return history.map(({ to }) => to).join(' → ');
}

function expect(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)} and not ${String(expected)}`);
}
