import { expect, it } from 'vitest';
import { GroupCommit } from '../../durable-objects/ledger/group-commit.ts';
import { LEDGER_SETTINGS } from '../../durable-objects/ledger/ledger-settings.ts';
import { Projector } from '../../durable-objects/ledger/projector.ts';
import { ALICE, idAt, SHARES, START } from './ledger.fixtures.ts';
import { Ledger } from './ledger.ts';

const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));

it('E: D1 is given balances of a transaction that failed', async () => {
  const ledger = new Ledger();
  const sent: unknown[][] = [];
  const d1 = {
    prepare: (text: string) => ({ bind: (...args: unknown[]) => ({ text, args }), first: async () => null }),
    batch: async (statements: { text: string; args: unknown[] }[]) => {
      for (const s of statements) if (s.text.includes('INTO balances')) sent.push(s.args);
    },
  };
  (d1 as any).prepare = (text: string) => ({ bind: (...args: unknown[]) => ({ text, args, first: async () => null }) });
  const journal: any = {
    head: { seq: 0, time: 0, hash: '', bytes: 0 },
    projected: 0,
    prunedTo: 0,
    bytesAfter: () => 0,
    timeOf: () => null,
    prune() {},
    saveProjected() {},
    failures: () => [],
    answer: () => null,
    keepAnswer() {},
    wantsCheckpoint: () => false,
    rememberFailure() {},
    append(time: number) {
      this.head = { seq: this.head.seq + 1, time, hash: '', bytes: 10 };
    },
  };
  const projector = new Projector({
    d1: d1 as any,
    shard: 's',
    journal,
    settings: LEDGER_SETTINGS,
    values: ledger,
    halt: () => undefined,
    warn: (r) => console.error('warn', r),
    step: () => undefined,
  });
  let syncMs = 0;
  const commit = new GroupCommit({
    storage: { transactionSync: (f: () => unknown) => f(), sync: () => sleep(syncMs) } as any,
    journal,
    ledger,
    settings: LEDGER_SETTINGS,
    now: () => START,
    isBacklogged: () => false,
    journaled: (row) => projector.push(row, 10),
    answered: () => undefined,
    abort: (reason) => {
      throw new Error(reason);
    },
    step: () => undefined,
  });
  const deposit = (n: number, amount: number, quantity: number) => {
    const t = {
      kind: 'transfer',
      type: 'deposit',
      id: idAt(START, n),
      account: ALICE,
      asset: SHARES,
      amount,
      cost: 0,
      tracksLots: true,
      lots: [
        {
          id: `${idAt(START, n)}.0`,
          account: ALICE,
          quantity,
          cost: 0,
          acquiredAt: START,
          restrictionEndsAt: null,
          offeringType: null,
        },
      ],
      reference: null,
      createdAt: START,
      event: null,
    } as const;
    return commit.submit(t as any, JSON.stringify(t));
  };
  await deposit(1, 100, 100);
  syncMs = 200; // the sync of the remembered failure
  void deposit(2, 1_000_000, 1).catch(() => undefined);
  process.on('unhandledRejection', () => undefined);
  await sleep(120);
  console.error(JSON.stringify(sent));
  expect(JSON.stringify(sent)).not.toContain('1000100');
});
