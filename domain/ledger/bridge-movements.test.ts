import { describe, expect, it } from 'vitest';
import { bridgeMovementId } from './bridge-movement-id.ts';
import { ALICE, BOB, FACTS, LedgerBench, SHARES, USD } from './ledger.fixtures.ts';
import type { BridgeOutcome } from './outcomes.ts';
import type { BridgeMovement } from './transactions.ts';

const VAULT = { organization: 'acme', chain: 'ethereum' };
const OUTSIDE = 'boundary:bridge:acme:ethereum';

function move(
  bench: LedgerBench,
  type: BridgeMovement['type'],
  amount: number,
  terms: Partial<BridgeMovement> = {},
): BridgeOutcome {
  const transfer = bench.id();
  const id = bridgeMovementId(transfer, type === 'burn' ? 'debit' : 'payout');
  return bench.apply({
    kind: 'bridge',
    id,
    transfer,
    createdAt: bench.time,
    type,
    account: ALICE,
    asset: USD,
    amount,
    vault: VAULT,
    ...terms,
  });
}

const has = (bench: LedgerBench, account: string) => bench.ledger.balance(account, USD).available;

describe('a movement of the bridge', () => {
  it('brings in against the vault, and lets out as much again', () => {
    const bench = new LedgerBench();
    expect(move(bench, 'mint', 100)).toEqual({ type: 'done' });
    expect([has(bench, ALICE), has(bench, OUTSIDE)]).toEqual([100, -100]);
    expect(move(bench, 'burn', 100)).toEqual({ type: 'done' });
    expect([has(bench, ALICE), has(bench, OUTSIDE)]).toEqual([0, 0]);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('lets no more out by a vault than has come in by it, whoever has it', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { account: ALICE, asset: USD, amount: 500, cost: 500 });
    move(bench, 'mint', 100, { account: BOB });
    expect(move(bench, 'burn', 101)).toEqual({ type: 'vault_short', required: 101, available: 100 });
    const others = [
      { organization: 'acme', chain: 'solana' },
      { organization: 'zenith', chain: 'ethereum' },
    ];
    for (const vault of others)
      expect(move(bench, 'burn', 1, { vault })).toEqual({ type: 'vault_short', required: 1, available: 0 });
    expect(move(bench, 'burn', 100)).toEqual({ type: 'done' });
    expect([has(bench, ALICE), has(bench, BOB), has(bench, OUTSIDE)]).toEqual([400, 100, 0]);
  });

  it('takes no more than the account has available, and its share of the cost', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { account: ALICE, asset: USD, amount: 100, cost: 100 });
    move(bench, 'mint', 500, { account: BOB });
    expect(move(bench, 'burn', 101)).toEqual({ type: 'insufficient_balance', required: 101, available: 100 });
    expect(move(bench, 'burn', 25)).toEqual({ type: 'done' });
    expect(bench.ledger.balance(ALICE, USD).cost).toBe(75);
  });

  it('lets nothing out of a frozen account, and still brings in', () => {
    const bench = new LedgerBench();
    move(bench, 'mint', 10);
    bench.facts({ account: ALICE, facts: { ...FACTS, frozen: true } });
    expect(move(bench, 'burn', 10)).toEqual({ type: 'account_frozen' });
    expect(move(bench, 'mint', 10)).toEqual({ type: 'done' });
    expect(has(bench, ALICE)).toBe(20);
  });

  it('moves no asset that goes by a register', () => {
    const bench = new LedgerBench();
    const legs = [
      { account: 'boundary:issuance', change: -1, lots: [] },
      { account: 'boundary:register', change: 1, lots: [] },
    ];
    bench.apply({ kind: 'register_entry', id: bench.id(), asset: SHARES, legs, createdAt: bench.time, event: null });
    expect(move(bench, 'mint', 1, { asset: SHARES })).toEqual({ type: 'goes_by_register' });
  });

  it('keeps the refusal of a debit under the id: what was refused once is not done when it is asked again', () => {
    const bench = new LedgerBench();
    move(bench, 'mint', 10, { account: BOB });
    const transfer = bench.id();
    const burn = { kind: 'bridge', id: transfer, transfer, type: 'burn', account: ALICE } as const;
    const asked = { ...burn, asset: USD, amount: 10, vault: VAULT, createdAt: bench.time };
    const journaled = bench.ledger.apply(asked, { time: bench.time, backlogged: false });
    expect(journaled).toEqual({
      outcome: { type: 'insufficient_balance', required: 10, available: 0 },
      changed: true,
    });
  });

  it('leaves a refused payment open: its one id is asked with again', () => {
    const bench = new LedgerBench();
    move(bench, 'mint', 2 ** 51);
    const transfer = bench.id();
    const mint = { kind: 'bridge', transfer, type: 'mint', account: BOB, asset: USD, amount: 1, vault: VAULT } as const;
    const asked = { ...mint, id: bridgeMovementId(transfer, 'refund'), createdAt: bench.time };
    const refused = bench.ledger.apply(asked, { time: bench.time, backlogged: false });
    expect(refused).toEqual({ outcome: { type: 'balance_too_large' }, changed: false });
    move(bench, 'burn', 1);
    expect(bench.apply(asked)).toEqual({ type: 'done' });
  });

  it.each([
    ['burn', 'debit', { burn: 'done', mint: 'malformed', void: 'malformed' }],
    ['mint', 'payout', { burn: 'malformed', mint: 'done', void: 'done' }],
    ['mint', 'refund', { burn: 'malformed', mint: 'done', void: 'malformed' }],
    ['mint', 'fee', { burn: 'malformed', mint: 'done', void: 'malformed' }],
  ] as const)('has one id of its transfer for each purpose: %s as %s', (_, purpose, expected) => {
    for (const type of ['burn', 'mint', 'void'] as const) {
      const bench = new LedgerBench();
      move(bench, 'mint', 10);
      const transfer = bench.id();
      const outcome = move(bench, type, 5, { transfer, id: bridgeMovementId(transfer, purpose) });
      expect(outcome.type, type).toBe(expected[type]);
      expect(move(bench, type, 5, { transfer, id: bridgeMovementId(bench.id(), purpose) }).type).toBe('malformed');
    }
  });

  it('B-04: of a debit that names its terms the id is theirs, and no other terms of the transfer have it', () => {
    const bench = new LedgerBench();
    move(bench, 'mint', 10);
    const transfer = bench.id();
    const [terms, others] = ['5e'.repeat(32), '5f'.repeat(32)];
    const id = bridgeMovementId(transfer, 'debit', terms);
    expect(bridgeMovementId(transfer, 'debit', others)).not.toBe(id);
    expect(id).not.toBe(bridgeMovementId(transfer, 'debit'));
    for (const wrong of [{ commitment: others }, { commitment: 'terms' }, {}])
      expect(move(bench, 'burn', 5, { transfer, id, ...wrong })).toEqual({ type: 'malformed' });
    expect(move(bench, 'burn', 5, { transfer, id, commitment: terms })).toEqual({ type: 'done' });
    expect(has(bench, ALICE)).toBe(5);
  });

  it('so it is with a payment: a void of other terms of the transfer leaves it where it is', () => {
    const bench = new LedgerBench();
    const transfer = bench.id();
    const [terms, others] = ['5e'.repeat(32), '5f'.repeat(32)];
    const idOf = (commitment: string) => bridgeMovementId(transfer, 'payout', commitment);
    expect(new Set([idOf(terms), idOf(others), bridgeMovementId(transfer, 'payout')]).size).toBe(3);
    expect(move(bench, 'void', 5, { transfer, id: idOf(others), commitment: others })).toEqual({ type: 'done' });
    for (const wrong of [{ commitment: others }, { commitment: 'terms' }, {}])
      expect(move(bench, 'mint', 5, { transfer, id: idOf(terms), ...wrong })).toEqual({ type: 'malformed' });
    const noDigest = { transfer, id: idOf('terms'), commitment: 'terms' };
    expect(move(bench, 'mint', 5, noDigest)).toEqual({ type: 'malformed' });
    expect(move(bench, 'mint', 5, { transfer, id: idOf(terms), commitment: terms })).toEqual({ type: 'done' });
    expect(has(bench, ALICE)).toBe(5);
  });

  it('names no terms by rules from before', () => {
    const bench = new LedgerBench();
    bench.apply({ kind: 'ledger_rules', version: 2, limits: bench.ledger.rules.limits });
    move(bench, 'mint', 10);
    const transfer = bench.id();
    const commitment = '5e'.repeat(32);
    const id = bridgeMovementId(transfer, 'debit', commitment);
    expect(move(bench, 'burn', 5, { transfer, id, commitment })).toEqual({ type: 'malformed' });
    expect(move(bench, 'burn', 5)).toEqual({ type: 'done' });
  });

  it('names its terms in a debit and not in a payment by rules of version 3', () => {
    const bench = new LedgerBench();
    bench.apply({ kind: 'ledger_rules', version: 3, limits: bench.ledger.rules.limits });
    move(bench, 'mint', 10);
    const commitment = '5e'.repeat(32);
    const named = (purpose: 'debit' | 'payout') => {
      const transfer = bench.id();
      return { transfer, commitment, id: bridgeMovementId(transfer, purpose, commitment) };
    };
    expect(move(bench, 'burn', 5, named('debit'))).toEqual({ type: 'done' });
    expect(move(bench, 'mint', 5, named('payout'))).toEqual({ type: 'malformed' });
    expect(move(bench, 'void', 5, named('payout'))).toEqual({ type: 'malformed' });
  });

  it('credits a fee under an id of its own, beside what the transfer has paid', () => {
    const bench = new LedgerBench();
    const transfer = bench.id();
    const ids = (['payout', 'refund', 'fee'] as const).map((purpose) => bridgeMovementId(transfer, purpose));
    expect(new Set([transfer, ...ids]).size).toBe(4);
    const [payout, , fee] = ids;
    expect(move(bench, 'mint', 97, { transfer, id: payout as string })).toEqual({ type: 'done' });
    expect(move(bench, 'mint', 3, { transfer, id: fee as string, account: BOB })).toEqual({ type: 'done' });
    expect([has(bench, ALICE), has(bench, BOB), has(bench, OUTSIDE)]).toEqual([97, 3, -100]);
    expect(move(bench, 'burn', 3, { account: BOB })).toEqual({ type: 'done' });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('credits no fee by rules from before', () => {
    const bench = new LedgerBench();
    bench.apply({ kind: 'ledger_rules', version: 3, limits: bench.ledger.rules.limits });
    const transfer = bench.id();
    const id = bridgeMovementId(transfer, 'fee');
    expect(move(bench, 'mint', 5, { transfer, id })).toEqual({ type: 'malformed' });
    expect(move(bench, 'mint', 5)).toEqual({ type: 'done' });
    bench.apply({ kind: 'ledger_rules', version: 4, limits: bench.ledger.rules.limits });
    expect(move(bench, 'mint', 5, { transfer, id })).toEqual({ type: 'done' });
  });

  it('moves nothing where it only takes an id', () => {
    const bench = new LedgerBench();
    move(bench, 'mint', 10);
    expect(move(bench, 'void', 10)).toEqual({ type: 'done' });
    expect([has(bench, ALICE), has(bench, OUTSIDE)]).toEqual([10, -10]);
  });

  it.each([
    ['nothing', { amount: 0 }],
    ['less than nothing', { amount: -1 }],
    ['half a unit', { amount: 0.5 }],
    ['more than amounts are exact in', { amount: 2 ** 51 + 1 }],
    ['a boundary account', { account: 'boundary:deposits' }],
    ['a vault without a name', { vault: { organization: '', chain: 'ethereum' } }],
    ['a vault whose name is two', { vault: { organization: 'acme:solana', chain: 'ethereum' } }],
  ])('is refused for %s', (_, terms) => {
    const bench = new LedgerBench();
    expect(move(bench, 'mint', 1, terms)).toEqual({ type: 'malformed' });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('is refused where an amount would leave the range that amounts are exact in', () => {
    const bench = new LedgerBench();
    move(bench, 'mint', 2 ** 51);
    expect(move(bench, 'mint', 1, { account: BOB })).toEqual({ type: 'balance_too_large' });
    bench.transfer('withdrawal', { amount: 1 });
    expect(move(bench, 'mint', 1, { account: BOB }), 'the vault has its own bound').toEqual({
      type: 'balance_too_large',
    });
  });

  it('is refused where its vault would have let in more than amounts are exact in, wherever that went since', () => {
    const bench = new LedgerBench();
    expect(move(bench, 'mint', 2 ** 51)).toEqual({ type: 'done' });
    bench.transfer('withdrawal', { account: ALICE, amount: 2 ** 50 });
    expect(move(bench, 'mint', 1)).toEqual({ type: 'balance_too_large' });
    expect(move(bench, 'mint', 1, { vault: { organization: 'zinc', chain: 'base' } })).toEqual({ type: 'done' });
  });

  it('M-02: is refused where all accounts together would have more than amounts are exact in, by whatever vaults', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { account: BOB, amount: 2 ** 50 });
    expect(move(bench, 'mint', 2 ** 50)).toEqual({ type: 'done' });
    const another = { vault: { organization: 'zinc', chain: 'base' } };
    expect(move(bench, 'mint', 1, another)).toEqual({ type: 'balance_too_large' });
    expect(bench.transfer('deposit', { account: BOB, amount: 1 })).toEqual({ type: 'balance_too_large' });
    move(bench, 'burn', 1);
    expect(move(bench, 'mint', 1, another)).toEqual({ type: 'done' });
  });
});
