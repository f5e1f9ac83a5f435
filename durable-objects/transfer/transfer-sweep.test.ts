import { expect, test } from 'vitest';
import type { PaymentStatus } from '../../domain/bridge/chains/chain-adapter.ts';
import type { TransferPorts } from './ports.ts';
import type { TransferRecord, TransferStore } from './transfer-store.ts';
import { isSweepOwed, isSwept, sweepDeposit } from './transfer-sweep.ts';

const VAULT = { chain: 'near', network: 'mainnet', token: null, decimals: 24 };
const BY_ITSELF_MAX = 8;
const MUCH = String(25n * 10n ** 24n);
const UNSPENT: PaymentStatus = { state: 'unspent' };
const landed = (state: 'paid' | 'void'): PaymentStatus => ({ state, transaction: 'hash', confirmations: 1 });

/** A deposit that was paid out to its account, and what chain and signers say. */
function begun({
  source = VAULT as object | null,
  state = 'confirmed',
  kind = 'payout',
  wrapped = null as object | null,
} = {}) {
  const terms = { amountOut: '7', destination: { kind: 'chain', chain: 'exchange', address: '0xalice' } };
  const transfer = { state, payment: { kind, reference: 'mint-1' }, amountOut: '7' };
  const record = { terms, commitment: 'c1', settings: { source, destination: wrapped }, transfer };
  const said = { there: MUCH, status: UNSPENT, refusal: null as string | null, killedAt: '', lapsed: '' };
  const done: string[] = [];
  const waits: string[] = [];
  const told: object[] = [];
  const save = async (change: object) => void Object.assign(record, change);
  const point = async (name: string) => {
    if (name === said.killedAt) throw new Error('killed');
  };
  const ports = {
    chains: {
      sweepable: async () => said.there,
      referenceFor: async (_: unknown, { amount, attempt }: { amount: string; attempt: number }) => {
        done.push(`reference ${attempt} of ${amount}`);
        return `own-${attempt}`;
      },
      statusOf: async (_: unknown, { reference }: { reference: string }) =>
        reference === said.lapsed ? landed('void') : said.status,
      confirmationsNeeded: async () => 1,
      complete: async (_: unknown, { reference }: { reference: string }) => ({ raw: reference, transaction: 'hash' }),
      broadcast: async (_: unknown, { raw }: { raw: string }) => void done.push(`handed in ${raw}`),
    },
    cluster: {
      sign: async ({ payment, paidOut }: { payment: object; paidOut: object }) => {
        done.push(`signed ${JSON.stringify(payment)}`);
        told.push(paidOut);
        return said.refusal === null ? { ok: true, signatures: [] } : { ok: false, reason: said.refusal };
      },
    },
  } as unknown as TransferPorts;
  const store = { begun: record, save } as unknown as TransferStore;
  const step = async (isPushed = false) => {
    done.length = 0;
    waits.length = 0;
    await sweepDeposit({ store, waitFor: (why) => void waits.push(why), point }, ports, isPushed).catch(
      () => undefined,
    );
    return [...done];
  };
  return { record: record as unknown as TransferRecord, said, step, waits, told };
}

const SIGNED = `signed ${JSON.stringify({ kind: 'sweep', commitment: 'c1', to: '', reference: 'own-0', amount: MUCH })}`;

test('a deposit that was paid out comes into the vault, and is handed in until it has', async () => {
  const { record, said, step } = begun();
  expect([isSweepOwed(record), isSwept(record)]).toEqual([true, false]);
  expect(await step()).toEqual([`reference 0 of ${MUCH}`, SIGNED, 'handed in own-0']);
  expect(isSwept(record)).toBe(true);
  expect(await step()).toEqual(['handed in own-0']);
  said.status = landed('paid');
  said.there = '1000';
  expect(await step()).toEqual([]);
  // An account shows its deposit no more: it is not lost.
  expect([isSweepOwed(record), isSwept(record)]).toEqual([true, true]);
  await step();
  expect([isSweepOwed(record), isSwept(record)]).toEqual([false, true]);
  expect(await step()).toEqual([]);
});

test.each(['sweep ordered', 'sweep signed', 'sweep sent', 'sweep landed', 'swept'])(
  'goes on where it is killed at: %s',
  async (killedAt) => {
    const { record, said, step } = begun();
    const all: string[] = [];
    said.killedAt = killedAt;
    for (let turn = 0; turn < 6; turn += 1) {
      all.push(...(await step()));
      if (turn === 0) said.killedAt = killedAt.startsWith('sweep s') || killedAt === 'sweep ordered' ? '' : killedAt;
      if (turn === 2) Object.assign(said, { status: landed('paid'), there: '0' });
      if (turn === 3) said.killedAt = '';
    }
    expect(all.filter((each) => each.startsWith('reference'))).toHaveLength(1);
    expect(all.filter((each) => each.startsWith('signed'))).toHaveLength(1);
    expect(isSweepOwed(record)).toBe(false);
  },
);

test('signers are told by which payout a deposit is the vault’s, where tokens were paid', async () => {
  const wrapped = begun({ wrapped: { ...VAULT, chain: 'exchange' } });
  await wrapped.step();
  const payment = { kind: 'payout', commitment: 'c1', reference: 'mint-1', to: '0xalice', amount: '7' };
  expect(wrapped.told).toEqual([[{ terms: wrapped.record.terms, payment }]]);
  const plain = begun();
  await plain.step();
  expect(plain.told).toEqual([[{ terms: plain.record.terms, payment: null }]]);
});

test('what signers refuse is asked for again by the same order, and says why', async () => {
  const { record, said, step, waits } = begun();
  said.refusal = 'too few signers';
  await step();
  expect(waits.at(-1)).toBe('its deposit is not swept: too few signers');
  expect([isSweepOwed(record), isSwept(record)]).toEqual([true, false]);
  said.refusal = null;
  expect(await step()).toEqual([SIGNED, 'handed in own-0']);
});

test('what was signed and comes to nothing is ordered anew, so many times, and then once it is pushed', async () => {
  const { record, said, step, waits } = begun();
  const references: string[] = [];
  const turns = async (pushedAt: number) => {
    references.length = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      said.status = turn % 2 === 0 ? UNSPENT : landed('void');
      references.push(...(await step(turn === pushedAt)).filter((each) => each.startsWith('reference')));
    }
  };
  await turns(-1);
  expect(references).toHaveLength(BY_ITSELF_MAX);
  expect([isSweepOwed(record), isSwept(record)]).toEqual([false, true]);
  expect(waits).toEqual(['8 sweeps of its deposit were signed: another is once it is pushed']);
  await turns(2);
  expect(references).toEqual([`reference 8 of ${MUCH}`]);
});

test('an order that nobody has signed, and that has lapsed, gives way to another and is not counted', async () => {
  const { record, said, step } = begun();
  said.refusal = 'too few signers';
  await step();
  for (let turn = 1; turn <= 10; turn += 1) {
    said.lapsed = `own-${turn - 1}`;
    expect((await step())[0]).toBe(`reference ${turn} of ${MUCH}`);
    expect([isSweepOwed(record), isSwept(record)]).toEqual([true, false]);
  }
  said.refusal = null;
  expect(await step()).toEqual([expect.stringContaining('signed'), 'handed in own-10']);
  said.lapsed = 'own-10';
  await step();
  expect([isSweepOwed(record), isSwept(record)]).toEqual([true, true]);
});

test('an order that nobody has signed is of what is there, but for a speck', async () => {
  const { record, said, step } = begun();
  said.refusal = 'too few signers';
  await step();
  said.there = String((BigInt(MUCH) * 10_005n) / 10_000n);
  expect(await step()).toEqual([SIGNED]);
  said.there = String((BigInt(MUCH) * 10_020n) / 10_000n);
  expect((await step())[0]).toBe(`reference 1 of ${said.there}`);
  said.there = '0';
  expect(await step()).toEqual([]);
  expect(isSweepOwed(record)).toBe(true);
  said.refusal = null;
  said.there = String((BigInt(MUCH) * 10_020n) / 10_000n);
  expect((await step()).at(-1)).toBe('handed in own-1');
  said.there = String(BigInt(MUCH) * 2n);
  expect(await step()).toEqual(['handed in own-1']);
});

test.each([
  ['it is still on its way', { state: 'signing' }],
  ['it was refunded', { state: 'refunded', kind: 'refund' }],
  ['its funds came from an account', { source: null }],
  ['they lie in the vault', { source: { ...VAULT, chain: 'solana' } }],
  ['a provider has them', { source: { ...VAULT, custody: { provider: 'one', account: '1', asset: 'NEAR' } } }],
])('nothing is swept where %s', async (_, of) => {
  const { record, step } = begun(of);
  expect([isSweepOwed(record), await step()]).toEqual([false, []]);
});

test('a deposit that does not show, or is no more than fees, waits', async () => {
  const { record, said, step, waits } = begun();
  said.there = String(10n ** 21n);
  expect([await step(), waits, isSweepOwed(record)]).toEqual([
    [],
    ['its deposit does not lie in its account now'],
    true,
  ]);
});
