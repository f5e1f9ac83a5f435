import { env } from 'cloudflare:workers';
import { openAccount } from '../../../data/accounts/accounts.ts';
import { createOrganization } from '../../../data/accounts/organizations.ts';
import { createAsset } from '../../../data/catalog/assets.ts';
import type { Database } from '../../../data/database.ts';
import { JournalPart } from '../../../data/ledger/projection/journal-part.ts';
import { type ProjectOutcome, project as projectPart, readPlace } from '../../../data/ledger/projection/project.ts';
import type { JournalRow } from '../../../domain/ledger/journal-row.ts';
import { createPair } from '../fixtures/create-pair.ts';
import { migrate } from '../fixtures/migrate.ts';
import type { JournaledLedger } from './journaled-ledger.ts';

export const SHARD = 'ledger:0';

/** What D1 has before any projection: two accounts, ACME with its market, an allowance and a position limit. */
export async function openReadModel(accounts: readonly string[] = ['alice', 'bob']): Promise<Database> {
  const db = await migrate();
  await createPair(db, 'ACME');
  for (const id of ['cap', 'room']) {
    await createAsset(db, { id, symbol: id, name: id, category: 'allowance', scale: 0, createdAt: 1 });
  }
  await createOrganization(db, { id: 'org-test', name: 'org-test', createdAt: 1 });
  for (const id of accounts) {
    const user = {
      id: `user-${id}`,
      owner: 'org-test',
      phone: `+1${id}`,
      email: '',
      name: id,
      roles: [],
      createdAt: 1,
    };
    await openAccount(db, user, { id, kycStatus: 'completed' });
  }
  return db;
}

function project(
  from: number,
  rows: readonly JournalRow[],
  ledger: JournaledLedger['ledger'],
): Promise<ProjectOutcome> {
  const part = new JournalPart(from);
  for (const row of rows) part.add(row, 1);
  return projectPart(env.DB, SHARD, part.projected(ledger));
}

/** Brings D1 to the end of the journal, `piece` rows at a time. */
export async function projectAll({ rows, ledger }: JournaledLedger, piece = rows.length): Promise<void> {
  for (let { cursor: from } = await readPlace(env.DB, SHARD); from < rows.length; from += piece) {
    const outcome = await project(from, rows.slice(from, from + piece), ledger);
    if (outcome.type !== 'done') throw new Error(`D1 stands at ${outcome.cursor}`);
  }
}

/** The rows of one journal piece, by its first and last sequence. */
export function projectRows(
  { rows, ledger }: JournaledLedger,
  first: number,
  last = rows.length,
): Promise<ProjectOutcome> {
  return project(first - 1, rows.slice(first - 1, last), ledger);
}

export async function query(sql: string): Promise<Record<string, unknown>[]> {
  return (await env.DB.prepare(sql).all()).results;
}

export async function one(sql: string): Promise<Record<string, unknown> | undefined> {
  return (await query(sql))[0];
}

const PROJECTED = [
  'orders',
  'trades',
  'bars',
  'balances',
  'lots',
  'transfers',
  'ledger_transactions',
  'domain_events',
  'projections',
];

/** Everything that the projection writes. */
export async function everything(): Promise<Record<string, unknown>> {
  const dump: Record<string, unknown> = {};
  for (const table of PROJECTED)
    dump[table] = await query(`SELECT * FROM ${table} ORDER BY ${table === 'projections' ? 1 : '1, 2, 3'}`);
  dump.accounts = await query('SELECT * FROM accounts ORDER BY id');
  dump.api_keys = await query('SELECT * FROM api_keys ORDER BY id');
  dump.markets = await query('SELECT symbol, status, maker_fee_bps, rules_version FROM markets ORDER BY symbol');
  dump.venue = await query('SELECT * FROM venue');
  return dump;
}

/** Empties what the projection writes, as before its first row. */
export async function emptyReadModel(): Promise<void> {
  await env.DB.batch(PROJECTED.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
}
