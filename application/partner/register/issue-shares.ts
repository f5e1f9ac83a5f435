import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import { findHolder, namesOfAccounts } from '../../../data/partner/register/cap-table.ts';
import type { RegisterEventRow, RegisterLine } from '../../../data/partner/register/register-events.ts';
import type { RegisteredSecurity } from '../../../data/partner/register/registered-security.ts';
import type { Regulation } from '../../../domain/assets/asset.ts';
import { sha256 } from '../../../domain/ledger/journal-chain.ts';
import {
  type CheckedImport,
  checkImport,
  IMPORT_ACCOUNT_ROWS_MAX,
  type ImportRow,
  type RawImportRow,
  type RowError,
} from '../../../domain/register/import-rows.ts';
import type { RegisterEventType } from '../../../domain/register/register-event.ts';
import { offeringOf } from '../../../domain/resale/offering.ts';
import { restrictionEnd } from '../../../domain/resale/restriction-end.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';
import { changeRegister, type RegisterChangeError } from './change-register.ts';

/** Of costs, in US dollars. */
const COST_SCALE = 2;

export interface RegisterAction {
  /** UUIDv7 of the event; the same on every repetition. */
  readonly id: string;
  /** User id. */
  readonly actor: string;
  readonly recordDate: string | null;
  readonly notes: string | null;
  /** Unix milliseconds. */
  readonly now: number;
}

export type IssueError =
  | RegisterChangeError
  | { readonly reason: 'rows'; readonly errors: readonly RowError[]; readonly errorCount: number }
  | { readonly reason: 'holder_not_found' };

/** An issuance or import: its totals, and its event unless it was a dry run. */
export interface Issued {
  readonly shares: number;
  readonly rows: number;
  readonly event: RegisterEventRow | null;
}

/** Issues what rows say, all of them or none; a dry run checks them and changes nothing. */
export async function issueShares(
  env: LedgerEnv,
  security: RegisteredSecurity & { readonly scale: number },
  type: Extract<RegisterEventType, 'issuance' | 'import'>,
  raw: readonly RawImportRow[],
  { action, isDryRun = false }: { readonly action: RegisterAction; readonly isDryRun?: boolean },
): Promise<Result<Issued, IssueError>> {
  const { id, now } = action;
  const checked = checkImport(raw, { scale: security.scale, costScale: COST_SCALE, now });
  const found = await checkAccounts(env, checked);
  const { errors, errorCount } = found;
  if (errorCount > 0) return err({ reason: 'rows', errors, errorCount });
  const totals = { shares: checked.shares, rows: raw.length };
  if (isDryRun) return ok({ ...totals, event: null });
  const hash = sha256(type, security.id, JSON.stringify(raw), action.recordDate ?? '', action.notes ?? '');
  const { recordDate, notes, actor } = action;
  const event = { id, security: security.id, type, hash, recordDate, notes, actor, createdAt: now };
  const lines = checked.rows.map((row) => lineOf(row, security, found.names));
  const changed = await changeRegister(env, event, lines);
  return changed.ok ? ok({ ...totals, event: changed.value }) : changed;
}

interface CheckedAccounts extends Pick<CheckedImport, 'errors' | 'errorCount'> {
  readonly names: ReadonlyMap<string, string>;
}

async function checkAccounts(env: LedgerEnv, { rows, errors, errorCount }: CheckedImport): Promise<CheckedAccounts> {
  const named = rows.flatMap(({ account }, index) => (account === null ? [] : { account, row: index + 1 }));
  if (errorCount > 0 || named.length === 0) return { errors, errorCount, names: new Map() };
  if (named.length > IMPORT_ACCOUNT_ROWS_MAX) {
    const message = `more than ${IMPORT_ACCOUNT_ROWS_MAX} rows name accounts`;
    const row = named[IMPORT_ACCOUNT_ROWS_MAX]?.row ?? 1;
    return { errors: [{ row, field: 'account_id', message }], errorCount: 1, names: new Map() };
  }
  const names = await namesOfAccounts(database(env.DB), [...new Set(named.map(({ account }) => account))]);
  const missing = named
    .filter(({ account }) => !names.has(account))
    .map(({ row }): RowError => ({ row, field: 'account_id', message: 'is no account' }));
  return { errors: missing.slice(0, 100), errorCount: missing.length, names };
}

function lineOf(
  row: ImportRow,
  { regulation, offeringType }: RegisteredSecurity,
  names: ReadonlyMap<string, string>,
): RegisterLine {
  const { account, reference, kind, country, shares, cost, certificate, legend, acquiredAt } = row;
  const offering = offeringOf(offeringType, regulation as Regulation | null);
  const bound = offering === null || offering === 'lockup' ? null : restrictionEnd(offering, acquiredAt);
  const name = row.name ?? names.get(account ?? '') ?? '';
  return {
    holder: { id: uuidv7(), account, reference, kind, name, country },
    shares,
    cost,
    acquiredAt,
    restrictionEndsAt: row.restrictionEndsAt === undefined ? bound : row.restrictionEndsAt,
    offeringType,
    certificate,
    legend,
  };
}

/** Takes shares from a holder that the issuer has bought back, or that were never issued. */
export async function cancelShares(
  env: LedgerEnv,
  security: RegisteredSecurity,
  { holder: holderId, shares }: { readonly holder: string; readonly shares: number },
  { id, actor, recordDate, notes, now }: RegisterAction,
): Promise<Result<RegisterEventRow, RegisterChangeError | { readonly reason: 'holder_not_found' }>> {
  const holder = await findHolder(database(env.DB), security.id, holderId);
  if (holder === null) return err({ reason: 'holder_not_found' });
  const hash = sha256('cancellation', security.id, holderId, String(shares), recordDate ?? '', notes ?? '');
  const { account, reference, kind, name, country } = holder;
  const line: RegisterLine = {
    holder: { id: holderId, account, reference, kind, name, country },
    shares: -shares,
    cost: 0,
    acquiredAt: null,
    restrictionEndsAt: null,
    offeringType: null,
    certificate: null,
    legend: false,
  };
  const event = { id, security: security.id, type: 'cancellation', hash, recordDate, notes, actor } as const;
  return changeRegister(env, { ...event, createdAt: now }, [line]);
}
