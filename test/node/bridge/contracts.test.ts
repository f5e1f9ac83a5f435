import { randomBytes } from 'node:crypto';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentOrder, Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { contractKey, contractSignature } from '../../../domain/bridge/chains/evm/cluster-key.ts';
import { clusterMessage } from '../../../domain/bridge/chains/evm/cluster-message.ts';
import { readClearance, requestClearance } from '../../../domain/bridge/chains/evm/guard-client.ts';
import { type AttestedClaim, attestationDigest } from '../../../domain/bridge/signing/attestation.ts';
import { GUARD_ABI } from '../../../protocol/bridge/abi/guard-abi.ts';
import { STAKE_ABI } from '../../../protocol/bridge/abi/stake-abi.ts';
import { VAULT_ABI } from '../../../protocol/bridge/abi/vault-abi.ts';
import { WRAPPED_ABI } from '../../../protocol/bridge/abi/wrapped-abi.ts';
import { devnetAccount } from '../../../scripts/contracts/devnet.ts';
import {
  BridgeChains,
  CUSTOMER,
  DAILY,
  DEPLOYER,
  hasDevnet,
  LANE,
  RELAYER,
  relayerKey,
  STRANGER,
  WATCHTOWER,
} from './bridge-chains.fixtures.ts';
import { TestCluster } from './test-cluster.ts';

const anId = () => randomBytes(32).toString('hex');

describe.skipIf(!hasDevnet)('the contracts of the bridge', { timeout: 60_000 }, () => {
  let chains: BridgeChains;
  beforeAll(async () => {
    chains = await BridgeChains.start();
  }, 60_000);
  afterAll(() => chains?.stop());

  async function later(vault: Vault, seconds: number): Promise<void> {
    await chains.clock(vault).increaseTime({ seconds });
    await chains.clock(vault).mine({ blocks: 1 });
  }

  const vaultCall = (functionName: string, args: readonly unknown[]) => ({
    address: chains.vault.contract as Address,
    abi: VAULT_ABI,
    functionName,
    args,
  });

  async function payout(vault: Vault, amount: bigint, to = CUSTOMER.address as string): Promise<PaymentOrder> {
    return chains.orderOf(vault, { kind: 'payout', commitment: anId(), to, amount: String(amount) });
  }

  const signatureOf = (vault: Vault, order: PaymentOrder, cluster: TestCluster = chains.cluster) =>
    contractSignature(cluster.sign(chains.adapterOf(vault).build(vault, order).messages[0]?.bytes ?? ''));

  const release = (
    order: PaymentOrder,
    signature: ReturnType<typeof signatureOf>,
    change: Partial<PaymentOrder> = {},
  ) => {
    const { reference, to, amount } = { ...order, ...change };
    const [id = ''] = reference.split('@');
    return chains.send(chains.vault, vaultCall('release', [id, chains.token, to, BigInt(amount), signature]));
  };

  test('a deposit is found by its commitment and payer, once', async () => {
    const commitment = anId();
    const adapter = chains.adapterOf(chains.vault);
    const found = () => adapter.deposits(chains.view(chains.vault), commitment, CUSTOMER.address);
    expect(await found()).toEqual([]);
    expect(await chains.deposit(chains.vault, commitment, 100n)).toBe(true);
    expect(await found()).toMatchObject([{ amount: '100', confirmations: 1 }]);
    await chains.clock(chains.vault).mine({ blocks: 2 });
    expect(await found()).toMatchObject([{ confirmations: 3 }]);
    expect(await chains.deposit(chains.vault, commitment, 100n)).toBe(false);
    expect(await adapter.deposits(chains.view(chains.vault), commitment, STRANGER.address)).toEqual([]);
  });

  test('what a stranger pays in for a transfer keeps nobody from paying it', async () => {
    const commitment = anId();
    const mint = { ...vaultCall('mint', [STRANGER.address, 1n]), address: chains.token };
    const { DEV_TOKEN_ABI } = await import('../../../protocol/bridge/abi/dev-token-abi.ts');
    await chains.send(chains.vault, { ...mint, abi: DEV_TOKEN_ABI });
    expect(await chains.deposit(chains.vault, commitment, 1n, STRANGER)).toBe(true);
    expect(await chains.deposit(chains.vault, commitment, 100n)).toBe(true);
    const found = await chains
      .adapterOf(chains.vault)
      .deposits(chains.view(chains.vault), commitment, CUSTOMER.address);
    expect(found).toMatchObject([{ amount: '100' }]);
  });

  test('the cluster pays by any three of five, and each reference once', async () => {
    await chains.deposit(chains.vault, anId(), 1_000n);
    for (const by of [
      [0, 1, 2],
      [2, 3, 4],
      [0, 2, 4],
      [1, 3, 4],
    ]) {
      const order = await payout(chains.vault, 10n);
      const adapter = chains.adapterOf(chains.vault);
      const view = chains.view(chains.vault);
      const before = await chains.balance(chains.vault, CUSTOMER.address);
      const signed = await chains.signed(chains.vault, order, by);
      expect(await adapter.statusOf(view, order)).toEqual({ state: 'unspent' });
      const transaction = await adapter.broadcast(view, signed);
      expect(await adapter.statusOf(view, order)).toEqual({ state: 'paid', transaction, confirmations: 1 });
      // Handed in again it pays nothing, and is told as what it was.
      expect(await adapter.broadcast(view, signed)).toBe(transaction);
      expect((await chains.balance(chains.vault, CUSTOMER.address)) - before).toBe(10n);
      expect(await release(order, signatureOf(chains.vault, order))).toBe('ReferenceUsed');
    }
  });

  test('a signature opens nothing but what it is over', async () => {
    await chains.deposit(chains.vault, anId(), 1_000n);
    const order = await payout(chains.vault, 10n);
    const signature = signatureOf(chains.vault, order);
    expect(await release(order, signature, { to: STRANGER.address })).toBe('InvalidSignature');
    expect(await release(order, signature, { amount: '11' })).toBe('InvalidSignature');
    expect(await release(order, signature, { reference: `0x${anId()}@1` })).toBe('InvalidSignature');
    const [id = ''] = order.reference.split('@');
    const coin = '0x0000000000000000000000000000000000000000';
    expect(await chains.send(chains.vault, vaultCall('release', [id, coin, order.to, 10n, signature]))).toBe(
      'InvalidSignature',
    );
    expect(await chains.send(chains.vault, vaultCall('cancel', [id, signature]))).toBe('InvalidSignature');
    for (const change of [
      { rx: signature.rx + 1n },
      { ry: signature.ry + 1n },
      { z: signature.z + 1n },
      { z: 0n },
      { ry: 0n },
    ])
      expect(await release(order, { ...signature, ...change })).toBe('InvalidSignature');
    const P = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;
    expect(await release(order, { ...signature, ry: P - signature.ry })).toBe('InvalidSignature');
    const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    if (signature.z + N < 2n ** 256n)
      expect(await release(order, { ...signature, z: signature.z + N })).toBe('InvalidSignature');
    expect(await release(order, signatureOf(chains.vault, order, new TestCluster()))).toBe('InvalidSignature');
    const elsewhere = { ...chains.vault, contract: chains.token };
    expect(await release(order, signatureOf(elsewhere, order))).toBe('InvalidSignature');
    expect(await release(order, signatureOf({ ...chains.vault, network: 'mainnet' }, order))).toBe('InvalidSignature');
    expect(await release(order, signature)).toBeNull();
  });

  test('a cancelled reference pays nobody, and says so', async () => {
    await chains.deposit(chains.vault, anId(), 100n);
    const order = await payout(chains.vault, 10n);
    const adapter = chains.adapterOf(chains.vault);
    const view = chains.view(chains.vault);
    const signed = await chains.signed(chains.vault, order);
    await adapter.broadcast(view, await chains.signed(chains.vault, { ...order, kind: 'cancel' }));
    expect(await adapter.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: 1 });
    const before = await chains.balance(chains.vault, CUSTOMER.address);
    await adapter.broadcast(view, signed);
    expect(await chains.balance(chains.vault, CUSTOMER.address)).toBe(before);
  });

  test('a rotated key takes the place of the one before, whose signatures open nothing any more', async () => {
    const own = await BridgeChains.start('rotating');
    try {
      await own.deposit(own.vault, anId(), 100n);
      const commitment = anId();
      const terms = { kind: 'payout', commitment, to: CUSTOMER.address, amount: '10' } as const;
      const before = await own.orderOf(own.vault, terms);
      const old = await own.signed(own.vault, before);
      const next = new TestCluster();
      const { x, isOdd } = contractKey(next.groupKey);
      const id = `0x${x.toString(16).padStart(64, '0')}` as const;
      const contract = own.vault.contract as Address;
      const action = { chainId: 31_337, contract, generation: 1, action: 'rotate', id } as const;
      const message = clusterMessage({ ...action, token: null, to: null, amount: isOdd ? 1n : 0n });
      const rotate = (signature: string) =>
        own.send(own.vault, {
          address: contract,
          abi: VAULT_ABI,
          functionName: 'rotateKey',
          args: [{ x, isOdd }, contractSignature(signature)],
        });
      expect(await rotate(next.sign(message))).toBe('InvalidSignature');
      expect(await rotate(own.cluster.sign(message))).toBeNull();
      expect(await rotate(own.cluster.sign(message))).toBe('InvalidSignature');
      await expect(own.adapterOf(own.vault).broadcast(own.view(own.vault), old)).rejects.toThrow();
      const after = await own.orderOf(own.vault, terms);
      expect(after.reference).toBe(before.reference.replace('@1', '@2'));
    } finally {
      await own.stop();
    }
  });

  test('a vault pays no more of a token in a day than its limit, and as much again the day after', async () => {
    await chains.deposit(chains.vault, anId(), 3n * DAILY);
    const room = async () => {
      const call = {
        address: chains.vault.contract as Address,
        abi: VAULT_ABI,
        functionName: 'room',
        args: [chains.token],
      } as const;
      return await chains.reader(chains.vault).readContract(call);
    };
    const first = await payout(chains.vault, (await room()) - 1n);
    expect(await release(first, signatureOf(chains.vault, first))).toBeNull();
    const over = await payout(chains.vault, 2n);
    expect(await release(over, signatureOf(chains.vault, over))).toBe('RateLimitExceeded');
    await later(chains.vault, 86_401);
    expect(await release(over, signatureOf(chains.vault, over))).toBeNull();
  });

  test('wrapped tokens are minted by the cluster alone, within a daily limit, and burnt by who has them', async () => {
    const adapter = chains.adapterOf(chains.wrapped);
    const view = chains.view(chains.wrapped);
    const order = await payout(chains.wrapped, 600n);
    await adapter.broadcast(view, await chains.signed(chains.wrapped, order));
    expect(await chains.balance(chains.wrapped, CUSTOMER.address)).toBe(600n);
    const large = await payout(chains.wrapped, DAILY);
    await expect(adapter.broadcast(view, await chains.signed(chains.wrapped, large))).rejects.toThrow();
    const commitment = anId();
    expect(await chains.deposit(chains.wrapped, commitment, 601n)).toBe(false);
    expect(await chains.deposit(chains.wrapped, commitment, 250n)).toBe(true);
    expect(await chains.deposit(chains.wrapped, commitment, 1n)).toBe(false);
    expect(await adapter.deposits(view, commitment, CUSTOMER.address)).toMatchObject([
      { amount: '250', confirmations: 1 },
    ]);
    expect(await chains.balance(chains.wrapped, CUSTOMER.address)).toBe(350n);
    // What is signed for the vault mints nothing, and the other way round.
    const elsewhere = { ...order, reference: `0x${anId()}@1` };
    const { address, abi } = { address: chains.wrapped.contract as Address, abi: WRAPPED_ABI };
    const args = [elsewhere.reference.split('@')[0], elsewhere.to, 600n, signatureOf(chains.vault, elsewhere)];
    expect(await chains.send(chains.wrapped, { address, abi, functionName: 'mint', args })).toBe('InvalidSignature');
  });

  test('the guard counts each transfer once, in its lane’s day, and holds large ones for challenges', async () => {
    const transport = chains.view(chains.wrapped).transport;
    const ask = (commitment: string, amount: number) =>
      requestClearance(transport, relayerKey(), chains.guard, { commitment, lane: LANE, amount });
    const small = anId();
    expect(await readClearance(transport, chains.guard, small)).toBeNull();
    expect(await ask(small, 100_000)).toBe('cleared');
    expect(await ask(small, 100_000)).toBe('cleared');
    const clear = await readClearance(transport, chains.guard, small);
    const { timestamp } = await chains.reader(chains.wrapped).getBlock();
    expect(clear).toMatchObject({ amount: 100_000, isVetoed: false });
    expect(clear?.clearAt).toBeLessThanOrEqual(Number(timestamp) * 1_000);
    const large = anId();
    expect(await ask(large, 500_000)).toBe('cleared');
    expect((await readClearance(transport, chains.guard, large))?.clearAt).toBeGreaterThan(
      Number(timestamp) * 1_000 + 3_500_000,
    );
    expect(await ask(anId(), 400_001)).toBe('over_limit');
    expect(await ask(anId(), 400_000)).toBe('cleared');
    const guardCall = (functionName: string, args: readonly unknown[]) => ({
      address: chains.guard,
      abi: GUARD_ABI,
      functionName,
      args,
    });
    const veto = guardCall('veto', [`0x${large}`]);
    expect(await chains.send(chains.wrapped, veto, STRANGER)).toBe('AccessControlUnauthorizedAccount');
    expect(await chains.send(chains.wrapped, guardCall('veto', [`0x${anId()}`]), WATCHTOWER)).toBe('NotRequested');
    expect(await chains.send(chains.wrapped, veto, WATCHTOWER)).toBeNull();
    expect(await readClearance(transport, chains.guard, large)).toMatchObject({ isVetoed: true });
    const again = guardCall('request', [`0x${large}`, `0x${LANE}`, 1n]);
    expect(await chains.send(chains.wrapped, again, RELAYER)).toBe('OtherAmount');
    expect(await chains.send(chains.wrapped, guardCall('request', [`0x${anId()}`, `0x${LANE}`, 1n]), STRANGER)).toBe(
      'AccessControlUnauthorizedAccount',
    );
    await later(chains.wrapped, 86_401);
    expect(await ask(anId(), 400_001)).toBe('cleared');
  });

  test('nobody but the timelock changes limits, and nobody but guardian and timelock stops or starts', async () => {
    for (const account of [STRANGER, RELAYER, WATCHTOWER, DEPLOYER]) {
      const limit = vaultCall('setLimit', [{ token: chains.token, amount: 1n }]);
      expect(await chains.send(chains.vault, limit, account)).toBe('AccessControlUnauthorizedAccount');
      const replace = vaultCall('replaceKey', [contractKey(chains.cluster.groupKey)]);
      expect(await chains.send(chains.vault, replace, account)).toBe('AccessControlUnauthorizedAccount');
      const lane = { limit: 1n, challengeFrom: 0n, challengeSeconds: 0n };
      const setLane = { address: chains.guard, abi: GUARD_ABI, functionName: 'setLane', args: [`0x${LANE}`, lane] };
      expect(await chains.send(chains.wrapped, setLane, account)).toBe('AccessControlUnauthorizedAccount');
    }
    expect(await chains.send(chains.vault, vaultCall('pause', []), STRANGER)).toBe('AccessControlUnauthorizedAccount');
    expect(await chains.send(chains.vault, vaultCall('pause', []), DEPLOYER)).toBeNull();
    expect(await chains.deposit(chains.vault, anId(), 1n)).toBe(false);
    const order = await payout(chains.vault, 1n);
    expect(await release(order, signatureOf(chains.vault, order))).toBe('EnforcedPause');
    expect(await chains.send(chains.vault, vaultCall('unpause', []), DEPLOYER)).toBe(
      'AccessControlUnauthorizedAccount',
    );
  });

  describe('a signer’s stake', () => {
    const stakeCall = (functionName: string, args: readonly unknown[], value?: bigint) => ({
      address: chains.stake,
      abi: STAKE_ABI,
      functionName,
      args,
      ...(value !== undefined && { value }),
    });
    const account = (signer: number) => devnetAccount(6 + signer);
    const claim = (signer: number, change: Partial<AttestedClaim> = {}): AttestedClaim => ({
      chainId: 8_675_311,
      stake: chains.stake,
      organization: 'acme',
      signer,
      kind: 'funds',
      subject: anId(),
      digest: anId(),
      burn: null,
      saidAt: 1,
      ...change,
    });
    const onChain = ({ kind, subject, digest, burn, saidAt }: AttestedClaim) => ({
      kind: `0x${Buffer.from(kind).toString('hex').padEnd(64, '0')}`,
      subject: `0x${subject}`,
      digest: `0x${digest}`,
      wrapped: burn?.wrapped ?? '0x0000000000000000000000000000000000000000',
      burner: burn?.burner ?? '0x0000000000000000000000000000000000000000',
      burnAmount: BigInt(burn?.amount ?? 0),
      saidAt: BigInt(saidAt),
    });
    const said = (of: AttestedClaim, by = of.signer) => account(by).sign({ hash: `0x${attestationDigest(of)}` });

    test('is taken by whoever shows two words of its signer on one thing', async () => {
      expect(await chains.send(chains.wrapped, stakeCall('stake', [0n], 1_000n))).toBeNull();
      const one = claim(0);
      const other = { ...one, digest: anId() };
      const prove = async (first: AttestedClaim, second: AttestedClaim, by = 0) =>
        chains.send(
          chains.wrapped,
          stakeCall('proveEquivocation', [
            0n,
            onChain(first),
            await said(first, by),
            onChain(second),
            await said(second, by),
          ]),
        );
      expect(await prove(one, one)).toBe('NoProof');
      expect(await prove(one, { ...other, subject: anId() })).toBe('NoProof');
      expect(await prove(one, { ...other, kind: 'payment' })).toBe('NoProof');
      expect(await prove(one, other, 1)).toBe('NoProof');
      expect(await prove({ ...one, organization: 'zenith' }, { ...other, organization: 'zenith' })).toBe('NoProof');
      const before = await chains.reader(chains.wrapped).getBalance({ address: chains.stake });
      expect(await prove(one, other)).toBeNull();
      expect(before - (await chains.reader(chains.wrapped).getBalance({ address: chains.stake }))).toBe(1_000n);
      expect(await prove(one, other)).toBe('NothingStaked');
    });

    test('is taken by whoever shows that it has attested a burn that is not there', async () => {
      await chains.send(chains.wrapped, stakeCall('stake', [1n], 1_000n));
      const minted = await payout(chains.wrapped, 50n);
      await chains
        .adapterOf(chains.wrapped)
        .broadcast(chains.view(chains.wrapped), await chains.signed(chains.wrapped, minted));
      const real = anId();
      await chains.deposit(chains.wrapped, real, 50n);
      const wrapped = chains.wrapped.contract ?? '';
      const burn = { wrapped, burner: CUSTOMER.address, amount: '50' };
      const prove = async (of: AttestedClaim) =>
        chains.send(chains.wrapped, stakeCall('proveNoBurn', [1n, onChain(of), await said(of)]));
      expect(await prove(claim(1, { subject: real, burn }))).toBe('NoProof');
      const { timestamp } = await chains.reader(chains.wrapped).getBlock();
      expect(await prove(claim(1, { burn, saidAt: Number(timestamp) }))).toBe('NoProof');
      expect(await prove(claim(1))).toBe('NoProof');
      expect(await prove(claim(1, { burn }))).toBeNull();
    });

    test('comes back to its signer alone, three weeks after it was asked for', async () => {
      await chains.send(chains.wrapped, stakeCall('stake', [2n], 1_000n));
      expect(await chains.send(chains.wrapped, stakeCall('unbond', [2n]), STRANGER)).toBe('NotTheSigner');
      expect(await chains.send(chains.wrapped, stakeCall('withdraw', [2n]), account(2))).toBe('StillBonded');
      expect(await chains.send(chains.wrapped, stakeCall('unbond', [2n]), account(2))).toBeNull();
      expect(await chains.send(chains.wrapped, stakeCall('withdraw', [2n]), account(2))).toBe('StillBonded');
      await later(chains.wrapped, 21 * 86_400 + 1);
      expect(await chains.send(chains.wrapped, stakeCall('withdraw', [2n]), account(2))).toBeNull();
      expect(await chains.send(chains.wrapped, stakeCall('stake', [5n], 1n))).toBe('NoSuchSigner');
    });
  });
});
