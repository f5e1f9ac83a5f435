import { uuidv7 } from 'uuidv7';
import { type Abi, type Address, encodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentOrder, SignedPayment, Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../domain/bridge/chains/chain-calls.ts';
import { contractKey } from '../../../domain/bridge/chains/evm/cluster-key.ts';
import { makeTerms, ORGANIZATION, testSigners } from '../../../domain/bridge/signing/ceremony/ceremony.fixtures.ts';
import { runCeremony } from '../../../domain/bridge/signing/ceremony/run-ceremony.ts';
import { ChainEyes } from '../../../domain/bridge/signing/chain-eyes.ts';
import type { HostedSigner } from '../../../domain/bridge/signing/hosted-signer.ts';
import { clusterKeys } from '../../../domain/bridge/signing/key-share.ts';
import { paymentDigest } from '../../../domain/bridge/signing/payment-digest.ts';
import { SignerHost } from '../../../domain/bridge/signing/signer-host.ts';
import { type Place, type TransferTerms, termsCommitment } from '../../../domain/bridge/transfer-terms.ts';
import { clusterOf } from '../../../durable-objects/bridge-chains/signing-cluster.ts';
import { GUARD_ABI } from '../../../protocol/bridge/abi/guard-abi.ts';
import { VAULT_ABI } from '../../../protocol/bridge/abi/vault-abi.ts';
import type { ChainCalls } from '../../../protocol/bridge/chains-api.ts';
import { throughTimelock } from '../../../scripts/contracts/bridge-deployment.ts';
import { hasDevnet } from './bridge.fixtures.ts';
import { BridgeChains, CUSTOMER, LANE, RELAYER, relayerKey } from './bridge-chains.fixtures.ts';

const FEE = 10;
const RECOVERY_S = 30 * 86_400;

type Side = 'source' | 'destination';

interface Underway {
  readonly terms: TransferTerms;
  readonly commitment: string;
  readonly ordered: { readonly side: Side; readonly payment: PaymentOrder }[];
}

/** The contracts of both chains get another key by their admin, as after the loss of the first one, while transfers are under way. What was stated of the vaults has the first one all the while. */
describe.skipIf(!hasDevnet)('transfers whose contracts got another key', { timeout: 400_000 }, () => {
  const made = testSigners();
  let chains: BridgeChains;
  let calls: ChainCalls;
  let signers: HostedSigner[];
  let now = 0;
  let nextKey = '';
  beforeAll(async () => {
    const keyOf = async (id: string, generation: number) => {
      const terms = { ...(await makeTerms(made, 'frost-secp256k1', id)), generation };
      const outcome = await runCeremony(terms, made.hosts, made.hosts);
      if (!outcome.ok) throw new Error('the ceremony failed');
      return clusterKeys(outcome.cluster).groupKey;
    };
    chains = await BridgeChains.start(ORGANIZATION, await keyOf('first', 1));
    nextKey = await keyOf('next', 2);
    calls = chainCalls({
      transportOf: (chain) => chains.chainOf({ chain }).transport,
      custodyOf: () => {
        throw new Error('no provider');
      },
      relayer: relayerKey(),
    });
    const eyes = new ChainEyes({
      chains: calls,
      placesOf: async ({ source, destination }) => ({
        source: vaultOf(source),
        destination: vaultOf(destination),
        guard: chains.guard,
        stake: null,
        scale: 6,
        coSignFrom: null,
        moduleKeys: [],
      }),
      ledger: { debit: async () => [], voidPayout: async () => true, hasPaidOut: async () => false },
    });
    signers = made.memories.map(
      (memory, number) =>
        new SignerHost({ organization: ORGANIZATION, number, memory, eyes, now: () => now }) as unknown as HostedSigner,
    );
    await chains.exchange.pass(1);
  }, 400_000);
  afterAll(() => chains?.stop());

  const vaultOf = (place: Place) =>
    place.kind === 'chain' && place.chain === 'exchange' ? chains.wrapped : chains.vault;
  const guard = () => ({ address: chains.guard, abi: GUARD_ABI as Abi });
  const held = (vault: Vault) => chains.balance(vault, CUSTOMER.address);

  /** A transfer that has come, and that the guard has counted. */
  async function begun(direction: 'in' | 'out', amount: number): Promise<Underway> {
    const [ethereum, exchange] = (['ethereum', 'exchange'] as const).map(
      (chain) => ({ kind: 'chain', chain, address: CUSTOMER.address }) as const,
    ) as [Place, Place];
    const terms: TransferTerms = {
      id: uuidv7(),
      organization: ORGANIZATION,
      asset: 'USDC',
      source: direction === 'in' ? ethereum : exchange,
      destination: direction === 'in' ? exchange : ethereum,
      amountIn: String(amount),
      amountOut: String(amount - FEE),
      amount,
      fee: FEE,
      expiresAt: 10 ** 14,
    };
    const commitment = termsCommitment(terms);
    expect(await chains.deposit(vaultOf(terms.source), commitment, BigInt(amount))).toBe(true);
    const request = [`0x${commitment}`, `0x${LANE}`, BigInt(amount)];
    expect((await chains.exchange.send(guard(), 'request', request, RELAYER)).error).toBeNull();
    return { terms, commitment, ordered: [] };
  }

  /** Orders a payment, has the guard list it, and has it signed. */
  async function signed(of: Underway, kind: 'payout' | 'refund'): Promise<SignedPayment> {
    const side: Side = kind === 'refund' ? 'source' : 'destination';
    const vault = vaultOf(of.terms[side]);
    const amount = kind === 'refund' ? of.terms.amountIn : of.terms.amountOut;
    const order = { kind, commitment: of.commitment, to: CUSTOMER.address, amount };
    const payment = await chains.orderOf(vault, order, of.ordered.length);
    of.ordered.push({ side, payment });
    await calls.announce(guard(), { commitment: of.commitment, payment: paymentDigest(side, payment) });
    now = Number(await chains.exchange.now()) * 1_000;
    const job = { terms: of.terms, payment, side, coSignature: null, earlier: of.ordered };
    const outcome = await clusterOf(calls, signers).sign(job, vault);
    if (!outcome.ok) throw new Error(outcome.reason);
    return calls.complete(vault, payment, outcome.signatures);
  }

  async function giveOtherKey(): Promise<void> {
    const begin = encodeFunctionData({ abi: VAULT_ABI, functionName: 'beginRecovery', args: [contractKey(nextKey)] });
    const finish = encodeFunctionData({ abi: VAULT_ABI, functionName: 'finishRecovery' });
    for (const vault of [chains.vault, chains.wrapped]) {
      const chain = chains.chainOf(vault);
      const place = { ...chains.place, rpc: chain.devnet.url };
      await throughTimelock(place, vault.contract as Address, begin);
      await chain.pass(RECOVERY_S + 1);
      await throughTimelock(place, vault.contract as Address, finish);
    }
  }

  test('are paid and refunded by the key that the contract says, once each, and by no signature of before', async () => {
    const first = await begun('in', 5_000);
    await chains.handIn(chains.wrapped, await signed(first, 'payout'));
    const [inward, outward, back] = [await begun('in', 1_000), await begun('out', 700), await begun('in', 300)];
    const before = { vault: await held(chains.vault), wrapped: await held(chains.wrapped) };
    const late = await signed(inward, 'payout');
    expect(await calls.keysInForce(chains.vault)).toEqual(chains.vault.keys);
    await giveOtherKey();
    for (const vault of [chains.vault, chains.wrapped])
      expect(await calls.keysInForce(vault)).toEqual({ ...vault.keys, groupKey: nextKey });
    // What was signed before opens nothing any more, and is seen to be void.
    await expect(chains.handIn(chains.wrapped, late)).rejects.toThrow();
    const order = inward.ordered[0]?.payment as PaymentOrder;
    expect(await calls.statusOf(chains.wrapped, order)).toMatchObject({ state: 'void' });
    await chains.handIn(chains.wrapped, await signed(inward, 'payout'));
    await chains.handIn(chains.vault, await signed(outward, 'payout'));
    await chains.handIn(chains.vault, await signed(back, 'refund'));
    expect((await held(chains.wrapped)) - before.wrapped).toBe(990n);
    expect((await held(chains.vault)) - before.vault).toBe(690n + 300n);
    await expect(chains.handIn(chains.wrapped, late)).rejects.toThrow();
    await expect(signed(inward, 'payout')).rejects.toThrow('the transfer was paid');
  });

  test('wait where no signer has a share of the key that the contract says', async () => {
    const of = await begun('in', 200);
    const foreign = {
      ...calls,
      keysInForce: async (vault: Vault) => ({ ...vault.keys, groupKey: `02${'1'.repeat(64)}` }),
    };
    const job = {
      terms: of.terms,
      payment: await chains.orderOf(chains.wrapped, {
        kind: 'payout',
        commitment: of.commitment,
        to: CUSTOMER.address,
        amount: of.terms.amountOut,
      }),
      side: 'destination',
      coSignature: null,
    } as const;
    await expect(clusterOf(foreign, signers).sign(job, chains.wrapped)).rejects.toThrow('fewer than three signers');
  });
});
