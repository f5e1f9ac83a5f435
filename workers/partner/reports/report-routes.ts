import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { orderStore } from '../../../data/orders/archive/order-store.ts';
import {
  type DividendRecord,
  listDividendRecords,
  listRegisterAt,
  listTransferLog,
  outstandingAt,
  registerPlace,
} from '../../../data/partner/reports.ts';
import { findSecurityOf } from '../../../data/partner/securities.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { AMOUNT_PER_SHARE_SCALE } from '../../../domain/corporate-actions/corporate-action.ts';
import { PAYMENT_STATES } from '../../../domain/corporate-actions/payment-state.ts';
import { currencyDecimals } from '../../../domain/money/currency-decimals.ts';
import { scaledToDecimal } from '../../../domain/money/decimal-text.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { turnaroundDue } from '../../../domain/partner/reports/turnaround.ts';
import { HOLDER_KINDS } from '../../../domain/register/register-event.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type AppContext, partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage, moreOf, moreView } from '../../responses/link-next-page.ts';
import { CURSOR_WORDS, timeCursorOf, timeCursorQuery, timeCursorText } from '../../responses/time-cursor.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { asOfMoment, asOfQuery, isError, registerOf } from '../captable/captable-schema.ts';
import { DIVIDEND_HISTORY_ROW, SHAREHOLDER_REGISTER, TRANSFER_LOG_ROW } from '../examples.ts';
import { PARTNER_READ } from '../partner-route.ts';
import { noSuchSecurity } from '../securities/security-schema.ts';
import { TRANSFER_STATUSES } from '../transfers/transfer-schema.ts';
import { type AmountCell, answerReport, formatQuery, reportAnswers, reportLimit } from './report-format.ts';

const tags = ['reports'];

/** `<place of the register>.<reference of the last holder>`: every page is of the same register. */
const REGISTER_CURSOR = /^(\d{1,15})\.(.{1,300})$/s;

const RegisterReport = z
  .object({
    security_id: z.uuid(),
    asset_name: z.string(),
    issuer_name: z.string(),
    security_class: z.string(),
    share_class: z.string(),
    as_of: z.iso.datetime().nullable(),
    sequence: z.number().int().openapi({ description: 'Place of the register that all pages show.' }),
    shares_outstanding: z.number(),
    holders: z.array(
      z.object({
        holder_id: z.uuid(),
        reference: z.string(),
        account_id: z.string().nullable(),
        name: z.string(),
        holder_kind: z.enum(HOLDER_KINDS),
        country: z.string().nullable(),
        shares: z.number(),
        percent: z.number().openapi({ description: 'Of what is outstanding, cut off behind four decimals.' }),
        certificates: z.string().nullable().openapi({ description: 'The first 20, with blanks between.' }),
        has_more_certificates: z.boolean().openapi({
          description: 'Whether lines of the holder name more than these: the history of the register has them all.',
        }),
        legend: z.boolean(),
      }),
    ),
    ...moreView,
  })
  .openapi('ShareholderRegister', { example: SHAREHOLDER_REGISTER });

/** GET /v1/reports/shareholder-register (P-TFR-14). */
export function shareholderRegisterRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_READ, errors: ['NOT_FOUND', 'CONFLICT'] },
    createRoute({
      method: 'get',
      path: '/v1/reports/shareholder-register',
      tags,
      summary: 'The register of holders of a security',
      request: {
        query: z.object({
          security_id: z.uuid(),
          as_of: asOfQuery,
          format: formatQuery,
          limit: reportLimit,
          cursor: z.string().regex(REGISTER_CURSOR, CURSOR_WORDS).optional(),
        }),
      },
      responses: reportAnswers('The register.', RegisterReport),
    }),
    async (c) => {
      const { security_id, as_of, format, limit, cursor } = c.req.valid('query');
      const register = await registerOf(c, security_id);
      if (isError(register)) return failure(c, register);
      const db = database(c.env.DB);
      const asOf = asOfMoment(as_of);
      const [, place, after = ''] = REGISTER_CURSOR.exec(cursor ?? '') ?? [];
      const last = await registerPlace(db, register.id, asOf);
      const sequence = place === undefined ? last : Math.min(Number(place), last);
      const found = await listRegisterAt(db, register.id, { sequence, after, limit: limit + 1 });
      const outstanding = await outstandingAt(db, register.id, sequence);
      const page = found.slice(0, limit);
      const end = page.at(-1);
      if (found.length > limit && end !== undefined) linkNextPage(c, `${sequence}.${end.reference}`);
      const holders = page.map((each) => ({
        holder_id: each.holder,
        reference: each.reference,
        account_id: each.account,
        name: each.name,
        holder_kind: each.kind,
        country: each.country,
        shares: fromScaled(each.shares, register.scale),
        percent: fromScaled(Number((BigInt(each.shares) * 1_000_000n) / BigInt(outstanding)), 4),
        certificates: each.certificates,
        has_more_certificates: each.hasMoreCertificates === 1,
        legend: each.legend === 1,
      }));
      const about = {
        security_id: register.id,
        asset_name: register.assetName,
        issuer_name: register.issuerName,
        security_class: register.securityClass,
        share_class: register.shareClass,
        as_of: isoTimeOrNull(asOf),
        sequence,
        shares_outstanding: fromScaled(outstanding, register.scale),
      };
      const table = tableOf(
        'shareholder-register',
        'Register of holders',
        Object.entries(about),
        holders,
        HOLDER_COLUMNS,
      );
      return answerReport(c, format, { ...about, holders, ...moreOf(c) }, table);
    },
  );
}

const HOLDER_COLUMNS = [
  'holder_id',
  'reference',
  'account_id',
  'name',
  'holder_kind',
  'country',
  'shares',
  'percent',
  'certificates',
  'has_more_certificates',
  'legend',
] as const;

const dayRange = {
  from: z.iso.date().openapi({ description: 'First day, in UTC.' }),
  to: z.iso.date().openapi({ description: 'Last day, in UTC.' }),
};

const LogRow = z
  .object({
    transfer_instruction_id: z.uuid(),
    security_id: z.uuid(),
    asset_name: z.string(),
    status: z.enum(TRANSFER_STATUSES as [string, ...string[]]),
    units: z.number(),
    seller_account_id: z.string(),
    seller_name: z.string().nullable(),
    buyer_account_id: z.string(),
    buyer_name: z.string().nullable(),
    received_at: z.iso.datetime(),
    turnaround_due_at: z.iso.datetime().openapi({ description: 'Three business days, 17 CFR 240.17Ad-2(a).' }),
    acknowledged_at: z.iso.datetime().nullable(),
    recorded_at: z.iso.datetime().nullable().openapi({ description: 'When the register got it.' }),
    ended_at: z.iso.datetime().nullable(),
    record_date: z.string().nullable(),
    certificate_number: z.string().nullable(),
    legend_applied: z.boolean().nullable(),
    reason: z.string().nullable(),
  })
  .openapi('TransferLogEntry', { example: TRANSFER_LOG_ROW });

/** GET /v1/reports/transfer-log (P-TFR-15). */
export function transferLogRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_READ, errors: ['NOT_FOUND', 'CONFLICT'] },
    createRoute({
      method: 'get',
      path: '/v1/reports/transfer-log',
      tags,
      summary: 'Transfers that were received in a range of days, oldest first',
      request: {
        query: z.object({
          ...dayRange,
          security_id: z.uuid().optional(),
          format: formatQuery,
          limit: reportLimit,
          cursor: timeCursorQuery,
        }),
      },
      responses: reportAnswers(
        'The log.',
        z.object({ from: z.iso.date(), to: z.iso.date(), transfers: z.array(LogRow), ...moreView }),
      ),
    }),
    async (c) => {
      const { from, to, security_id, format, limit, cursor } = c.req.valid('query');
      const refusal = await rangeFailure(c, { from, to, security: security_id });
      if (refusal !== null) return failure(c, refusal);
      const found = await listTransferLog(database(c.env.DB), partnerOf(c), {
        security: security_id ?? null,
        from: Date.parse(from),
        to: Date.parse(to) + DAY_MS,
        after: timeCursorOf(cursor),
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const end = page.at(-1);
      if (found.length > limit && end !== undefined) linkNextPage(c, timeCursorText(end.receivedAt, end.id));
      const transfers = page.map((each) => ({
        transfer_instruction_id: each.id,
        security_id: each.security,
        asset_name: each.assetName,
        status: each.state === 'acknowledged' ? 'pending_transfer' : each.state,
        units: fromScaled(each.units, each.scale),
        seller_account_id: each.seller,
        seller_name: each.sellerName,
        buyer_account_id: each.buyer,
        buyer_name: each.buyerName,
        received_at: isoTime(each.receivedAt),
        turnaround_due_at: isoTime(turnaroundDue(each.receivedAt)),
        acknowledged_at: isoTimeOrNull(each.acknowledgedAt),
        recorded_at: isoTimeOrNull(each.recordedAt),
        ended_at: isoTimeOrNull(each.endedAt),
        record_date: each.recordDate,
        certificate_number: each.certificate,
        legend_applied: each.legend === null ? null : each.legend === 1,
        reason: each.reason,
      }));
      const facts = [['from', from] as const, ['to', to] as const];
      const table = tableOf('transfer-log', 'Log of transfers', facts, transfers, LOG_COLUMNS);
      return answerReport(c, format, { from, to, transfers, ...moreOf(c) }, table);
    },
  );
}

const LOG_COLUMNS = Object.keys(LogRow.shape) as (keyof z.infer<typeof LogRow>)[];

const DIVIDEND_CURSOR = /^([0-9a-f-]{36})\.(.{1,300})$/s;

const DividendRow = z
  .object({
    corporate_action_id: z.uuid(),
    security_id: z.uuid(),
    asset_name: z.string(),
    action_status: z.string(),
    record_date: z.string().nullable(),
    payment_date: z.string(),
    amount_per_share: z.number(),
    currency: z.string(),
    payee_id: z.string(),
    name: z.string().nullable(),
    shares: z.number(),
    amount: z.number().nullable(),
    status: z.enum(PAYMENT_STATES),
    paid_at: z.iso.datetime().nullable(),
    returned_at: z.iso.datetime().nullable(),
  })
  .openapi('DividendHistoryEntry', { example: DIVIDEND_HISTORY_ROW });

/** GET /v1/reports/dividend-history (P-TFR-16). */
export function dividendHistoryRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_READ, errors: ['NOT_FOUND', 'CONFLICT'] },
    createRoute({
      method: 'get',
      path: '/v1/reports/dividend-history',
      tags,
      summary: 'Payments of dividends whose payment date, as it was stated, lies in a range of days',
      request: {
        query: z.object({
          ...dayRange,
          security_id: z.uuid().optional(),
          format: formatQuery,
          limit: reportLimit,
          cursor: z.string().regex(DIVIDEND_CURSOR, CURSOR_WORDS).optional(),
        }),
      },
      responses: reportAnswers(
        'The payments.',
        z.object({ from: z.iso.date(), to: z.iso.date(), payments: z.array(DividendRow), ...moreView }),
      ),
    }),
    async (c) => {
      const { from, to, security_id, format, limit, cursor } = c.req.valid('query');
      const refusal = await rangeFailure(c, { from, to, security: security_id });
      if (refusal !== null) return failure(c, refusal);
      const [, action, payee] = DIVIDEND_CURSOR.exec(cursor ?? '') ?? [];
      const { records: found, reached } = await listDividendRecords(orderStore(c.env), partnerOf(c), {
        security: security_id ?? null,
        from,
        to,
        after: action === undefined || payee === undefined ? null : { action, payee },
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const end = page.at(-1);
      const next = found.length > limit && end !== undefined ? end : reached;
      if (next !== null) linkNextPage(c, `${next.action}.${next.payee}`);
      const payments = page.map((each) => ({
        corporate_action_id: each.action,
        security_id: each.security,
        asset_name: each.assetName,
        action_status: each.actionState,
        record_date: each.recordDate,
        payment_date: each.paymentDate,
        amount_per_share: fromScaled(each.amountPerShare, AMOUNT_PER_SHARE_SCALE),
        currency: each.currency,
        payee_id: each.payee,
        name: each.name,
        shares: fromScaled(each.shares, each.shareScale),
        amount: each.amount === null ? null : fromScaled(each.amount, each.cashScale),
        status: each.state,
        paid_at: isoTimeOrNull(each.paidAt),
        returned_at: isoTimeOrNull(each.returnedAt),
      }));
      const facts = [['from', from] as const, ['to', to] as const];
      const shown = payments.map((payment, at) => ({ ...payment, amount: amountCell(page[at]) }));
      const table = tableOf('dividend-history', 'Dividends', facts, shown, DIVIDEND_COLUMNS);
      return answerReport(c, format, { from, to, payments, ...moreOf(c) }, table);
    },
  );
}

const DIVIDEND_COLUMNS = Object.keys(DividendRow.shape) as (keyof z.infer<typeof DividendRow>)[];

/** Why a report of these days is not made; another partner's security is not there. */
async function rangeFailure(
  c: AppContext,
  { from, to, security }: { readonly from: string; readonly to: string; readonly security: string | undefined },
) {
  if (to < from) return apiError('VALIDATION_ERROR', 'the last day lies before the first', { field: 'to' });
  if (security === undefined) return null;
  return (await findSecurityOf(database(c.env.DB), partnerOf(c), security)) === null ? noSuchSecurity() : null;
}

function amountCell(record: DividendRecord | undefined): AmountCell | null {
  if (record === undefined || record.amount === null) return null;
  const { amount, currency, cashScale } = record;
  const decimals = currencyDecimals(currency, cashScale);
  const [whole = '0', fraction = ''] = scaledToDecimal(amount, cashScale).split('.');
  return { amount: decimals === 0 && fraction === '' ? whole : `${whole}.${fraction.padEnd(decimals, '0')}` };
}

type Shown = string | number | boolean | null | AmountCell;

function tableOf<Row extends object>(
  name: string,
  title: string,
  facts: readonly (readonly [string, string | number | null])[],
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
) {
  const cell = (value: Shown) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : value);
  return {
    name,
    title,
    facts,
    columns,
    rows: rows.map((row) => columns.map((column) => cell(row[column] as Shown))),
  };
}
