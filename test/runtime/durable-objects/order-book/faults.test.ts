import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { ledgerAsOf } from '../../../../domain/ledger/journal-replay.ts';
import { journalRows } from '../../../../domain/ledger/journal-source.ts';
import { laterCode } from '../../../../domain/ledger/ledger-rules.fixtures.ts';
import { type Crowd, faultRun, gatherCrowd } from '../../fixtures/fault-run.ts';
import { clearFaults } from '../../fixtures/faults.ts';
import { clearLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { ask, sourceOf } from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';

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

/** A run takes about a second on a quiet machine. */
const SEED_MS_MAX = 5_000;
/** `npm run soak` says from time to time how far it is. */
const SEEDS_PER_REPORT = 250;

/** Written to the log whatever becomes of the test. */
async function report(line: string): Promise<void> {
  await env.REPORT.fetch('http://report', { method: 'POST', body: line });
}

describe('L5: killing book, ledger and projector at any await, with calls and D1 batches lost, doubled, answered late or landing late, breaks nothing', () => {
  it(`${runs} seeded runs end with L1 to L4 true, no acknowledged order missing and no refused order executed`, {
    timeout: 600_000 + runs * SEED_MS_MAX,
  }, async () => {
    const total = { orders: 0, trades: 0, transfers: 0, intruders: 0, deployments: 0, reads: 0 };
    for (let seed = first; seed < first + runs; seed++) {
      const figures = await faultRun(db, crowd, seed, 60).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      });
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += figures[name];
      const done = seed - first + 1;
      if (done % SEEDS_PER_REPORT === 0 && done < runs) await report(`fault runs ${first} to ${seed}: passed so far`);
    }
    await report(`fault runs ${first} to ${first + runs - 1}: ${JSON.stringify(total)}`);
    const replayed = await ledgerAsOf(journalRows(sourceOf('ledger:0')), Number.POSITIVE_INFINITY, laterCode().known);
    const { sealed, journaled } = await ask('ledger:0', (ledger) => ledger.status());
    const { stateHash } = await ask('ledger:0', (ledger) => ledger.stateHash());
    expect({ seq: replayed.seq, stateHash: replayed.ledger.stateHash() }).toEqual({ seq: journaled, stateHash });
    expect(sealed, 'R2 has most of it').toBeGreaterThan(journaled / 2);
    for (const [name, count] of Object.entries(total)) expect(count, name).toBeGreaterThan(runs / 10);
  });
});
