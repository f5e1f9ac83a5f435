import { afterEach, describe, expect, it, vi } from 'vitest';
import { Float64Column, Int32Column } from '../../../domain/ledger/columns.ts';
import { ALICE, BOB, idAt, LedgerBench, lot, SHARES, START, USD } from '../../../domain/ledger/ledger.fixtures.ts';
import { LEDGER_LIMITS } from '../../../domain/ledger/ledger-limits.ts';
import type { RegisterEntryOutcome } from '../../../domain/ledger/outcomes.ts';

const ISSUANCE = 'boundary:issuance';
const ROWS = 900;

class Agent extends LedgerBench {
  /** Rows of one share, each its account and its date. */
  issue(asset: string, rows: readonly { account: string; acquiredAt: number }[]): RegisterEntryOutcome {
    const id = this.id();
    const lots = rows.map((row, line) => lot({ id: `${id}.${line}`, quantity: 1, ...row }));
    const accounts = [...new Set(rows.map(({ account }) => account))];
    const legs = accounts.map((account) => {
      const own = lots.filter((each) => each.account === account);
      return { account, change: own.length, lots: own };
    });
    const all = [{ account: ISSUANCE, change: -rows.length, lots: [] }, ...legs];
    return this.apply({ kind: 'register_entry', id, asset, legs: all, createdAt: START, event: null });
  }

  /** Issues rows of other dates until the ledger refuses. */
  fill(asset: string, accountOf: (row: number) => string): RegisterEntryOutcome {
    for (let row = 0; ; row += ROWS) {
      const rows = Array.from({ length: ROWS }, (_, n) => ({ account: accountOf(row + n), acquiredAt: row + n }));
      const outcome = this.issue(asset, rows);
      if (outcome.type !== 'done') return outcome;
    }
  }

  /** What an honest stranger asks for meets no bound. */
  expectOthersGoOn(): void {
    this.transfer('deposit', { account: ALICE, amount: 1_000_000 });
    expect(this.refusalOf({ account: ALICE, reserve: 1_000, reserveAsset: USD })).toBeNull();
    const share = lot({ id: this.id(), account: ALICE, quantity: 1, cost: 1 });
    const brought = { account: ALICE, asset: 'third', amount: 1, cost: 1, tracksLots: true, lots: [share] };
    expect(this.transfer('deposit', brought)).toMatchObject({ type: 'done' });
    const rows = [{ account: ALICE, acquiredAt: START }];
    expect(this.issue('honest-security', rows)).toMatchObject({ type: 'done' });
  }
}

describe('M-03: lots that one transfer agent issues', { timeout: 400_000 }, () => {
  it('to one account end at the bound of the account, and close nothing to others', () => {
    const agent = new Agent();
    const lotsMax = LEDGER_LIMITS.lotsHeldPerAccountMax;
    const refused = { type: 'too_many_lots', of: 'account', account: BOB, lotsMax };
    expect(agent.fill('tiny-security', () => BOB)).toEqual(refused);
    agent.expectOthersGoOn();
  });

  it('to many accounts end at the bound of the security, and close nothing to others', () => {
    const agent = new Agent();
    const refused = agent.fill('tiny-security', (row) => idAt(0, 100 + row));
    expect(refused).toMatchObject({ type: 'too_many_lots', of: 'security' });
    expect(agent.ledger.size.lots).toBeLessThanOrEqual(LEDGER_LIMITS.lotsPerSecurityMax);
    agent.expectOthersGoOn();
  });

  it('in twenty securities leave accounts and securities with few what is guaranteed to them', () => {
    const agent = new Agent();
    for (let security = 0; security < 20; security++)
      agent.fill(`tiny-security-${security}`, (row) => idAt(0, 100 + row + 100_000 * security));
    agent.expectOthersGoOn();
  });

  it('are refused whole, and those that are in stay as they were', () => {
    const agent = new Agent();
    agent.fill('tiny-security', () => BOB);
    const hash = agent.ledger.stateHash();
    const rows = Array.from({ length: ROWS }, (_, at) => ({ account: at === 0 ? ALICE : BOB, acquiredAt: -1 - at }));
    expect(agent.issue('tiny-security', rows).type).toBe('too_many_lots');
    expect(agent.ledger.stateHash()).toBe(hash);
    expect(agent.ledger.violations()).toEqual([]);
  });
});

describe('M-05: the work of putting lots in their places', () => {
  /** What the ledger reads for one row at the most: by dates that a register may state, at 15,000 lots of an account. */
  const READS_PER_ROW_MAX = 600;

  afterEach(() => {
    vi.restoreAllMocks();
  });

  function reads(work: () => void): number {
    const columns = [vi.spyOn(Int32Column.prototype, 'get'), vi.spyOn(Float64Column.prototype, 'get')];
    work();
    const count = columns.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    vi.restoreAllMocks();
    return count;
  }

  const HELD = 12_600;
  const dates: readonly [string, (row: number) => number][] = [
    ['older than all', (row) => -1 - row],
    ['younger than all', (row) => 10 * HELD + row],
    ['between all, forwards', (row) => 10 * row * Math.floor(HELD / ROWS) + 5],
    ['between all, backwards', (row) => 10 * (ROWS - row) * Math.floor(HELD / ROWS) + 5],
    ['of one day with one of theirs', (row) => 10 * row],
  ];

  it.each(dates)('does not grow with the lots of the account where rows are %s', { timeout: 60_000 }, (_, dateOf) => {
    const agent = new Agent();
    for (let row = 0; row < HELD; row += ROWS)
      agent.issue(
        SHARES,
        Array.from({ length: ROWS }, (_each, n) => ({ account: BOB, acquiredAt: 10 * (row + n) })),
      );
    expect(agent.ledger.size.lots).toBe(HELD);
    agent.restart();
    const rows = Array.from({ length: ROWS }, (_each, row) => ({ account: BOB, acquiredAt: dateOf(row) }));
    let outcome: RegisterEntryOutcome | null = null;
    const read = reads(() => {
      outcome = agent.issue(SHARES, rows);
    });
    expect(outcome).toMatchObject({ type: 'done' });
    expect(read / ROWS).toBeLessThan(READS_PER_ROW_MAX);
    const ages = [...agent.ledger.allLots()].map(({ acquiredAt }) => acquiredAt);
    expect(ages).toEqual([...ages].sort((one, other) => one - other));
  });

  it('nor does taking them out again, the oldest first', { timeout: 60_000 }, () => {
    const agent = new Agent();
    agent.fill(SHARES, () => BOB);
    const held = agent.ledger.balance(BOB, SHARES).available;
    agent.restart();
    const read = reads(() => {
      expect(agent.registerEntry([BOB, -ROWS], [ISSUANCE, ROWS])).toMatchObject({ type: 'done' });
    });
    expect(read / ROWS).toBeLessThan(READS_PER_ROW_MAX);
    expect(agent.registerEntry([BOB, ROWS - held], [ISSUANCE, held - ROWS])).toMatchObject({ type: 'done' });
    expect(agent.ledger.size.lots).toBe(0);
  });
});
