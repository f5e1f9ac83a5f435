import { randomBytes } from 'node:crypto';
import { RawTx } from '@scure/btc-signer/script.js';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { utxoPayment, vsizeOf } from '../../../domain/bridge/chains/bitcoin/utxo-payment.ts';
import { utxoChain } from '../../../domain/bridge/chains/bitcoin/utxo-script.ts';
import type { PaymentOrder } from '../../../domain/bridge/chains/chain-adapter.ts';
import { DEAR_A_DAY_MAX } from '../../../domain/bridge/signing/memory/day-bound.ts';
import { type TransferTerms, termsCommitment } from '../../../domain/bridge/transfer-terms.ts';
import {
  COIN,
  KINDS,
  type Kind,
  OUTPUT_CHAINS,
  type OutputScene,
  outputSigners,
  type StatedInput,
} from './output-signers.fixtures.ts';

// The first of each scheme has a ceremony of keys.
vi.setConfig({ testTimeout: 400_000 });

/** A payment whose input is there and is the vault's, or the transfer's own. */
async function honest(scene: OutputScene, kind: Kind) {
  const terms = scene.terms(kind === 'refund' ? 'inward' : 'outward');
  scene.pay(kind === 'refund' ? termsCommitment(terms) : null, kind === 'refund' ? COIN : 100n * COIN);
  scene.mine();
  return { terms, order: await scene.payment(terms), isCancel: kind === 'cancel' };
}

const withInput = (change: Partial<StatedInput>) => (inputs: StatedInput[]) =>
  inputs.map((input, index) => (index === 0 ? { ...input, ...change } : input));

describe.each(OUTPUT_CHAINS)('%s: a coordinator', (chain) => {
  describe.each(KINDS)('has a %s', (kind) => {
    test('signed where its reference says what the chain has', async () => {
      const scene = await outputSigners(chain);
      const { terms, order, isCancel } = await honest(scene, kind);
      await scene.paid(scene.job(terms, order, isCancel));
    });

    test.each<[string, (scene: OutputScene, inputs: StatedInput[]) => StatedInput[]]>([
      ['an input is worth more than it says', (_, inputs) => inputs.map((one) => ({ ...one, value: one.value / 3n }))],
      ['an input is worth less than it says', (_, inputs) => inputs.map((one) => ({ ...one, value: one.value * 3n }))],
      ['one unit is missing', (_, inputs) => inputs.map((one) => ({ ...one, value: one.value - 1n }))],
      [
        'an input is of another script',
        (_, inputs) => withInput({ commitment: randomBytes(32).toString('hex') })(inputs),
      ],
      ['an input is a stranger’s', (scene, inputs) => withInput({ txid: strangers(scene, inputs) })(inputs)],
      ['an input is none', (_, inputs) => withInput({ txid: randomBytes(32).toString('hex') })(inputs)],
    ])('refused by all five where %s (B-01)', async (_, lie) => {
      const scene = await outputSigners(chain);
      const { terms, order, isCancel } = await honest(scene, kind);
      const reference = scene.changed(order.reference, (inputs) => lie(scene, inputs));
      expect(reference).not.toBe(order.reference);
      const answers = await scene.asked(scene.job(terms, { ...order, reference }, isCancel));
      expect(answers.willing, answers.reasons.join()).toBe(0);
    });
  });

  test('that asks an indexer which understates outputs gets no signature, and loses nothing (B-01)', async () => {
    const scene = await outputSigners(chain);
    const terms = scene.terms('outward');
    scene.pay(null, 1_000n * COIN);
    scene.mine();
    const order = await scene.payment(terms, { transport: scene.lying() });
    const payout = await scene.asked(scene.job(terms, order));
    expect(payout.willing, payout.reasons.join()).toBe(0);
    const cancelled = await scene.asked(scene.job(terms, order, true));
    expect(cancelled.willing, cancelled.reasons.join()).toBe(0);
  });

  test('spends the deposit of another transfer once that is paid out, and no sooner, and its refund can still be built (B-02)', async () => {
    const scene = await outputSigners(chain);
    const victim = scene.terms('inward');
    const commitment = termsCommitment(victim);
    scene.pay(commitment, COIN);
    const terms = scene.terms('outward');
    scene.pay(null, 3n * COIN);
    scene.mine();
    const own = await scene.payment(terms);
    const refund = await scene.payment(victim);
    const [deposit] = inputsOf(scene, refund) as [StatedInput];
    const reference = scene.changed(own.reference, (inputs) => [...inputs, deposit]);
    const order = { ...own, reference };
    const told = [{ terms: victim, payment: null }];
    for (const isCancel of [false, true])
      for (const paidOut of [[], told]) {
        const answers = await scene.asked(scene.job(terms, order, isCancel, paidOut));
        expect(answers.willing, answers.reasons.join()).toBe(0);
      }
    expect((await scene.payment(victim)).reference).toBe(refund.reference);
    scene.paidByLedger.push(victim.id);
    await scene.paid(scene.job(terms, order, false, told));
  });

  test('gives no refund but out of its own deposit, and cancels none (B-02)', async () => {
    const scene = await outputSigners(chain);
    const { terms, order } = await honest(scene, 'refund');
    const txid = scene.pay(null, COIN);
    scene.mine();
    const reference = scene.changed(order.reference, () => [{ txid, value: COIN, commitment: null }]);
    const { origins: _, ...without } = JSON.parse(reference) as { origins: unknown };
    const answers = await scene.asked(scene.job(terms, { ...order, reference: JSON.stringify(without) }));
    expect(answers.willing, answers.reasons.join()).toBe(0);
  });

  test('gives a speck back out of no other deposit of its transfer, whose rest the vault would keep (B-01)', async () => {
    const scene = await outputSigners(chain);
    const { terms, order } = await honest(scene, 'refund');
    const [deposit] = inputsOf(scene, order) as [StatedInput];
    // What a stranger pays in has another amount.
    const speck = COIN / 20n;
    scene.pay(termsCommitment(terms), speck);
    scene.mine();
    const lie = { ...order, amount: String(speck) };
    const both = scene.changed(await referenceOfSpeck(scene, terms, speck), (inputs) => [...inputs, deposit]);
    for (const reference of [order.reference, both]) {
      scene.listed.length = 0;
      const answers = await scene.asked(scene.job(terms, { ...lie, reference }));
      expect(answers.willing, answers.reasons.join()).toBe(0);
      expect(answers.reasons.join()).toContain('one deposit, whole');
    }
    const own = await referenceOfSpeck(scene, terms, speck);
    expect(inputsOf(scene, { ...lie, reference: own })).toMatchObject([{ value: speck }]);
  });

  test('has one debit of an account pay one set of terms, whatever terms of its id it states (B-04)', async () => {
    const scene = await outputSigners(chain);
    const { terms, order } = await honest(scene, 'payout');
    scene.pay(null, 100n * COIN);
    scene.mine();
    await scene.paid(scene.job(terms, order));
    const other = { ...terms, expiresAt: terms.expiresAt + 1 };
    scene.listed.length = 0;
    const again = await scene.asked(scene.job(other, await scene.payment(other)));
    expect(again).toMatchObject({ willing: 0, reasons: ['the guard shows its debit for other terms'] });
  });

  test('has no reference fixed that fewer than three nodes know, or that gives back what is not deep', async () => {
    const scene = await outputSigners(chain);
    const { terms, order } = await honest(scene, 'payout');
    const known = async (job: ReturnType<typeof scene.job>) =>
      Promise.all(scene.signers.map((signer) => signer.knowsReference(job)));
    const job = scene.job(terms, order);
    scene.listed.length = 0;
    expect(await known(job)).toEqual(scene.signers.map(() => ({ ok: true, value: true })));
    const reference = scene.changed(order.reference, withInput({ txid: randomBytes(32).toString('hex') }));
    const made = await known({ ...job, payment: { ...order, reference } });
    expect(made.map(({ ok }) => ok)).toEqual([false, false, false, false, false]);
    const inward = scene.terms('inward');
    scene.pay(termsCommitment(inward), COIN);
    scene.mine(1);
    const back = scene.job(inward, await scene.payment(inward));
    expect((await known(back)).map(({ ok }) => ok)).toEqual([false, false, false, false, false]);
    scene.mine();
    expect((await known(back)).map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
  });

  test('cancels no payment that nobody knows, by no other reference, and none of another transfer (B-02)', async () => {
    const scene = await outputSigners(chain);
    const { terms, order } = await honest(scene, 'payout');
    const txid = scene.pay(null, 50n * COIN);
    scene.mine();
    const cancel = scene.job(terms, order, true);
    expect((await scene.asked(cancel)).willing).toBe(5);
    const other = {
      ...order,
      reference: scene.changed(order.reference, () => [{ txid, value: 50n * COIN, commitment: null }]),
    };
    const cancelled = { ...cancel.payment, reference: other.reference };
    for (const earlier of [[], cancel.earlier ?? [], [{ side: 'destination', payment: other } as const]]) {
      const answers = await scene.asked({ ...cancel, payment: cancelled, earlier });
      expect(answers).toMatchObject({ willing: 0, reasons: ['no payment of this reference is known'] });
    }
    const invented = scene.terms('outward');
    const foreign = { ...cancel.payment, commitment: termsCommitment(invented) };
    const answers = await scene.asked({ ...cancel, terms: invented, payment: foreign });
    expect(answers).toMatchObject({ willing: 0, reasons: ['no payment of this reference is known'] });
  });
});

test.each(OUTPUT_CHAINS.filter((chain) => chain !== 'cardano'))(
  '%s: a fee far above what the signers’ own nodes ask for is signed by nobody (B-01)',
  async (chain) => {
    const scene = await outputSigners(chain);
    const { terms, order } = await honest(scene, 'payout');
    const { feeRateMax } = utxoChain(chain);
    const dear = JSON.stringify({
      ...JSON.parse(order.reference),
      fee: String(feeRateMax * vsizeOf(scene.vault, 1)),
    });
    const answers = await scene.asked(scene.job(terms, { ...order, reference: dear }));
    expect(answers.willing, answers.reasons.join()).toBe(0);
  },
);

describe.each(OUTPUT_CHAINS.filter((chain) => chain !== 'cardano'))('%s: when fees have fallen', (chain) => {
  const dearOf = (scene: OutputScene, { reference }: PaymentOrder) => {
    const fee = String(utxoChain(chain).feeRateMax * vsizeOf(scene.vault, 1));
    return JSON.stringify({ ...JSON.parse(reference), fee });
  };

  test('a cancellation by the fee of a dearer day is signed, and by a fee above the bound of the chain is not', async () => {
    const scene = await outputSigners(chain);
    const { terms, order } = await honest(scene, 'payout');
    const reference = dearOf(scene, order);
    await scene.paid(scene.job(terms, { ...order, reference }, true));
    const above = { ...JSON.parse(reference), fee: String(Number(JSON.parse(reference).fee) + 1) };
    const answers = await scene.asked(scene.job(terms, { ...order, reference: JSON.stringify(above) }, true));
    expect(answers).toEqual({ willing: 0, reasons: ['the payment cannot be built'] });
  });

  test('a coordinator that makes up payments of the highest fee has two of them cancelled a day, and a cancellation of a common fee is signed beside', async () => {
    const scene = await outputSigners(chain);
    for (let number = 0; number < DEAR_A_DAY_MAX; number += 1) {
      const { terms, order } = await honest(scene, 'payout');
      await scene.signed(scene.job(terms, { ...order, reference: dearOf(scene, order) }, true));
    }
    // Three of five have signed each.
    const { terms, order } = await honest(scene, 'payout');
    const third = await scene.asked(scene.job(terms, { ...order, reference: dearOf(scene, order) }, true));
    expect(third.willing, third.reasons.join()).toBeLessThan(3);
    expect((await scene.asked(scene.job(terms, order, true))).willing).toBe(5);
  });

  test('a refund by the fee of a dearer day goes back, so many a day', async () => {
    const scene = await outputSigners(chain);
    for (let number = 0; number < DEAR_A_DAY_MAX; number += 1) {
      const { terms, order } = await honest(scene, 'refund');
      scene.listed.length = 0;
      await scene.paid(scene.job(terms, { ...order, reference: dearOf(scene, order) }));
    }
    const { terms, order } = await honest(scene, 'refund');
    scene.listed.length = 0;
    const third = await scene.asked(scene.job(terms, { ...order, reference: dearOf(scene, order) }));
    expect(third.willing, third.reasons.join()).toBeLessThan(3);
    const common = await honest(scene, 'refund');
    scene.listed.length = 0;
    await scene.paid(scene.job(common.terms, common.order));
  });
});

describe.each(OUTPUT_CHAINS.filter((chain) => chain !== 'cardano'))('%s', (chain) => {
  test('whatever the own node finds no fault with pays miners the stated fee at most, and what is too small to come back (B-01)', async () => {
    const scene = await outputSigners(chain);
    const commitment = randomBytes(32).toString('hex');
    const { dust, feeRateMax } = utxoChain(chain);
    const there = ([null, null, null, commitment, 'stranger'] as const).map((to, index) => {
      const value = BigInt(index + 1) * 40n * COIN;
      return { txid: scene.pay(to, value), value, to };
    });
    scene.mine();
    let signable = 0;
    const input = fc.record({
      which: fc.integer({ min: 0, max: there.length - 1 }),
      part: fc.constantFrom(1n, 1n, 1n, 1n, 1n, 1n, 2n, 100n),
      isTrue: fc.constantFrom(true, true, true, true, true, false),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(input, { minLength: 1, maxLength: 4 }),
        fc.bigInt({ min: 0n, max: BigInt(feeRateMax) * 12n }),
        fc.constantFrom(...KINDS),
        async (chosen, fee, kind) => {
          const inputs = chosen.map(({ which, part, isTrue }) => {
            const { txid, value, to } = there[which] as (typeof there)[number];
            const isOwn = (to === commitment) === isTrue;
            return { txid, vout: 0, value: String(value / part), commitment: isOwn ? commitment : null };
          });
          const order: PaymentOrder = {
            kind,
            commitment,
            reference: JSON.stringify({ inputs, fee: String(fee) }),
            to: kind === 'cancel' ? '' : scene.payee,
            amount: kind === 'cancel' ? '0' : String(30n * COIN),
          };
          const { fault, spends } = await scene.adapter.checkReference(scene.view(), order);
          if (fault !== null || spends.length > 0) return;
          let raw: Uint8Array;
          try {
            raw = utxoPayment(scene.vault, order).tx.toBytes(false, false);
          } catch {
            return;
          }
          signable += 1;
          const { inputs: spent, outputs } = RawTx.decode(raw);
          const real = spent.reduce((sum, { txid }) => {
            const known = there.find((one) => one.txid === Buffer.from(txid).toString('hex'));
            return sum + (known?.value ?? 0n);
          }, 0n);
          const toMiners = real - outputs.reduce((sum, { amount }) => sum + amount, 0n);
          const stated = fee * (kind === 'cancel' ? 2n : 1n);
          expect(toMiners >= stated && toMiners < stated + dust).toBe(true);
        },
      ),
      {
        numRuns: 100,
        // One of each kind that is signed, whatever else is made.
        examples: KINDS.map((kind): [{ which: number; part: 1n; isTrue: true }[], bigint, Kind] => [
          [{ which: kind === 'refund' ? 3 : 1, part: 1n, isTrue: true }],
          100n,
          kind,
        ]),
      },
    );
    expect(signable).toBeGreaterThanOrEqual(KINDS.length);
  });
});

/** An output of a stranger, of the same worth. */
function strangers(scene: OutputScene, [first]: readonly StatedInput[]): string {
  const txid = scene.pay('stranger', first?.value ?? 0n);
  scene.mine();
  return txid;
}

function referenceOfSpeck(scene: OutputScene, terms: TransferTerms, speck: bigint): Promise<string> {
  const order = { kind: 'refund', commitment: termsCommitment(terms), to: scene.payee, amount: String(speck) } as const;
  return scene.adapter.referenceFor(scene.view(), { ...order, attempt: 0 }, []);
}

function inputsOf(scene: OutputScene, { reference }: PaymentOrder): readonly StatedInput[] {
  let found: readonly StatedInput[] = [];
  scene.changed(reference, (inputs) => {
    found = inputs;
    return inputs;
  });
  return found;
}
