import { createRoute, z } from '@hono/zod-openapi';
import { complianceReport, type ReportEntry } from '../../../application/compliance/compliance-report.ts';
import { REPORT_SECTIONS, reportKey } from '../../../data/compliance/compliance-report.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { csvOf } from '../../responses/csv.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage } from '../../responses/link-next-page.ts';
import { CURSOR_WORDS } from '../../responses/time-cursor.ts';
import { momentOf, rangeFailure, timeRangeQuery } from '../../responses/time-range.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { freshActionOf } from './action-of.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

const ENTRIES_MAX = 1_000;
const ENTRIES = 200;
const ID_LENGTH_MAX = 200;
const CURSOR = /^(\d{1,16})\.([a-z_]{1,20}:.{1,300})$/;

const ReportEntryView = z
  .object({
    section: z.enum(REPORT_SECTIONS),
    id: z.string(),
    timestamp: z.iso.datetime(),
    accountId: z.string(),
    userId: z.string().nullable(),
    owner: z.string(),
    assetId: z.string().nullable(),
    orderId: z.string().nullable(),
    code: z.string().nullable().openapi({ description: 'Of a refusal.' }),
    rules: z.array(z.string()).openapi({ description: 'Hold periods, exemptions or the rule of a refusal, by name.' }),
    sources: z.array(z.string()).openapi({ description: 'Of each rule, or of what an accreditation rests on.' }),
    count: z.number().int().nullable().openapi({ description: 'Refusals that the entry stands for.' }),
    details: z.record(z.string(), z.unknown()),
  })
  .openapi('OperatorComplianceEntry');

type ReportEntryView = z.infer<typeof ReportEntryView>;

/** GET /v1/operator/reports/compliance: the examiner's report of a user or an asset. */
export function complianceReportRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...OPERATOR_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/reports/compliance',
      tags: ['operator'],
      summary: "The examiner's report of a user or an asset, newest first",
      description:
        'Accreditation records with their evidence and end, refusals with the rule and what it saw, lots within their hold, sales under an ' +
        'exemption, and trades in restricted securities. An organization reads of its own accounts alone. Each reading is in the audit trail.',
      request: {
        query: z.object({
          user: z.string().max(ID_LENGTH_MAX).optional().openapi({ description: 'User id; or name an asset.' }),
          asset: z.string().max(ID_LENGTH_MAX).optional().openapi({ description: 'Asset id; or name a user.' }),
          section: z.enum(REPORT_SECTIONS).optional().openapi({ description: 'All, where it is left out.' }),
          ...timeRangeQuery,
          format: z
            .enum(['json', 'csv'])
            .default('json')
            .openapi({ description: '`csv`: the same entries as text/csv (RFC 4180).' }),
          limit: wholeNumberOr(ENTRIES, 1, ENTRIES_MAX).openapi({
            description: 'Page size; the next page is in the Link header.',
          }),
          cursor: z.string().regex(CURSOR, CURSOR_WORDS).optional(),
        }),
      },
      responses: {
        200: {
          description: 'The entries.',
          content: {
            'application/json': { schema: z.object({ data: z.array(ReportEntryView), message: z.literal('ok') }) },
            'text/csv': { schema: z.string() },
          },
        },
      },
    }),
    async (c) => {
      const { user, asset, section, from, to, format, limit, cursor } = c.req.valid('query');
      const of = user === undefined ? (asset === undefined ? null : { asset }) : asset === undefined ? { user } : null;
      if (of === null) return failure(c, apiError('VALIDATION_ERROR', 'name either a user or an asset'));
      const noRange = rangeFailure({ from, to });
      if (noRange !== null) return failure(c, noRange);
      const report = await complianceReport(c.env, {
        of,
        owner: readableOwner(c),
        sections: section === undefined ? REPORT_SECTIONS : [section],
        from: momentOf(from),
        to: momentOf(to),
        before: placeOf(cursor),
        limit: limit + 1,
        reader: freshActionOf(c),
      });
      if (!report.ok) return failure(c, report.error);
      const page = report.value.slice(0, limit);
      const last = page.at(-1);
      if (report.value.length > limit && last !== undefined) linkNextPage(c, `${last.at}.${reportKey(last)}`);
      const data = page.map(entryView);
      return format === 'csv' ? table(c, data) : c.json({ data, message: 'ok' as const }, 200);
    },
  );
}

function placeOf(cursor: string | undefined): { readonly at: number; readonly key: string } | null {
  const [, at, key] = CURSOR.exec(cursor ?? '') ?? [];
  return at === undefined || key === undefined ? null : { at: Number(at), key };
}

function entryView({ at, account, asset, rule: _, rules, sources, ...entry }: ReportEntry): ReportEntryView {
  return {
    ...entry,
    timestamp: new Date(at).toISOString(),
    accountId: account,
    assetId: asset,
    rules: [...rules],
    sources: [...sources],
  };
}

const COLUMNS = [
  'section',
  'timestamp',
  'id',
  'accountId',
  'userId',
  'owner',
  'assetId',
  'orderId',
  'code',
  'rules',
  'sources',
  'count',
  'details',
] as const satisfies readonly (keyof ReportEntryView)[];

/** Several rules stand behind each other; details are JSON. */
function table(c: AppContext, entries: readonly ReportEntryView[]) {
  const rows = entries.map((entry) =>
    COLUMNS.map((name) => {
      if (name === 'rules' || name === 'sources') return entry[name].join('; ');
      return name === 'details' ? JSON.stringify(entry.details) : entry[name];
    }),
  );
  return c.body(csvOf(COLUMNS, rows), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="compliance.csv"',
  }) as never;
}
