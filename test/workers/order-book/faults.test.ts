import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../data/database.ts';
import { migrate } from '../fixtures/migrate.ts';
import { clearLedgerFaults } from '../ledger-object/faulty-ledger.ts';
import { type Crowd, faultRun, gatherCrowd } from './fault-run.ts';
import { clearFaults } from './faults.ts';

let db: Database;
let crowd: Crowd;
beforeAll(async () => {
  db = await migrate();
  crowd = await gatherCrowd(db);
});
afterEach(() => {
  clearFaults();
  clearLedgerFaults();
});

/** `npm run soak` sets more, and where to begin. */
const runs = Number(env.FAULT_RUNS);
const first = Number(env.FAULT_SEED);

describe('L5: killing book, ledger and projector at any await, with calls and D1 batches lost, doubled, answered late or landing late, breaks nothing', () => {
  it(`${runs} seeded runs end with L1 to L4 true, no acknowledged order missing and no refused order executed`, {
    timeout: 3_000_000,
  }, async () => {
    let orders = 0;
    let trades = 0;
    for (let seed = first; seed < first + runs; seed++) {
      const figures = await faultRun(db, crowd, seed, 60).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      });
      orders += figures.orders;
      trades += figures.trades;
    }
    console.log(`${runs} runs, ${orders} orders, ${trades} trades`);
    expect(trades).toBeGreaterThan(runs);
  });
});
