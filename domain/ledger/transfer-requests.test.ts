import { describe, expect, it } from 'vitest';
import { ALICE, FACTS, LedgerBench, USD } from './ledger.fixtures.ts';
import type { TransferDecision, TransferRequest } from './transactions.ts';

/** An account that asks, may be frozen meanwhile, and is decided about. */
class AskingBench extends LedgerBench {
  ask(type: TransferRequest['type'], amount = 40): string {
    const id = this.id();
    const request = { kind: 'transfer_request', id, type, account: ALICE, asset: USD, amount } as const;
    expect(this.apply({ ...request, reference: null, createdAt: this.time })).toEqual({ type: 'done' });
    return id;
  }

  decide(request: string, decision: TransferDecision['decision']) {
    const of = { kind: 'transfer_decision', id: this.id(), request, account: ALICE, decision } as const;
    return this.apply({ ...of, cost: 0, reason: null, createdAt: this.time, event: null });
  }

  freeze(frozen: boolean, expectedVersion: number): void {
    const facts = { ...FACTS, frozen };
    const change = {
      kind: 'facts',
      id: this.id(),
      account: ALICE,
      expectedVersion,
      facts,
      cancelsOrders: false,
    } as const;
    expect(this.apply({ ...change, createdAt: this.time, event: null })).toMatchObject({ type: 'done' });
  }
}

describe('a request of an account that is frozen meanwhile', () => {
  it.each(['withdrawal', 'deposit'] as const)('a %s is neither approved nor executed, and stays as it is', (type) => {
    const bench = new AskingBench();
    bench.transfer('deposit', { amount: 100 });
    const [asked, approved] = [bench.ask(type), bench.ask(type)];
    expect(bench.decide(approved, 'approve')).toMatchObject({ type: 'done', state: 'approved' });
    const before = bench.ledger.balance(ALICE, USD);
    bench.freeze(true, 1);
    expect(bench.decide(asked, 'approve')).toEqual({ type: 'account_frozen' });
    expect(bench.decide(approved, 'execute')).toEqual({ type: 'account_frozen' });
    expect(bench.ledger.balance(ALICE, USD)).toEqual(before);
    // It can be refused, and taken back.
    expect(bench.decide(asked, 'cancel')).toMatchObject({ state: 'cancelled' });
    bench.freeze(false, 2);
    expect(bench.decide(approved, 'execute')).toMatchObject({ type: 'done', state: 'executed' });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('goes on as it did by rules from before', () => {
    const bench = new AskingBench();
    bench.transfer('deposit', { amount: 100 });
    bench.apply({ kind: 'ledger_rules', version: 3, limits: bench.ledger.rules.limits });
    const asked = bench.ask('withdrawal');
    bench.freeze(true, 1);
    expect(bench.decide(asked, 'approve')).toMatchObject({ type: 'done' });
    expect(bench.decide(asked, 'execute')).toMatchObject({ type: 'done', state: 'executed' });
  });
});
