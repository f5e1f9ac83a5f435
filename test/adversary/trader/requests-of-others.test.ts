import { expect, it } from 'vitest';
import { ALICE, idAt, LedgerBench, START, USD } from '../../../domain/ledger/ledger.fixtures.ts';

it('M-17: after 10,000 open requests of others an account still asks to pay in and out, and no bound is theirs together', () => {
  const bench = new LedgerBench();
  bench.transfer('deposit', { account: ALICE, asset: USD, amount: 1_000 });
  let ids = 1_000_000;
  const ask = (account: string, type: 'deposit' | 'withdrawal', id = idAt(START, ids++)) =>
    bench.apply({
      kind: 'transfer_request',
      id,
      type,
      account,
      asset: USD,
      amount: 1,
      reference: null,
      createdAt: START,
    });
  const cancel = (account: string, request: string) =>
    bench.apply({
      kind: 'transfer_decision',
      id: bench.id(),
      request,
      account,
      decision: 'cancel',
      cost: 0,
      reason: null,
      createdAt: START,
      event: null,
    });
  for (let stranger = 0; stranger < 3_000; stranger++)
    for (let n = 0; n < 10; n++) ask(idAt(START, 2_000_000 + stranger), 'deposit');

  const first = idAt(START, 900_000);
  expect(ask(ALICE, 'withdrawal', first)).toEqual({ type: 'done' });
  expect(ask(ALICE, 'deposit')).toEqual({ type: 'done' });
  expect(ask(ALICE, 'deposit')).toEqual({ type: 'too_many_requests', openMax: 2 });
  for (let n = 0; n < 5; n++) {
    const [ended, next] =
      n === 0 ? [first, idAt(START, 910_000)] : [idAt(START, 910_000 + n - 1), idAt(START, 910_000 + n)];
    expect(cancel(ALICE, ended)).toMatchObject({ type: 'done' });
    expect(ask(ALICE, 'withdrawal', next)).toEqual({ type: 'done' });
  }
  bench.restart();
  expect(ask(ALICE, 'deposit')).toEqual({ type: 'too_many_requests', openMax: 2 });
  expect(ask(idAt(START, 3_000_000), 'deposit')).toEqual({ type: 'done' });
  expect(bench.ledger.violations()).toEqual([]);
});

it('20,000 accounts with two open requests leave each that has none its first', () => {
  const bench = new LedgerBench();
  const ask = (account: number, n: number) =>
    bench.apply({
      kind: 'transfer_request',
      id: idAt(START, 10_000_000 + 10 * account + n),
      type: 'deposit',
      account: idAt(START, account),
      asset: USD,
      amount: 1,
      reference: null,
      createdAt: START,
    }).type;
  let opened = 0;
  for (let account = 0; account < 25_000; account++)
    for (let n = 0; n < 2; n++) if (ask(account, n) === 'done') opened += 1;
  expect(opened, 'the first have two, all others have one').toBeLessThan(50_000);
  expect(bench.apply({ ...REQUEST, account: idAt(START, 30_000) })).toEqual({ type: 'done' });
  expect(bench.apply({ ...REQUEST, id: idAt(START, 2), account: idAt(START, 30_000) })).toEqual({
    type: 'too_many_requests',
    openMax: 1,
  });
});

const REQUEST = {
  kind: 'transfer_request',
  id: idAt(START, 1),
  type: 'deposit',
  asset: USD,
  amount: 1,
  reference: null,
  createdAt: START,
} as const;
