import { findAccountOfUser } from '../../data/accounts/accounts.ts';
import { type OperatorAction, recordOperatorAction } from '../../data/audit/trail/operator-events.ts';
import { findAsset } from '../../data/catalog/assets.ts';
import { type ReportQuery, type ReportRow, readComplianceReport } from '../../data/compliance/compliance-report.ts';
import { database } from '../../data/database.ts';
import type { AccreditationRecordKind } from '../../domain/accreditation/accreditation-record.ts';
import { stateAt } from '../../domain/accreditation/verification.ts';
import type { Regulation } from '../../domain/assets/asset.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { REFUSAL_RULES, type RefusalRuleName } from '../../domain/order-entry/refusal-rules.ts';
import { ATTRIBUTE } from '../../domain/orders/eligibility.ts';
import { lockupOf, offeringOf } from '../../domain/resale/offering.ts';
import {
  EXEMPTIONS,
  type ExemptionName,
  exemptionsMet,
  HOLD_PERIODS,
  holdOf,
} from '../../domain/resale/restriction-rules.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { projected } from '../ledger/projected.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';

const NOT_CURRENT = { reason: 'read_model_behind' } as const;

type ReportSubject = { readonly user: string } | { readonly asset: string };

export interface ReportRequest extends Omit<ReportQuery, 'of' | 'now'> {
  readonly of: ReportSubject;
  /** Who reads it. */
  readonly reader: OperatorAction;
}

/** A line of the report, with its rule and the source of that. */
export interface ReportEntry extends Omit<ReportRow, 'details'> {
  readonly rules: readonly string[];
  readonly sources: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

/** What an examiner reads of a user or an asset. Each reading is written to the audit trail first. */
export async function complianceReport(
  env: Env,
  { of, reader, ...query }: ReportRequest,
): Promise<Result<ReportEntry[], ApiError>> {
  const db = database(env.DB);
  const subject = await subjectOf(env, of, query.owner);
  if (!subject.ok) return subject;
  const isCurrent = 'account' in subject.value ? settleBeforeRead(env, subject.value.account) : projected(env);
  if (!(await isCurrent))
    return err(apiError('SERVICE_UNAVAILABLE', 'this cannot be read at the moment; please repeat', NOT_CURRENT));
  const { sections, from, to } = query;
  const now = Date.now();
  await recordOperatorAction(db, {
    action: reader,
    type: 'operator.compliance_report_read',
    subject: 'account' in subject.value ? subject.value.account : subject.value.asset,
    createdAt: now,
    details: { ...of, sections, from, to },
    before: null,
    after: null,
  });
  return ok((await readComplianceReport(db, { ...query, of: subject.value, now })).map(entryOf));
}

/** Another organization's user is not found. */
async function subjectOf(
  env: Env,
  of: ReportSubject,
  owner: string | null,
): Promise<Result<ReportQuery['of'], ApiError>> {
  const db = database(env.DB);
  if ('asset' in of) {
    const asset = await findAsset(db, of.asset);
    return asset === null ? err(apiError('NOT_FOUND', 'asset does not exist')) : ok({ asset: asset.id });
  }
  const account = await findAccountOfUser(db, of.user);
  if (account === null || (owner !== null && account.owner !== owner))
    return err(apiError('NOT_FOUND', 'user does not exist'));
  return ok({ account: account.id });
}

type Details = Readonly<Record<string, unknown>>;

type Shown = Parameters<typeof stateAt>[0];

function entryOf({ details: text, ...row }: ReportRow): ReportEntry {
  const details = JSON.parse(text) as Details;
  switch (row.section) {
    case 'accreditation':
      return {
        ...row,
        rules: [],
        sources: [accreditationSource(details)],
        details: withTimes(details, ['at', 'expiresAt', 'endedAt']),
      };
    case 'verification':
      return {
        ...row,
        rules: [],
        sources: ['17 CFR 230.506(c)(2)(ii)'],
        details: withTimes({ ...details, state: stateAt(details as unknown as Shown, Date.now()) }, [
          'allowedAt',
          'decidedAt',
          'expiresAt',
          'endedAt',
        ]),
      };
    case 'refusal':
      return { ...row, ...sourcesOf(row.rule), details };
    case 'restricted_lot': {
      const hold = holdOfDetails(details);
      const holds = [...(isLockedUp(details) ? (['issuer_lockup'] as const) : []), ...(hold === null ? [] : [hold])];
      return {
        ...row,
        rules: holds,
        sources: holds.map((name) => HOLD_PERIODS[name].source),
        details: unscaled(withTimes(details, ['restrictionEndsAt'])),
      };
    }
    case 'exempt_sale':
      return {
        ...row,
        ...exemptionsOfSale(details),
        details: unscaled(withTimes(withBooleans(details, ['buyerIsUsPerson', 'areFamily']), ['restrictionEndsAt'])),
      };
    case 'trade':
      return { ...row, rules: [], sources: [], details: unscaled(details) };
  }
}

function accreditationSource({ kind }: Details): string {
  return kind === 'third_party' ? '17 CFR 230.506(c)(2)(ii)' : '17 CFR 230.506(b)';
}

function sourcesOf(rule: string | null): Pick<ReportEntry, 'rules' | 'sources'> {
  if (rule === null || !(rule in REFUSAL_RULES)) return { rules: [], sources: [] };
  return { rules: [rule], sources: [REFUSAL_RULES[rule as RefusalRuleName].source] };
}

/** Whether the lot has an issuer's lockup before the hold period of its offering. */
function isLockedUp({ offeringType }: Details): boolean {
  return lockupOf(offeringType as string | null) !== null;
}

function holdOfDetails({ offeringType, regulation }: Details) {
  return holdOf(offeringOf(offeringType as string | null, regulation as Regulation | null));
}

/**
 * Exemptions that the buyer met when the sale was made, by the records of that time; where these name none, all of the hold period, since what an
 * accreditation rested on before there were records is not known.
 */
function exemptionsOfSale(details: Details): Pick<ReportEntry, 'rules' | 'sources'> {
  const hold = holdOfDetails(details);
  if (hold === null) return { rules: [], sources: [] };
  const kinds = details.buyerWas as readonly AccreditationRecordKind[];
  const attributes =
    (kinds.length > 0 ? ATTRIBUTE.self_certified_accredited : 0) |
    (details.areFamily === 1 ? ATTRIBUTE.family : 0) |
    (details.buyerIsUsPerson === 0 ? ATTRIBUTE.non_us : 0);
  const met = exemptionsMet(hold, attributes);
  const rules: readonly ExemptionName[] = met.length > 0 ? met : HOLD_PERIODS[hold].exemptions;
  return { rules: [...rules], sources: rules.map((name) => EXEMPTIONS[name].source) };
}

function withTimes(details: Details, names: readonly string[]): Details {
  const times = names.map((name) => {
    const at = details[name];
    return [name, typeof at === 'number' ? new Date(at).toISOString() : null];
  });
  return { ...details, ...Object.fromEntries(times) };
}

/** SQLite has no booleans. */
function withBooleans(details: Details, names: readonly string[]): Details {
  return { ...details, ...Object.fromEntries(names.map((name) => [name, details[name] === 1])) };
}

/** Quantities and prices as JSON numbers. */
function unscaled({ scale, priceScale, ...details }: Details): Details {
  const numbers = Object.entries({ quantity: scale, reserved: scale, price: priceScale }).flatMap(
    ([name, decimals]) => {
      const value = details[name];
      return typeof value === 'number' && typeof decimals === 'number' ? [[name, fromScaled(value, decimals)]] : [];
    },
  );
  return { ...details, ...Object.fromEntries(numbers) };
}
