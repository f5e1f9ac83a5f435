import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import { type NamedAccount, namedAccounts } from '../../../data/partner/register/cap-table.ts';
import { entryFault } from '../../../data/partner/register/entry-fault.ts';
import {
  findRegisterEvent,
  formReferences,
  knownCertificates,
  type RegisterEventRow,
  type RegisterLine,
  referencesLike,
  registeredHolders,
  sayOfHolders,
} from '../../../data/partner/register/register-events.ts';
import { roomFault } from '../../../data/partner/register/register-room.ts';
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
  standsInTheWay,
} from '../../../domain/register/import-rows.ts';
import { composed, lookAlikeForm } from '../../../domain/register/look-alike.ts';
import type { RegisterEventType } from '../../../domain/register/register-event.ts';
import { offeringOf } from '../../../domain/resale/offering.ts';
import { restrictionEnd } from '../../../domain/resale/restriction-end.ts';
import { holdOf } from '../../../domain/resale/restriction-rules.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';
import { projected } from '../../ledger/projected.ts';
import { changeRegister, type RegisterChangeError } from './change-register.ts';

/** Of costs, in US dollars. */
const COST_SCALE = 2;
/** Wrong rows that are told; all of them are counted. */
const ROW_ERRORS_MAX = 100;

export interface RegisterAction {
  /** UUIDv7 of the event; the same on every repetition. */
  readonly id: string;
  /** User id. */
  readonly actor: string;
  /** Organization of the transfer agent. */
  readonly agent: string;
  readonly recordDate: string | null;
  readonly notes: string | null;
  /** Unix milliseconds. */
  readonly now: number;
}

export type IssueError =
  | RegisterChangeError
  | { readonly reason: 'rows'; readonly errors: readonly RowError[]; readonly errorCount: number }
  /** Of an issuance; an import names the rows. */
  | { readonly reason: 'account_not_eligible'; readonly account: string }
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
  const named = await checkHolders(env, security.id, checked);
  const found = named === null ? null : await checkAccounts(env, security.id, named, now);
  if (found === null) return err({ reason: 'outcome_unknown' });
  const isRefused = found.errorCount > 0 || found.ineligible.length > 0;
  // What is under way goes to its end: whom it gives shares was judged before.
  const goesOn = isRefused && (await isUnderWay(env, id));
  const { errors, errorCount } = goesOn ? checked : found;
  if (errorCount > 0) return err({ reason: 'rows', errors, errorCount });
  const judged = goesOn ? [] : found.ineligible;
  const [first] = judged;
  if (first !== undefined) {
    if (type === 'issuance') return err({ reason: 'account_not_eligible', account: first.account });
    const told = judged.slice(0, ROW_ERRORS_MAX).map(
      ({ row }): RowError => ({
        row,
        field: 'account_id',
        message: 'account_not_eligible: its owner is not identified, or it is frozen',
      }),
    );
    return err({ reason: 'rows', errors: told, errorCount: judged.length });
  }
  const totals = { shares: checked.shares, rows: raw.length };
  const lines = checked.rows.map((row) => lineOf(row, security, found.named));
  if (isDryRun) {
    const fault = await faultOfLines(env, { id, security: security.id, at: now }, lines);
    return fault === null ? ok({ ...totals, event: null }) : err(fault);
  }
  const hash = sha256(type, security.id, JSON.stringify(raw), action.recordDate ?? '', action.notes ?? '');
  const { recordDate, notes, actor, agent } = action;
  const event = { id, security: security.id, type, hash, recordDate, notes, actor, agent, createdAt: now };
  const changed = await changeRegister(env, event, lines);
  if (!changed.ok) return changed;
  // What the rows say of holders counts once they have their shares; the same request says it again.
  await sayOfHolders(
    database(env.DB),
    security.id,
    lines.map(({ holder }) => holder),
  );
  return ok({ ...totals, event: changed.value });
}

/** What an import of these lines would be refused for, in the order in which it is looked at. */
async function faultOfLines(
  env: LedgerEnv,
  { id, security, at }: { readonly id: string; readonly security: string; readonly at: number },
  lines: readonly RegisterLine[],
): Promise<IssueError | null> {
  const db = database(env.DB);
  const certificates = lines.flatMap(({ certificate }) => certificate ?? []);
  const known = await knownCertificates(db, { id, security }, certificates);
  if (known.length > 0) return { reason: 'certificate_exists', certificates: known };
  const full = await roomFault(db, { security, rows: lines.length + 1, kind: 'lines', at });
  return full ?? (await entryFault(db, security, lines));
}

/**
 * A reference, or an account, that the register knows is that holder's: a row that says otherwise of them would give its shares to somebody else. Whose an account is, is known here: its names are looked
 * at with it. Null where not all that the register has can be compared yet.
 */
async function checkHolders(env: LedgerEnv, security: string, checked: CheckedImport): Promise<CheckedImport | null> {
  const references = [
    ...new Set(checked.rows.flatMap(({ account, reference }) => (account === null ? [reference] : []))),
  ];
  const db = database(env.DB);
  const accounts = [
    ...new Set(checked.rows.flatMap(({ account, reference }) => (account === null ? [] : [reference]))),
  ];
  let known = await registeredHolders(db, security, [...references, ...accounts]);
  if (references.some((reference) => !known.has(reference))) {
    if (!(await formReferences(db, security))) return null;
    known = await registeredHolders(db, security, [...references, ...accounts]);
  }
  const like = await referencesLike(db, security, references.map(lookAlikeForm));
  const differing = checked.rows.flatMap((row, index): RowError[] => {
    const holder = known.get(row.reference);
    if (holder === undefined) {
      const [other] = row.account === null ? (like.get(lookAlikeForm(row.reference)) ?? []) : [];
      if (other === undefined) return [];
      const message = `looks like ${other} of the register, and is another text`;
      return [{ row: index + 1, field: 'holder_reference', message }];
    }
    const name = row.account === null ? row.name : null;
    const stated = { holder_name: name, holder_kind: row.isKindStated ? row.kind : null, country: row.country };
    const registered = { holder_name: holder.name, holder_kind: holder.kind, country: holder.country };
    return (['holder_name', 'holder_kind', 'country'] as const).flatMap((field) =>
      stated[field] === null || registered[field] === null || stated[field] === registered[field]
        ? []
        : [
            {
              row: index + 1,
              field,
              message: `is not what the register says of the holder of this ${row.account === null ? 'reference' : 'account'}`,
            },
          ],
    );
  });
  if (differing.length === 0) return checked;
  return { ...checked, errors: differing.slice(0, ROW_ERRORS_MAX), errorCount: differing.length };
}

const NO_ACCOUNT =
  'is no account that you may register shares to: of an investor of the lister, of a holder, or of who takes registered shares';

const IN_THE_WAY =
  'is before shares that its holder may sell, and these are bound longer than a year: they would keep the others back, since a sale takes the oldest first';

const ANOTHER_NAME = 'is neither the name of who has this account nor what the register says of them';

interface AccountRow {
  readonly account: string;
  /** The first row is 1. */
  readonly row: number;
}

interface CheckedAccounts extends Pick<CheckedImport, 'errors' | 'errorCount'> {
  readonly named: ReadonlyMap<string, NamedAccount>;
  /** Rows of accounts that take no shares. */
  readonly ineligible: readonly AccountRow[];
}

/** Null where D1 does not show what the ledger knows: whether an account is frozen is judged by no less. */
async function checkAccounts(
  env: LedgerEnv,
  security: string,
  { rows, errors, errorCount }: CheckedImport,
  now: number,
): Promise<CheckedAccounts | null> {
  const asked = rows.flatMap(({ account }, index): AccountRow[] =>
    account === null ? [] : [{ account, row: index + 1 }],
  );
  const nobody = { named: new Map(), ineligible: [] };
  if (errorCount > 0 || asked.length === 0) return { errors, errorCount, ...nobody };
  if (asked.length > IMPORT_ACCOUNT_ROWS_MAX) {
    const message = `more than ${IMPORT_ACCOUNT_ROWS_MAX} rows name accounts`;
    const row = asked[IMPORT_ACCOUNT_ROWS_MAX]?.row ?? 1;
    return { errors: [{ row, field: 'account_id', message }], errorCount: 1, ...nobody };
  }
  if (!(await projected(env))) return null;
  const named = await namedAccounts(database(env.DB), security, [...new Set(asked.map(({ account }) => account))], now);
  const missing = asked
    .filter(({ account }) => !named.has(account))
    .map(({ row }): RowError => ({ row, field: 'account_id', message: NO_ACCOUNT }));
  const inTheWay = asked
    .filter(({ account, row }) => {
      const stated = rows[row - 1];
      return stated !== undefined && standsInTheWay(stated, named.get(account)?.newestFreeAt ?? null);
    })
    .map(({ row }): RowError => ({ row, field: 'acquired_at', message: IN_THE_WAY }));
  const misnamed = asked
    .filter(({ account, row }) => {
      const stated = rows[row - 1]?.name ?? null;
      const { name, registeredName } = named.get(account) ?? { name: '', registeredName: null };
      return (
        stated !== null && registeredName !== null && stated !== composed(registeredName) && stated !== composed(name)
      );
    })
    .map(({ row }): RowError => ({ row, field: 'holder_name', message: ANOTHER_NAME }));
  const ineligible = asked.filter(({ account }) => named.get(account)?.isEligible === false);
  const wrong = [...missing, ...inTheWay, ...misnamed];
  return { errors: wrong.slice(0, ROW_ERRORS_MAX), errorCount: wrong.length, named, ineligible };
}

/** Whether an event was announced, or recorded. */
export async function isUnderWay(env: LedgerEnv, id: string): Promise<boolean> {
  const state = (await findRegisterEvent(database(env.DB), id))?.state;
  return state === 'announced' || state === 'recorded';
}

function lineOf(
  row: ImportRow,
  { regulation, offeringType }: RegisteredSecurity,
  named: ReadonlyMap<string, NamedAccount>,
): RegisterLine {
  const { account, reference, kind, isKindStated, country, shares, cost, certificate, legend, acquiredAt } = row;
  const offering = offeringOf(offeringType, regulation as Regulation | null);
  const bound = offering === null || offering === 'lockup' ? null : restrictionEnd(offering, acquiredAt);
  // An end that the agent states binds also where the offering has no hold of its own.
  const isLockedUp = typeof row.restrictionEndsAt === 'number' && holdOf(offering) === null;
  const name = row.name ?? named.get(account ?? '')?.name ?? '';
  return {
    holder: { id: uuidv7(), account, reference, kind, isKindStated, name, country },
    shares,
    cost,
    acquiredAt,
    restrictionEndsAt: row.restrictionEndsAt === undefined ? bound : row.restrictionEndsAt,
    offeringType: isLockedUp ? 'lockup' : offeringType,
    certificate,
    legend,
  };
}
