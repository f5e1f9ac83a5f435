import { type Address, createPublicClient, http, parseEventLogs } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evmChainId } from '../../domain/bridge/chains/evm/evm-chains.ts';
import { DEV_TOKEN_ABI } from '../../protocol/bridge/abi/dev-token-abi.ts';
import { VAULT_ABI } from '../../protocol/bridge/abi/vault-abi.ts';
import { deployDevToken } from '../../scripts/contracts/bridge-deployment.ts';
import { anvilPath, type Devnet, devnetAccount, startDevnet } from '../../scripts/contracts/devnet.ts';
import { type AppliedTenant, applyTenant } from '../../scripts/demo-bridge/apply-tenant.ts';
import { initiate, payIn, reached } from '../../scripts/demo-bridge/carry-transfer.ts';
import { availableUsdc, openCustomer } from '../../scripts/demo-bridge/customers.ts';
import { type Equipment, equipTenant } from '../../scripts/local/bridge/equip-tenant.ts';
import { type ShownTransfer, type TenantCall, tenantCall } from '../../scripts/local/bridge/tenant-call.ts';
import { Wallet } from '../../scripts/local/bridge/wallet.ts';
import { freePort } from '../../scripts/local/port.ts';
import { clientToken, type Session, signIn } from '../../scripts/local/session.ts';
import { type LocalSystem, localSystem } from './local-system.ts';
import { type OwnSigners, ownSigners } from './own-signers.ts';

const OPERATOR_PHONE = '+15550100001';
const HOSTNAME = 'bridge.independent.example';
const UNIT = 1_000_000n;
/** Account of the devnets that plays the customer. */
const CUSTOMER = 3;

const hasDevnet = anvilPath() !== null;
if (!hasDevnet) console.warn('signing mode custom is not tested: anvil has no program for this machine');

describe.skipIf(!hasDevnet)('a tenant of mode custom, whose five signers are processes of its own', () => {
  let external: Devnet;
  let exchangeRpc: string;
  let system: LocalSystem;
  let signers: OwnSigners;
  let tenant: AppliedTenant;
  let equipment: Equipment;
  let operator: Session;
  let call: TenantCall;
  let account: string;
  let wallet: Wallet;
  let token: Address;

  /** The system is started twice: who the organization is, BRIDGE_SIGNERS can say once it has applied. */
  beforeAll(async () => {
    signers = await ownSigners();
    external = await startDevnet({ chainId: evmChainId('ethereum', 'local') });
    const devnetPort = await freePort();
    exchangeRpc = `http://127.0.0.1:${devnetPort}`;
    system = await localSystem({
      SERVICES: 'chains',
      BRIDGE_RPC_URLS: JSON.stringify({ ethereum: external.url }),
      DEVNET_PORT: String(devnetPort),
    });
    await system.start();
    const { origin } = system;
    operator = await signIn(origin, OPERATOR_PHONE, 'demo-app');
    const terms = { name: 'Independent Bridge', hostname: HOSTNAME, color: '#0a5cff', signingMode: 'custom' } as const;
    tenant = await applyTenant({ origin, operator }, terms);
    const { organization, client } = tenant;
    account = await openCustomer(operator, organization);
    // No signer of the exchange makes a key for it.
    const scheme = 'frost-secp256k1';
    await operator.call(`POST /v1/operator/bridge/organizations/${organization}/keys`, { scheme }, 409);
    await system.stop('SIGTERM');
    await system.start({
      BRIDGE_SIGNERS: JSON.stringify({ [organization]: signers.addresses }),
      BRIDGE_SIGNER_TOKEN: JSON.stringify({ [organization]: signers.token }),
    });
    call = tenantCall(origin, HOSTNAME, await clientToken(origin, client));
    wallet = new Wallet(external.url, CUSTOMER);
    token = await deployDevToken(external.url, devnetAccount(0), { name: 'USD Coin', symbol: 'USDC', decimals: 6 });
    await wallet.write(token, DEV_TOKEN_ABI, 'mint', [wallet.address, 1_000n * UNIT]);
    await signers.start(organization);
    equipment = await equipTenant(
      { external: external.url, exchange: exchangeRpc, operator, token },
      { organization, limit: 1_000n * UNIT, challengeFrom: 500n * UNIT },
    );
    await signers.stop();
    await signers.start(organization, { places: signerPlaces() });
  }, 400_000);

  afterAll(async () => {
    // Side by side: one that cannot be stopped keeps none of the others.
    await Promise.all([signers?.close(), system?.stop('SIGTERM'), external?.stop()]);
  });

  beforeEach(() => {
    signers.before = async () => undefined;
  });

  /** What whoever runs the signers tells them, of chains and contracts as they deployed them. */
  function signerPlaces(): object {
    const { guard, stake, vaults } = equipment;
    const ledger = {
      url: `${system.origin}/bridge`,
      tokenUrl: `${system.origin}/iam/api/login/oauth/access_token`,
      clientId: tenant.client.id,
      clientSecret: tenant.client.secret,
    };
    const known = vaults.map(({ origin, chain, place }) => ({ origin, chain, ...place }));
    const own = {
      ledger,
      guard,
      stake: { chainId: evmChainId('exchange', 'local'), address: stake },
      moduleKeys: [],
      assets: { USDC: { scale: 6, coSignFrom: null, vaults: known } },
    };
    const nodes = { ethereum: { url: external.url }, exchange: { url: exchangeRpc } };
    return { nodes, organizations: { [tenant.organization]: own } };
  }

  const onEthereum = () => ({ chain: 'ethereum', address: wallet.address });
  const withdraw = (amount: number) =>
    initiate(call, { amount, source: { account_id: account }, destination: onEthereum() });
  const deposit = (amount: number) =>
    initiate(call, { amount, source: onEthereum(), destination: { account_id: account } });

  /** Amounts that the vault has paid, the oldest first. */
  async function paid(): Promise<bigint[]> {
    const client = createPublicClient({ transport: http(external.url) });
    const logs = await client.getLogs({ address: equipment.vault, fromBlock: 0n });
    const released = parseEventLogs({ abi: VAULT_ABI, logs, eventName: 'Released' });
    return released.map(({ args }) => (args as unknown as { amount: bigint }).amount);
  }

  const askedTo = (name: string) => signers.seen.filter(({ call }) => call === name).map(({ signer }) => signer);

  test('brings a deposit to an account, by the word of its signers', async () => {
    expect(askedTo('activate').toSorted()).toEqual([0, 1, 2, 3, 4]);
    const transfer = await deposit(250);
    await payIn(transfer, wallet);
    await reached(call, transfer.id, 'confirmed');
    expect(await availableUsdc(operator, account)).toBe(249.75);
    expect(new Set(askedTo('attestFunds'))).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(await paid()).toEqual([]);
  });

  let killed = -1;

  test('pays a withdrawal once, where a signer is killed between its offer and its share', async () => {
    signers.before = async ({ signer, call: name }) => {
      if (name !== 'sign' || killed >= 0) return;
      killed = signer;
      await signers.kill(signer);
    };
    const before = await wallet.balanceOf(token);
    const transfer = await withdraw(100);
    await reached(call, transfer.id, 'confirmed');
    expect(killed).toBeGreaterThanOrEqual(0);
    const signed = askedTo('sign').slice(-3);
    expect([new Set(signed).size, signed.includes(killed)]).toEqual([3, false]);
    expect((await wallet.balanceOf(token)) - before).toBe(99_900_000n);
    expect(await paid()).toEqual([99_900_000n]);
  });

  test('gives a deposit of another amount back once, with two signers down', async () => {
    const second = (killed + 1) % 5;
    await signers.kill(second);
    const before = await wallet.balanceOf(token);
    const transfer = await deposit(50);
    await payIn(transfer, wallet, 49n * UNIT);
    const done = await reached(call, transfer.id, 'refunded');
    expect(done.refund_reason).toBe('wrong_amount');
    expect(await wallet.balanceOf(token)).toBe(before);
    expect(await paid()).toEqual([99_900_000n, 49n * UNIT]);
    expect(await availableUsdc(operator, account)).toBe(149.75);
  });

  test('pays nothing with three down; those that were killed sign with their shares once they are back', async () => {
    const all = [0, 1, 2, 3, 4].map((step) => (killed + step) % 5);
    const [first = 0, second = 0, ...others] = all;
    await signers.start(tenant.organization, { of: [first] });
    const signedBefore = askedTo('sign').length;
    // It begins while they are there: no transfer does whose places three signers do not know.
    let gone: Promise<void> | null = null;
    signers.before = async ({ call: name }) => {
      if (name !== 'attestFunds') return;
      gone ??= signers.kill(...others.slice(1));
      await gone;
    };
    const transfer = await withdraw(40);
    await reached(call, transfer.id, 'attesting');
    expect(askedTo('sign').length).toBe(signedBefore);
    expect(await paid()).toEqual([99_900_000n, 49n * UNIT]);
    await expect(withdraw(1)).rejects.toThrow('too few signers');
    signers.before = async () => undefined;
    await signers.start(tenant.organization, { of: [second] });
    await reached(call, transfer.id, 'confirmed');
    expect(new Set(askedTo('sign').slice(signedBefore))).toEqual(new Set([first, second, others[0]]));
    expect(await paid()).toEqual([99_900_000n, 49n * UNIT, 39_960_000n]);
  });

  test('has paid each transfer once in the end, and the books agree', async () => {
    await signers.start(tenant.organization);
    const { transfers } = await call<{ transfers: { id: string; state: string }[] }>('GET /api/v1/transfer');
    expect(transfers.map(({ state }) => state).toSorted()).toEqual(['confirmed', 'confirmed', 'confirmed', 'refunded']);
    for (const { id } of transfers) await call<ShownTransfer>(`POST /api/v1/transfer/${id}/complete`);
    expect(await paid()).toEqual([99_900_000n, 49n * UNIT, 39_960_000n]);
    expect(await wallet.balanceOf(token, equipment.vault)).toBe(299n * UNIT - 188_860_000n);
    expect(await system.run('audit')).toMatchObject({ code: 0, output: expect.stringMatching(/all \d+ checks hold/) });
  });
});
