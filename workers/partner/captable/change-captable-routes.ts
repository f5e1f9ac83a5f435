import { createRoute, z } from '@hono/zod-openapi';
import { numberError } from '../../../application/operator/number-error.ts';
import { cancelShares } from '../../../application/partner/register/cancel-shares.ts';
import { issueShares, type RegisterAction } from '../../../application/partner/register/issue-shares.ts';
import { latestDay } from '../../../domain/calendar/latest-day.ts';
import { toScaled } from '../../../domain/money/scaled.ts';
import { csvRows } from '../../../domain/register/csv-rows.ts';
import {
  IMPORT_BYTES_MAX,
  IMPORT_FIELDS,
  IMPORT_ROWS_MAX,
  IMPORT_VALUES_MAX,
  type RawImportRow,
} from '../../../domain/register/import-rows.ts';
import { rowsOfOcf } from '../../../domain/register/ocf/import-ocf.ts';
import { HOLDER_KINDS } from '../../../domain/register/register-event.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { issueDetails } from '../../../protocol/errors/issue-details.ts';
import { type AppContext, partnerOf, principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { orNone } from '../../responses/or-none.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { CANCELLATION_REQUEST, ISSUANCE_REQUEST } from '../examples.ts';
import { AGENT_WRITE } from '../partner-route.ts';
import { recordedAhead } from '../recorded-ahead.ts';
import {
  EventView,
  eventView,
  IssuedView,
  isError,
  issuedView,
  type Register,
  registerError,
  registerOf,
  securityParam,
} from './captable-schema.ts';
import { ImportRequest, notes, recordDate } from './import-schema.ts';
import { OcfPackageView, objectsOf, ocfError } from './ocf-schema.ts';

const tags = ['cap table'];
const text = lineOfText(200);

const IssuanceRequest = z
  .strictObject({
    holder_reference: orNone(text).openapi({ description: 'Of a holder without an account, as you know them.' }),
    holder_name: orNone(text),
    holder_kind: orNone(z.enum(HOLDER_KINDS)),
    country: orNone(z.string().length(2)),
    account_id: orNone(z.string().max(100)),
    shares: z.number().positive(),
    cost: orNone(z.number().nonnegative()).openapi({ description: 'US dollars paid.' }),
    certificate_number: orNone(text),
    acquired_at: orNone(z.iso.date()),
    restriction_ends_at: z.iso.date().nullable().optional().openapi({
      description: 'When the shares may be resold freely; null for now. By the hold of the offering, when left out.',
    }),
    legend: orNone(z.boolean()),
    record_date: recordDate,
    notes,
  })
  .openapi('IssuanceRequest', { example: ISSUANCE_REQUEST });

const CancellationRequest = z
  .strictObject({ holder_id: z.uuid(), shares: z.number().positive(), record_date: recordDate, notes })
  .openapi('CancellationRequest', { example: CANCELLATION_REQUEST });

/** POST /v1/captable/{security_id}/issuances: shares are issued to one holder. */
export function issueSharesRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...AGENT_WRITE, errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'post',
      path: '/v1/captable/{security_id}/issuances',
      tags,
      summary: 'Issue shares',
      request: { params: securityParam, body: bodyOf(IssuanceRequest) },
      responses: { 200: jsonOf('Issued and recorded.', IssuedView) },
    }),
    async (c) => {
      const register = await registerOf(c, c.req.valid('param').security_id);
      if (isError(register)) return failure(c, register);
      const { record_date, notes: said, ...row } = c.req.valid('json');
      const ahead = recordedAhead({ record_date });
      if (ahead !== null) return failure(c, ahead);
      const action = actionOf(c, record_date, said);
      const issued = await issueShares(c.env, register, 'issuance', [row as RawImportRow], { action });
      if (!issued.ok) return failure(c, registerError(issued.error, register.scale));
      return c.json(issuedView(issued.value, register.scale), 200);
    },
  );
}

/** POST /v1/captable/{security_id}/cancellations: a holder gives shares back to the issuer. */
export function cancelSharesRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...AGENT_WRITE, errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'post',
      path: '/v1/captable/{security_id}/cancellations',
      tags,
      summary: 'Cancel shares of a holder',
      description:
        'Of a holder without an account. Of one with an account: what you have issued to it within a day, while it has no others and has traded none. Anything else needs a corporate action of the type `share_cancellation` (409 `needs_corporate_action`).',
      request: { params: securityParam, body: bodyOf(CancellationRequest) },
      responses: { 200: jsonOf('Cancelled and recorded.', EventView) },
    }),
    async (c) => {
      const register = await registerOf(c, c.req.valid('param').security_id);
      if (isError(register)) return failure(c, register);
      const { holder_id: holder, shares, record_date, notes: said } = c.req.valid('json');
      const ahead = recordedAhead({ record_date });
      if (ahead !== null) return failure(c, ahead);
      const scaled = toScaled(shares, register.scale);
      if (!scaled.ok) return failure(c, numberError('shares', scaled.error));
      const cancelled = await cancelShares(
        c.env,
        register,
        { holder, shares: scaled.value },
        actionOf(c, record_date, said),
      );
      if (!cancelled.ok) return failure(c, registerError(cancelled.error, register.scale));
      return c.json(eventView(cancelled.value), 200);
    },
  );
}

/** POST /v1/captable/{security_id}/import (P-TFR-08). */
export function importHoldersRoute(partner: Profile): void {
  registerRoute(
    partner,
    {
      ...AGENT_WRITE,
      bodyBytesMax: IMPORT_BYTES_MAX,
      bodyValuesMax: IMPORT_VALUES_MAX,
      errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
      invalid: invalidImport,
    },
    createRoute({
      method: 'post',
      path: '/v1/captable/{security_id}/import',
      tags,
      summary: 'Import holders',
      description: `Issues what every row says, all of them or none: up to ${IMPORT_ROWS_MAX} rows, a larger register in several imports. Wrong rows are named with field and reason. CSV begins with a line of names: ${IMPORT_FIELDS.join(', ')}.`,
      request: {
        params: securityParam,
        // Strict: a dry run that is misspelt would be none.
        query: z.object({
          format: z.enum(['rows', 'ocf']).default('rows').openapi({
            description:
              '`ocf`: the body is an Open Cap Table Format document. What stands of one stock class after all its transactions is imported.',
          }),
          stock_class_id: z.string().max(200).optional().openapi({
            description: 'Of `ocf`: the class; needed where the document issues stock of several.',
          }),
          dry_run: z
            .enum(['true', 'false'])
            .default('false')
            .openapi({ description: 'Checks the rows, and changes nothing.' }),
        }),
        body: {
          content: {
            'application/json': { schema: z.union([ImportRequest, OcfPackageView]) },
            'text/csv': { schema: z.string() },
          },
        },
      },
      responses: { 200: jsonOf('Imported and recorded; or checked, of a dry run.', IssuedView) },
    }),
    async (c) => {
      const register = await registerOf(c, c.req.valid('param').security_id);
      if (isError(register)) return failure(c, register);
      const { dry_run, format, stock_class_id: stockClass = null } = c.req.valid('query');
      const isDryRun = dry_run === 'true';
      if (format === 'ocf') return importOcf(c, register, { stockClass, isDryRun });
      const isCsv = c.req.header('content-type')?.toLowerCase().startsWith('text/csv') === true;
      // The types know no JSON beside other bodies.
      const json = c.req.valid('json' as never) as Partial<z.infer<typeof ImportRequest>>;
      const table = isCsv ? csvRows(await c.req.text()) : null;
      if (table?.ok === false) return failure(c, apiError('VALIDATION_ERROR', table.error, { reason: 'rows' }));
      const rows = table?.value.map(({ row }) => row) ?? json.holders;
      if (rows === undefined) return failure(c, apiError('VALIDATION_ERROR', noRows(json), { reason: 'rows' }));
      const ahead = recordedAhead(isCsv ? {} : { record_date: json.record_date ?? null });
      if (ahead !== null) return failure(c, ahead);
      const action = isCsv ? actionOf(c, null, null) : actionOf(c, json.record_date ?? null, json.notes ?? null);
      const issued = await issueShares(c.env, register, 'import', rows as readonly RawImportRow[], {
        action,
        isDryRun,
      });
      if (issued.ok) return c.json(issuedView(issued.value, register.scale), 200);
      const { error } = issued;
      if (error.reason !== 'rows' || table === null) return failure(c, registerError(error, register.scale));
      // Its sender looks for a row by the line of the file.
      const errors = error.errors.map(({ row, ...rest }) => ({
        row,
        line: table.value[row - 1]?.line ?? row,
        ...rest,
      }));
      return failure(c, registerError({ ...error, errors }, register.scale));
    },
  );
}

function noRows(json: object): string {
  return 'files' in json ? 'an import has rows; an OCF document is read with format=ocf' : 'an import has rows';
}

/** Says what is wrong by the format that the query names. */
function invalidImport(c: AppContext, { issues }: z.ZodError): Response {
  const [first] = issues;
  const formats = first?.code === 'invalid_union' ? first.errors : [];
  const named = formats[c.req.query('format') === 'ocf' ? 1 : 0] ?? issues;
  return failure(c, apiError('VALIDATION_ERROR', 'the request is malformed', issueDetails(named)));
}

async function importOcf(
  c: AppContext,
  register: Register,
  { stockClass, isDryRun }: { readonly stockClass: string | null; readonly isDryRun: boolean },
) {
  const read = OcfPackageView.safeParse(c.req.valid('json' as never));
  if (!read.success)
    return failure(c, apiError('VALIDATION_ERROR', 'an OCF document has files', { reason: 'objects' }));
  const { scale } = register;
  const today = latestDay(Date.now());
  const made = rowsOfOcf(objectsOf(read.data), { stockClass, scale, today });
  if (!made.ok) return failure(c, ocfError(made.error));
  const rows = made.value.map(({ row }) => row);
  if (rows.length > IMPORT_ROWS_MAX)
    return failure(c, apiError('VALIDATION_ERROR', `an import has 1 to ${IMPORT_ROWS_MAX} rows`, { reason: 'rows' }));
  const issued = await issueShares(c.env, register, 'import', rows, { action: actionOf(c, null, null), isDryRun });
  if (issued.ok) {
    const rows_without_cost = rows.filter(({ cost }) => cost === null).length;
    return c.json({ ...issuedView(issued.value, scale), rows_without_cost }, 200);
  }
  const { error } = issued;
  if (error.reason !== 'rows') return failure(c, registerError(error, scale));
  // A row is a stock: its sender knows it by its security id.
  const named = error.errors.map((each) => ({ ...each, security_id: made.value[each.row - 1]?.securityId ?? null }));
  return failure(c, registerError({ ...error, errors: named }, scale));
}

function actionOf(c: AppContext, date: string | null, said: string | null): RegisterAction {
  const { organization: agent } = partnerOf(c);
  return { id: resourceIdOf(c), actor: principalOf(c).userId, agent, recordDate: date, notes: said, now: Date.now() };
}
