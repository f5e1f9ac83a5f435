import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { type Abi, type Address, encodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentOrder, SignedPayment, Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../domain/bridge/chains/chain-calls.ts';
import type { BridgeSigner, SigningJob } from '../../../domain/bridge/signing/bridge-signer.ts';
import { makeTerms, ORGANIZATION, testSigners } from '../../../domain/bridge/signing/ceremony/ceremony.fixtures.ts';
import { runCeremony } from '../../../domain/bridge/signing/ceremony/run-ceremony.ts';
import { ChainEyes } from '../../../domain/bridge/signing/chain-eyes.ts';
import { signPayment } from '../../../domain/bridge/signing/coordinator.ts';
import { clusterKeys, type PublicCluster } from '../../../domain/bridge/signing/key-share.ts';
import type { SignerMemory } from '../../../domain/bridge/signing/memory/signer-memory.ts';
import { paymentDigest } from '../../../domain/bridge/signing/payment-digest.ts';
import type { SignerEyes } from '../../../domain/bridge/signing/signer-eyes.ts';
import { SignerHost } from '../../../domain/bridge/signing/signer-host.ts';
import { type Place, type TransferTerms, termsCommitment } from '../../../domain/bridge/transfer-terms.ts';
import { GUARD_ABI } from '../../../protocol/bridge/abi/guard-abi.ts';
import { TIMELOCK_ABI } from '../../../protocol/bridge/abi/timelock-abi.ts';
import { WRAPPED_ABI } from '../../../protocol/bridge/abi/wrapped-abi.ts';
import { setLanes } from '../../../scripts/contracts/bridge-deployment.ts';
import { hasDevnet } from './bridge.fixtures.ts';
import { BridgeChains, CUSTOMER, LANE, RELAYER, STRANGER, WATCHTOWER } from './bridge-chains.fixtures.ts';

/** Signers 3 and 4 sign whatever they are asked to. */
const LIARS = [3, 4];
/** First of the three that are asked, so that the liars are among them with one honest signer, another each time. */
const WITH_SIGNER_2 = 2;
const WITH_SIGNER_0 = 3;
const DAY_S = 86_400;
const FEE = 10;
const RUNS = Number(process.env.BRIDGE_CHAIN_RUNS ?? 8);
const SEED = Number(process.env.BRIDGE_CHAIN_SEED ?? 1);

type Kind = PaymentOrder['kind'];

interface Underway {
  readonly terms: TransferTerms;
  readonly commitment: string;
  /** Orders that were announced, in that order. */
  readonly announced: { readonly side: 'source' | 'destination'; readonly payment: PaymentOrder }[];
  /** Payments that are signed, and may be handed in by anybody at any time. */
  readonly signed: { readonly vault: Vault; readonly payment: SignedPayment }[];
}

/**
 * The coordinator lies, two signers lie with it, and everybody else does what they like. Three honest signers by the product's own rules see the chains by the product's own
 * adapters.
 */
describe.skipIf(!hasDevnet)('two chains and a cluster of which two lie', { timeout: 400_000 }, () => {
  let chains: BridgeChains;
  let cluster: PublicCluster;
  let signers: BridgeSigner[];
  let now = 0;
  beforeAll(async () => {
    const made = testSigners();
    const outcome = await runCeremony(await makeTerms(made, 'frost-secp256k1'), made.hosts, made.hosts);
    if (!outcome.ok) throw new Error('the ceremony failed');
    cluster = outcome.cluster;
    chains = await BridgeChains.start(ORGANIZATION, clusterKeys(cluster).groupKey);
    signers = made.memories.map((memory, number) => {
      const eyes = LIARS.includes(number) ? lyingEyes() : honestEyes();
      const kept = LIARS.includes(number) ? forgetful(memory) : memory;
      return new SignerHost({ organization: ORGANIZATION, number, memory: kept, eyes, now: () => now });
    });
    await chains.exchange.pass(1);
  }, 400_000);
  afterAll(() => chains?.stop());

  const calls = (relayer: string | null) =>
    chainCalls({
      transportOf: (chain) => chains.chainOf({ chain }).transport,
      custodyOf: () => {
        throw new Error('no provider');
      },
      relayer,
    });
  const vaultOf = (place: Place) =>
    place.kind === 'chain' && place.chain === 'exchange' ? chains.wrapped : chains.vault;

  function honestEyes(): SignerEyes {
    return new ChainEyes({
      chains: calls(null),
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
  }

  /** Sees whatever it takes. */
  function lyingEyes(): SignerEyes {
    const eyes = honestEyes();
    return {
      places: (terms) => eyes.places(terms),
      voidPayout: async () => true,
      hasPaidOut: async () => true,
      isRecovering: async () => false,
      sweepable: async () => '0',
      checkReference: async () => ({ fault: null, spends: [] }),
      funds: async ({ amountIn }) => [{ reference: 'made up', amount: amountIn, confirmations: 1_000 }],
      confirmationsNeeded: async () => 1,
      status: async () => ({ state: 'void', transaction: 'made up', confirmations: 1_000 }),
      payeeMemoFault: async () => null,
      clearance: async ({ amount }) => ({ amount, clearAt: 0, isVetoed: false }),
      announced: async () => null,
      shownFor: async () => null,
      build: (terms, side, payment) => eyes.build(terms, side, payment),
      vaultKeys: (terms, side) => eyes.vaultKeys(terms, side),
      stake: async () => null,
      isCoSigned: async () => true,
      needsCoSignature: () => false,
    };
  }

  /** Remembers nothing that it has signed. */
  function forgetful(memory: SignerMemory): SignerMemory {
    return new Proxy(memory, {
      get(target, name: keyof SignerMemory) {
        if (name !== 'read') return (target[name] as (...args: unknown[]) => unknown).bind(target);
        return (kind: Parameters<SignerMemory['read']>[0], id: string) =>
          kind === 'transfer' ? null : target.read(kind, id);
      },
    });
  }

  function begin(direction: 'in' | 'out', amount: number, change: Partial<TransferTerms> = {}): Underway {
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
      ...change,
    };
    return { terms, commitment: termsCommitment(terms), announced: [], signed: [] };
  }

  const guard = () => ({ address: chains.guard, abi: GUARD_ABI as Abi });
  const pay = ({ terms, commitment }: Underway, amount = BigInt(terms.amountIn), by = CUSTOMER) =>
    chains.deposit(vaultOf(terms.source), commitment, amount, by);
  const clear = ({ terms, commitment }: Underway, lane = LANE) =>
    chains.exchange.send(guard(), 'request', [`0x${commitment}`, `0x${lane}`, BigInt(terms.amount)], RELAYER);

  async function orderOf({ terms, commitment }: Underway, kind: Kind, attempt = 0): Promise<PaymentOrder> {
    const side = kind === 'refund' ? 'source' : 'destination';
    const place = terms[side];
    const to = place.kind === 'chain' ? place.address : '';
    const amount = kind === 'refund' ? terms.amountIn : terms.amountOut;
    const order = { kind: kind === 'cancel' ? ('payout' as const) : kind, commitment, to, amount };
    // By the other contract, which never has too little: what the vault has is for the vault to say.
    const { reference } = await chains.orderOf(chains.wrapped, order, attempt);
    return { ...order, kind, reference };
  }

  async function announce(of: Underway, kind: 'payout' | 'refund', attempt = 0): Promise<void> {
    const order = {
      side: kind === 'refund' ? ('source' as const) : ('destination' as const),
      payment: await orderOf(of, kind, attempt),
    };
    const digest = paymentDigest(order.side, order.payment);
    const { error } = await chains.exchange.send(guard(), 'announce', [`0x${of.commitment}`, `0x${digest}`], RELAYER);
    if (error === null && !of.announced.some(({ payment, side }) => paymentDigest(side, payment) === digest))
      of.announced.push(order);
  }

  /** Has a payment signed, and keeps it. @returns why not; null where it is signed */
  async function sign(of: Underway, kind: Kind, first: number, change: Partial<PaymentOrder> = {}, attempt = 0) {
    now = Number(await chains.exchange.now()) * 1_000;
    const side = kind === 'refund' ? 'source' : 'destination';
    const vault = vaultOf(of.terms[side]);
    const payment = { ...(await orderOf(of, kind, attempt)), ...change };
    const job: SigningJob = { terms: of.terms, payment, side, coSignature: null, earlier: of.announced };
    const unsigned = chains.adapterOf(vault).build(vault, payment);
    const outcome = await signPayment({ cluster, signers, job, unsigned, newSession: randomUUID, first });
    if (!outcome.ok) return outcome.reason;
    of.signed.push({ vault, payment: chains.adapterOf(vault).complete(vault, payment, outcome.signatures) });
    return null;
  }

  /** Hands in what was signed; what chains refuse now they may take later. */
  async function handIn({ signed }: Underway): Promise<void> {
    for (const { vault, payment } of signed) await chains.handIn(vault, payment).catch(() => null);
  }

  const supply = () =>
    chains.exchange.read<bigint>(
      { address: chains.wrapped.contract as Address, abi: WRAPPED_ABI as Abi },
      'totalSupply',
    );
  const held = () => chains.balance(chains.vault, chains.vault.contract ?? '');
  async function expectBacked(what: string): Promise<void> {
    const [out, lying] = [await supply(), await held()];
    expect(out <= lying, `${what}: ${out} wrapped, ${lying} in the vault`).toBe(true);
  }

  /** Wrapped tokens of the customer, so that there is something to burn. */
  async function fund(amount: number): Promise<void> {
    const of = begin('in', amount + FEE);
    expect(await pay(of)).toBe(true);
    expect((await clear(of)).error).toBeNull();
    await announce(of, 'payout');
    expect(await sign(of, 'payout', 0)).toBeNull();
    await handIn(of);
  }

  test('carries a transfer there and back; fees stay in the vault', async () => {
    const before = { supply: await supply(), held: await held() };
    await fund(1_000);
    expect([(await supply()) - before.supply, (await held()) - before.held]).toEqual([1_000n, 1_010n]);
    const back = begin('out', 1_000);
    expect(await pay(back)).toBe(true);
    expect((await clear(back)).error).toBeNull();
    await announce(back, 'payout');
    expect(await sign(back, 'payout', WITH_SIGNER_0)).toBeNull();
    await handIn(back);
    expect([await supply(), (await held()) - before.held]).toEqual([before.supply, 20n]);
  });

  test('releases nothing without a burn, whatever two signers say', async () => {
    await fund(500);
    const [none, short, another] = [begin('out', 400), begin('out', 400), begin('out', 400)];
    expect(await pay(short, 399n)).toBe(true);
    await chains.exchange.send(
      { address: chains.wrapped.contract as Address, abi: WRAPPED_ABI as Abi },
      'transfer',
      [STRANGER.address, 50n],
      CUSTOMER,
    );
    // Somebody else's burn for the transfer is not the customer's.
    expect(await pay(another, 50n, STRANGER)).toBe(true);
    for (const of of [none, short, another]) {
      expect((await clear(of)).error).toBeNull();
      await announce(of, 'payout');
      for (const first of [0, 1, WITH_SIGNER_2, WITH_SIGNER_0, 4])
        expect(await sign(of, 'payout', first)).not.toBeNull();
    }
    expect(await sign(none, 'refund', WITH_SIGNER_2)).not.toBeNull();
    await expectBacked('without burns');
  });

  test('pays to nobody else, no other amount, and by no other terms', async () => {
    const of = begin('in', 300);
    expect(await pay(of)).toBe(true);
    expect((await clear(of)).error).toBeNull();
    await announce(of, 'payout');
    expect(await sign(of, 'payout', WITH_SIGNER_2, { to: STRANGER.address })).not.toBeNull();
    expect(await sign(of, 'payout', WITH_SIGNER_2, { amount: '291' })).not.toBeNull();
    const other = begin('in', 300, { id: of.terms.id, amountOut: '300', fee: 0 });
    expect(await sign({ ...other, commitment: of.commitment }, 'payout', WITH_SIGNER_2)).not.toBeNull();
    expect(await sign(of, 'payout', WITH_SIGNER_2)).toBeNull();
  });

  test('signs no refund beside a payout, though one honest signer knows of the one and another of the other', async () => {
    const of = begin('in', 700);
    expect(await pay(of)).toBe(true);
    expect((await clear(of)).error).toBeNull();
    // Nothing is signed that the others do not see.
    expect(await sign(of, 'payout', WITH_SIGNER_2)).not.toBeNull();
    await announce(of, 'payout');
    expect(await sign(of, 'payout', WITH_SIGNER_2)).toBeNull();
    await announce(of, 'refund');
    for (const first of [WITH_SIGNER_0, 4, 0, 1]) expect(await sign(of, 'refund', first)).not.toBeNull();
    // Nor does it help to leave out, or make up, what was ordered before.
    const silent = { ...of, announced: [] };
    expect(await sign(silent, 'refund', WITH_SIGNER_0)).not.toBeNull();
    const [payout, refund] = of.announced as [Underway['announced'][number], Underway['announced'][number]];
    const lied = { ...payout, payment: { ...payout.payment, reference: `0x${'1'.repeat(64)}@1` } };
    expect(await sign({ ...of, announced: [lied, refund] }, 'refund', WITH_SIGNER_0)).not.toBeNull();
    // Once the payout is void, for everybody to see, the funds go back.
    expect(await sign(of, 'cancel', WITH_SIGNER_0)).toBeNull();
    of.signed.reverse();
    await handIn(of);
    of.signed.length = 0;
    const before = await chains.balance(chains.vault, CUSTOMER.address);
    expect(await sign(of, 'refund', WITH_SIGNER_0)).toBeNull();
    expect(await sign(of, 'payout', WITH_SIGNER_2, {}, 1)).not.toBeNull();
    await handIn(of);
    expect((await chains.balance(chains.vault, CUSTOMER.address)) - before).toBe(700n);
    await expectBacked('after a refund');
  });

  test('B-10: pays nothing whose room was given back, whatever is announced behind it, and gives its funds back', async () => {
    const of = begin('in', 400);
    expect(await pay(of)).toBe(true);
    expect((await clear(of)).error).toBeNull();
    const giveBack = () => chains.exchange.send(guard(), 'giveBack', [`0x${of.commitment}`], RELAYER);
    expect((await giveBack()).error).toBeNull();
    await announce(of, 'payout');
    for (const first of [WITH_SIGNER_0, WITH_SIGNER_2, 4]) expect(await sign(of, 'payout', first)).not.toBeNull();
    expect(await sign(of, 'cancel', WITH_SIGNER_0)).toBeNull();
    await handIn(of);
    of.signed.length = 0;
    await announce(of, 'refund');
    expect(await sign(of, 'refund', WITH_SIGNER_0)).toBeNull();
    await handIn(of);
    await expectBacked('after room was given back');
    // Of what was announced first, none comes back.
    const paid = begin('in', 400);
    expect(await pay(paid)).toBe(true);
    expect((await clear(paid)).error).toBeNull();
    await announce(paid, 'payout');
    const { error } = await chains.exchange.send(guard(), 'giveBack', [`0x${paid.commitment}`], RELAYER);
    expect(error).toBe('PaymentAnnounced');
  });

  test('takes no room of another lane, no vetoed transfer, and none within its challenge', async () => {
    const wide = 'ab'.repeat(32);
    const [elsewhere, vetoed, large] = [begin('in', 100), begin('in', 100), begin('in', 600_000)];
    for (const of of [elsewhere, vetoed, large]) {
      expect(await pay(of)).toBe(true);
      await announce(of, 'payout');
    }
    // The lane of the other chain has room too: it is a lane all the same.
    const place = { ...chains.place, rpc: chains.exchange.devnet.url };
    await setLanes(place, chains.guard, [
      { lane: wide, limit: 10n ** 9n, challengeFrom: 10n ** 9n, challengeSeconds: 0n },
    ]);
    expect((await clear(elsewhere, wide)).error).toBeNull();
    expect((await clear(vetoed)).error).toBeNull();
    expect((await chains.exchange.send(guard(), 'veto', [`0x${vetoed.commitment}`], WATCHTOWER)).error).toBeNull();
    expect((await clear(large)).error).toBeNull();
    for (const of of [elsewhere, vetoed, large])
      expect(await sign(of, 'payout', WITH_SIGNER_2), of.terms.amountIn).not.toBeNull();
    await chains.exchange.pass(3_601);
    expect(await sign(large, 'payout', WITH_SIGNER_2)).toBeNull();
    expect((await chains.exchange.send(guard(), 'pause', [], WATCHTOWER)).error).toBeNull();
    expect(await sign(large, 'payout', WITH_SIGNER_0)).not.toBeNull();
    await unpause();
    expect(await sign(large, 'payout', WITH_SIGNER_0)).toBeNull();
    await handIn(large);
    await expectBacked('after a challenge');
  });

  /** By the timelock, which is the admin of what the product deploys. */
  async function unpause(): Promise<void> {
    const address = await chains.exchange.read<Address>(guard(), 'defaultAdmin');
    const timelock = { address, abi: TIMELOCK_ABI as Abi };
    const data = encodeFunctionData({ abi: GUARD_ABI, functionName: 'unpause' });
    const call = [chains.guard, 0n, data, `0x${'0'.repeat(64)}`, `0x${'5'.repeat(64)}`];
    const by = chains.place.account;
    expect((await chains.exchange.send(guard(), 'unpause', [], by)).error).toBe('AccessControlUnauthorizedAccount');
    expect((await chains.exchange.send(timelock, 'schedule', [...call, 0n], by)).error).toBeNull();
    expect((await chains.exchange.send(timelock, 'execute', call, STRANGER)).error).toBeNull();
  }

  const of = fc.nat(4);
  const attempt = fc.constantFrom(0, 0, 1);
  const kind = fc.constantFrom('payout' as const, 'refund' as const);
  const does = <Name extends string>(name: Name) => fc.constant(name);
  const step = fc.oneof(
    // What an honest coordinator would do next with a transfer, and everything else.
    { weight: 16, arbitrary: fc.record({ do: does('carry on'), of, first: fc.nat(4) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: does('begin'),
        direction: fc.constantFrom('in' as const, 'out' as const),
        amount: fc.integer({ min: FEE + 1, max: 900 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: does('pay'), of, less: fc.constantFrom(0, 1) }) },
    { weight: 3, arbitrary: fc.record({ do: does('announce'), of, kind, attempt }) },
    {
      weight: 8,
      arbitrary: fc.record({
        do: does('sign'),
        of,
        kind: fc.constantFrom('payout' as const, 'refund' as const, 'cancel' as const),
        attempt,
        first: fc.nat(4),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: does('hand in'), of, isBackwards: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: does('veto'), of }) },
  );

  test('whatever is done in whatever order, all that is wrapped lies in the vault, and no transfer pays twice', async () => {
    const ends = { payout: 0, refund: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 40 }), async (steps) => {
        await chains.exchange.pass(DAY_S);
        await chains.external.pass(DAY_S);
        const before = await holdings();
        const underway = [begin('in', 500), begin('out', 200), begin('in', 300)];
        const came = new Map<string, bigint>();
        const paysIn = async (transfer: Underway, amount: bigint) => {
          if (await pay(transfer, amount)) came.set(transfer.commitment, amount);
        };
        const stages = new Map<Underway, number>();
        for (const each of steps) {
          const transfer = underway['of' in each ? each.of % underway.length : 0] as Underway;
          switch (each.do) {
            case 'carry on': {
              const stage = stages.get(transfer) ?? 0;
              stages.set(transfer, stage + 1);
              // Each third transfer is to go back.
              const meant = underway.indexOf(transfer) % 3 === 2 ? 'refund' : 'payout';
              if (stage === 0) await paysIn(transfer, BigInt(transfer.terms.amountIn));
              else if (stage === 1) await clear(transfer);
              else if (stage === 2) await announce(transfer, meant);
              else if (stage === 3) await sign(transfer, meant, each.first);
              else await handIn(transfer);
              break;
            }
            case 'begin':
              underway.push(begin(each.direction, each.amount));
              break;
            case 'pay':
              await paysIn(transfer, BigInt(transfer.terms.amountIn) - BigInt(each.less));
              break;
            case 'announce':
              await announce(transfer, each.kind, each.attempt);
              break;
            case 'sign':
              await sign(transfer, each.kind, each.first, {}, each.attempt);
              break;
            case 'hand in':
              if (each.isBackwards) transfer.signed.reverse();
              await handIn(transfer);
              break;
            case 'veto':
              await chains.exchange.send(guard(), 'veto', [`0x${transfer.commitment}`], WATCHTOWER);
          }
          await expectBacked(JSON.stringify(each));
        }
        for (const of of underway) await handIn(of);
        await expectBacked('at the end');
        // Of each transfer, nothing, the payout or the refund has gone out, and only where funds have come.
        let out = 0n;
        for (const transfer of underway) {
          const gone = await goneOutOf(transfer);
          expect(gone.length, JSON.stringify(gone)).toBeLessThan(2);
          for (const order of gone) {
            const deposited = came.get(transfer.commitment);
            const { amountIn } = transfer.terms;
            expect(order.kind === 'payout' ? amountIn : order.amount).toBe(String(deposited));
            ends[order.kind as keyof typeof ends] += 1;
            out += BigInt(order.amount);
          }
        }
        const all = [...came.values()].reduce((sum, amount) => sum + amount, 0n);
        expect((await holdings()) - before).toBe(out - all);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // Otherwise nothing was tried.
    expect(ends.payout).toBeGreaterThan(0);
    expect(ends.refund).toBeGreaterThan(0);
  });

  /** What the customer has on both chains. */
  async function holdings(): Promise<bigint> {
    return (
      (await chains.balance(chains.vault, CUSTOMER.address)) + (await chains.balance(chains.wrapped, CUSTOMER.address))
    );
  }

  /** Payments of a transfer that have paid, of all kinds and attempts. */
  async function goneOutOf(transfer: Underway): Promise<PaymentOrder[]> {
    const gone: PaymentOrder[] = [];
    for (const [paid, place] of [
      ['payout', transfer.terms.destination],
      ['refund', transfer.terms.source],
    ] as const)
      for (const attempted of [0, 1]) {
        const order = await orderOf(transfer, paid, attempted);
        const vault = vaultOf(place);
        const status = await chains.adapterOf(vault).statusOf(chains.view(vault), order);
        if (status.state === 'paid') gone.push(order);
      }
    return gone;
  }
});
