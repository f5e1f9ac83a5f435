import { describe, expect, test, vi } from 'vitest';
import type { Deposit, Vault } from '../chains/chain-adapter.ts';
import { FEES_ACCOUNT, feesReference } from '../fees/fee-terms.ts';
import type { TransferPlaces } from '../places/transfer-places.ts';
import { type TransferTerms, termsCommitment } from '../transfer-terms.ts';
import type { SigningJob } from './bridge-signer.ts';
import { isFeeCounted } from './memory/vault-fees.ts';
import { paymentDigest } from './payment-digest.ts';
import type { SignerHost } from './signer-host.ts';
import { NOW, PAYOUT, TERMS, type TestCluster, testCluster } from './signing.fixtures.ts';

// A key ceremony is slow on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const TENANT = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const FEE = 100_000;

/** A deposit at an EVM vault that goes to an account: its fee stays in the vault, in the vault's ten decimals. */
const INWARD: TransferTerms = {
  ...TERMS,
  source: { kind: 'chain', chain: 'ethereum', address: '0xpayer' },
  destination: { kind: 'account', account: 'alice' },
  amountIn: '10000000000',
  fee: FEE,
};
const IN_VAULT = 10_000_000n;
const came: Deposit = { reference: 'tx', amount: INWARD.amountIn, confirmations: 6 };

function termsOf(amount: number, change: Partial<TransferTerms> = {}): TransferTerms {
  const destination = { kind: 'chain', chain: 'ethereum', address: TENANT } as const;
  const source = { kind: 'account', account: FEES_ACCOUNT } as const;
  return {
    ...TERMS,
    id: '0192f0c1-2f3a-7000-8000-0000000000f0',
    ...{ source, destination, amountIn: String(amount), amountOut: String(BigInt(amount) * 100n), amount, fee: 0 },
    ...change,
  };
}

function jobOf(terms: TransferTerms, number = 0, reference = feesReference(number, 1)): SigningJob {
  const to = terms.destination.kind === 'chain' ? terms.destination.address : '';
  const payment = {
    kind: 'payout',
    commitment: termsCommitment(terms),
    reference,
    to,
    amount: terms.amountOut,
  } as const;
  return { terms, payment, side: 'destination', coSignature: null };
}

/** Signers of an EVM vault, whose guard clears and lists what a test asks for. */
async function scene() {
  const cluster = await testCluster();
  const { world } = cluster;
  const known = (await world.places()).source as Vault;
  const vault: Vault = { ...known, chain: 'ethereum', contract: CONTRACT, decimals: 10 };
  const places = (terms: TransferTerms): TransferPlaces => ({
    source: terms.source.kind === 'chain' ? vault : null,
    destination: terms.destination.kind === 'chain' ? vault : null,
    guard: 'guard',
    scale: 8,
    least: { leastAmount: 1, flatFee: FEE, feesTo: TENANT.toLowerCase() },
  });
  world.places = async (terms = TERMS) => places(terms);
  world.deposits = [came];
  world.isPaidByLedger = true;
  world.cleared = { amount: 0, clearAt: NOW, isVetoed: false };
  const clears = (amount: number) => {
    world.cleared = { amount, clearAt: NOW, isVetoed: false };
  };
  const signer = cluster.signers[0] as SignerHost;
  const note = (terms = INWARD) => signer.notePaidOut({ terms, payment: null });
  const earned = async () => {
    const answer = await signer.earnedFees(termsOf(1));
    return answer.ok ? answer.value : answer.reason;
  };
  let sessions = 0;
  const asked = (job: SigningJob) => {
    clears(job.terms.amount);
    sessions += 1;
    return signer.offer(job, `session-${sessions}`);
  };
  return { ...cluster, vault, signer, note, earned, asked, clears };
}

describe('what a signer counts of fees', () => {
  test('is what a transfer that is paid out has left in its vault, once', async () => {
    const { note, earned } = await scene();
    expect(await earned()).toEqual({ earned: '0', paid: '0' });
    await Promise.all([note(), note()]);
    expect(await note()).toEqual({ ok: true, value: true });
    expect(await earned()).toEqual({ earned: String(IN_VAULT), paid: '0' });
    const other = { ...INWARD, id: '0192f0c1-2f3a-7000-8000-000000000002' };
    await note(other);
    expect(await earned()).toEqual({ earned: String(2n * IN_VAULT), paid: '0' });
  });

  test('is nothing of a transfer whose funds it does not see as quoted, deep enough, whatever the ledger says', async () => {
    const { world, note, earned, memories } = await scene();
    const cases: readonly [Deposit[], object][] = [
      [[], { kind: 'not_yet', reason: 'no funds have come' }],
      [[{ ...came, confirmations: 5 }], { kind: 'not_yet', reason: 'funds have 5 of 6 confirmations' }],
      [[{ ...came, amount: '9999999999' }], { ok: true }],
    ];
    for (const [deposits, answer] of cases) {
      world.deposits = deposits;
      expect(await note()).toMatchObject(answer);
      expect(await earned()).toEqual({ earned: '0', paid: '0' });
    }
    world.deposits = [came];
    world.isPaidByLedger = false;
    const other = { ...INWARD, id: '0192f0c1-2f3a-7000-8000-000000000002' };
    expect(await note(other)).toMatchObject({ kind: 'not_yet', reason: 'it is not paid out' });
    expect(await earned()).toEqual({ earned: '0', paid: '0' });
    // Once its funds are there, it is counted all the same.
    expect(await note()).toMatchObject({ ok: true });
    expect(isFeeCounted(memories[0] as TestCluster['memories'][0], termsCommitment(INWARD))).toBe(true);
    expect(await earned()).toEqual({ earned: String(IN_VAULT), paid: '0' });
  });

  test.each<[string, Partial<TransferTerms>]>([
    ['has no fee', { fee: 0, amountOut: '100000000' }],
    ['counts another amount than it brings', { amountOut: '99900001' }],
  ])('is nothing of a transfer that %s', async (_, change) => {
    const { note, earned } = await scene();
    expect(await note({ ...INWARD, ...change })).toEqual({ ok: true, value: true });
    expect(await earned()).toEqual({ earned: '0', paid: '0' });
  });

  test('is nothing of what pays fees out, whatever fee its terms state', async () => {
    const { world, signer, earned } = await scene();
    const terms = termsOf(100_000_000, { fee: FEE, amountOut: '9990000000' });
    world.deposits = [{ ...came, amount: terms.amountIn }];
    world.statuses.set(feesReference(0, 1), { state: 'paid', transaction: 'tx', confirmations: 6 });
    expect(await signer.notePaidOut({ terms, payment: jobOf(terms).payment })).toEqual({ ok: true, value: true });
    expect(await earned()).toEqual({ earned: '0', paid: '0' });
  });

  test.each<[string, Partial<Vault>]>([
    ['the exchange’s chain', { chain: 'exchange' }],
    ['a chain that takes its fees out of the vault', { chain: 'tron' }],
    ['a custody provider', { custody: { provider: 'fireblocks', account: '1', asset: 'ETH' } }],
    ['a vault without a contract', { contract: null }],
  ])('is nothing at %s', async (_, change) => {
    const { world, vault, note, earned } = await scene();
    const at = { ...vault, ...change };
    world.places = async () => ({ source: at, destination: at, guard: 'guard', scale: 8 });
    expect(await note()).toMatchObject({ ok: true });
    expect(await earned()).toBe('the fees of that vault are not known');
  });

  test('is of the contract and the token where they lie', async () => {
    const { world, vault, note, earned } = await scene();
    await note();
    const places = await world.places(termsOf(1));
    for (const change of [{ token: CONTRACT }, { contract: TENANT }, { network: 'testnet' as const }]) {
      world.places = async () => ({ ...places, destination: { ...vault, ...change } });
      expect(await earned()).toEqual({ earned: '0', paid: '0' });
    }
    world.places = async () => ({ ...places, destination: { ...vault, contract: CONTRACT.toLowerCase() } });
    expect(await earned()).toEqual({ earned: String(IN_VAULT), paid: '0' });
  });
});

describe('a payout of fees', () => {
  test('is signed for what was earned, and for nothing beyond', async () => {
    const { note, asked } = await scene();
    expect(await asked(jobOf(termsOf(FEE)))).toMatchObject({ kind: 'not_yet', reason: 'the vault has earned less' });
    await note();
    expect(await asked(jobOf(termsOf(FEE + 1)))).toMatchObject({ reason: 'the vault has earned less' });
    expect(await asked(jobOf(termsOf(FEE)))).toMatchObject({ ok: true });
  });

  test('is attested once so much was earned', async () => {
    const { note, signer } = await scene();
    const terms = termsOf(FEE);
    expect(await signer.attestFunds(terms)).toMatchObject({ reason: 'the vault has earned 0, and paid 0' });
    await note();
    expect(await signer.attestFunds(terms)).toMatchObject({ ok: true, value: { signer: 0 } });
    expect(await signer.attestFunds(termsOf(FEE + 1))).toMatchObject({ ok: false, kind: 'not_yet' });
  });

  test('has the number behind the last that the chain has used, deep enough, and what that has paid is earned no more', async () => {
    const { world, note, asked, earned } = await scene();
    await note();
    const half = jobOf(termsOf(FEE / 2));
    expect(await asked(jobOf(termsOf(FEE / 2), 1))).toMatchObject({
      kind: 'not_yet',
      reason: 'an earlier payout of fees is not settled',
    });
    expect(await asked(half)).toMatchObject({ ok: true });
    world.paidFees = [[IN_VAULT / 2n, 5]];
    expect(await asked(jobOf(termsOf(FEE / 2), 1))).toMatchObject({
      kind: 'not_yet',
      reason: 'an earlier payout of fees is not deep enough',
    });
    world.paidFees = [[IN_VAULT / 2n, 6]];
    expect(await asked(half)).toMatchObject({ kind: 'refused', reason: 'another payout of fees has its number' });
    expect(await asked(jobOf(termsOf(FEE), 1))).toMatchObject({ reason: 'the vault has earned less' });
    expect(await asked(jobOf(termsOf(FEE / 2), 1))).toMatchObject({ ok: true });
    expect(await earned()).toEqual({ earned: String(IN_VAULT), paid: String(IN_VAULT / 2n) });
    // What is deep is looked at once.
    world.paidFees = [
      [0n, 6],
      [IN_VAULT / 2n, 6],
    ];
    expect(await earned()).toEqual({ earned: String(IN_VAULT), paid: String(IN_VAULT) });
    expect(await asked(jobOf(termsOf(1), 2))).toMatchObject({ reason: 'the vault has earned less' });
  });

  test('goes to the address that is stated of its lane, by a reference of its own kind, and to nobody else', async () => {
    const { world, note, asked, signer } = await scene();
    await note();
    const elsewhere = { kind: 'chain', chain: 'ethereum', address: CONTRACT } as const;
    const reason = 'fees of its lane go to another address';
    expect(await asked(jobOf(termsOf(FEE, { destination: elsewhere })))).toMatchObject({ kind: 'refused', reason });
    expect(await signer.knownPlaces(termsOf(FEE, { destination: elsewhere }))).toMatchObject({ reason });
    expect(await signer.knownPlaces(termsOf(FEE))).toMatchObject({ ok: true });
    const kinds = 'the reference is one of another kind of payment';
    expect(await asked(jobOf(termsOf(FEE), 0, 'nonce-1'))).toMatchObject({ kind: 'refused', reason: kinds });
    const payout = {
      terms: TERMS,
      payment: { ...PAYOUT, reference: feesReference(0, 1) },
      side: 'destination',
    } as const;
    expect(await asked({ ...payout, coSignature: null })).toMatchObject({ kind: 'refused', reason: kinds });
    const cancelled = { ...payout.payment, kind: 'cancel' as const };
    expect(await asked({ ...payout, payment: cancelled, coSignature: null })).toMatchObject({ reason: kinds });
    const places = await world.places(termsOf(FEE));
    world.places = async () => ({ ...places, least: { leastAmount: 1, flatFee: 0 } });
    expect(await asked(jobOf(termsOf(FEE)))).toMatchObject({ kind: 'refused', reason });
  });

  test('is held to the guard as any payout', async () => {
    const { world, note, signer } = await scene();
    await note();
    const job = jobOf(termsOf(FEE));
    const ask = (session: string) => signer.offer(job, session);
    world.cleared = null;
    expect(await ask('1')).toMatchObject({ reason: 'the guard has not counted it' });
    world.cleared = { amount: FEE - 1, clearAt: NOW, isVetoed: false };
    expect(await ask('2')).toMatchObject({ reason: 'the guard has counted another amount' });
    world.cleared = { amount: FEE, clearAt: NOW + 1, isVetoed: false };
    expect(await ask('3')).toMatchObject({ reason: 'it may still be challenged' });
    world.cleared = { amount: FEE, clearAt: NOW, isVetoed: true };
    expect(await ask('4')).toMatchObject({ reason: 'it was vetoed' });
    world.cleared = { amount: FEE, clearAt: NOW, isVetoed: false };
    world.payments = [];
    expect(await ask('5')).toMatchObject({ reason: 'the guard does not show the payment' });
    world.payments = [paymentDigest('destination', job.payment)];
    expect(await ask('6')).toMatchObject({ ok: true });
    world.coSignFrom = FEE;
    expect(await ask('7')).toMatchObject({ reason: 'the hardware module has not signed' });
  });

  test('has the same bytes as one of its number that came to nothing, and is signed all the same', async () => {
    const { note, world, signers } = await scene();
    const first = termsOf(FEE);
    const again = termsOf(FEE, { id: '0192f0c1-2f3a-7000-8000-0000000000f1' });
    world.cleared = { amount: FEE, clearAt: NOW, isVetoed: false };
    await note();
    for (const signer of signers.slice(1, 3))
      await (signer as SignerHost).notePaidOut({ terms: INWARD, payment: null });
    const three = signers.slice(0, 3) as SignerHost[];
    for (const job of [jobOf(first), jobOf(again)]) {
      const session = job.terms.id;
      const offers = (await Promise.all(three.map((one) => one.offer(job, session)))).flatMap((answer) =>
        answer.ok ? [answer.value] : [],
      );
      expect(offers).toHaveLength(3);
      expect(await three[0]?.sign(job, session, offers)).toMatchObject({ ok: true });
    }
  });
});

test('fees that were counted, and what was paid of them, outlive a restart; a memory that fails in between has counted too little', async () => {
  const { note, earned, memories, restarted, world } = await scene();
  const [memory] = memories as [TestCluster['memories'][0]];
  // That it is paid out and that its fee is counted are on disk, its sum is not.
  memory.failAfter(2);
  expect(await note()).toMatchObject({ ok: false });
  memory.mend();
  expect(await note()).toEqual({ ok: true, value: true });
  expect(await earned()).toEqual({ earned: '0', paid: '0' });
  await note({ ...INWARD, id: '0192f0c1-2f3a-7000-8000-000000000002' });
  world.paidFees = [[3n, 6]];
  const again: SignerHost = restarted(0);
  expect(await again.earnedFees(termsOf(1))).toEqual({ ok: true, value: { earned: String(IN_VAULT), paid: '3' } });
});
