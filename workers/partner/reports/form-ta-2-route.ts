import { createRoute, z } from '@hono/zod-openapi';
import { readFormTa2 } from '../../../application/partner/reports/read-form-ta-2.ts';
import { newYorkDate } from '../../../domain/calendar/new-york-time.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { wholeNumber } from '../../responses/whole-number.ts';
import { FORM_TA_2 } from '../examples.ts';
import { AGENT_READ } from '../partner-route.ts';
import { answerReport, formatQuery, reportAnswers } from './report-format.ts';

const YEAR_MIN = 2026;

const FormTa2 = z
  .object({
    firm_name: z.string(),
    sec_registration_number: z.string().nullable(),
    year: z.number().int(),
    as_of: z.iso.datetime().openapi({ description: 'The end of the year in New York, or now.' }),
    questions: z.enum(['1-5, 11', 'all']).openapi({
      description:
        'What has to be completed: the first where fewer than 1,000 items were received and no more than 1,000 accounts are kept, 17 CFR 240.17Ac2-2(a)(1), by what the venue knows.',
    }),
    items: z.array(
      z.object({
        question: z.string().openapi({ description: 'Of Form TA-2, 17 CFR 249b.102.' }),
        title: z.string(),
        value: z.union([z.number(), z.boolean(), z.string(), z.null()]).openapi({
          description: 'Null where the agent alone knows it.',
        }),
        source: z.enum(['venue', 'agent']),
        rule: z.string().nullable(),
      }),
    ),
    turnaround: z.array(
      z.object({
        month: z.string(),
        received: z.number().int(),
        in_time: z.number().int(),
        late: z.number().int(),
        open: z.number().int().openapi({ description: 'Not turned around, and not late yet.' }),
        compliant: z.boolean().openapi({ description: 'At least 90 percent in time, 17 CFR 240.17Ad-2(a).' }),
      }),
    ),
  })
  .openapi('FormTA2', { example: FORM_TA_2 });

/** GET /v1/reports/form-ta-2 (P-TFR-17). */
export function formTa2Route(partner: Profile): void {
  registerRoute(
    partner,
    AGENT_READ,
    createRoute({
      method: 'get',
      path: '/v1/reports/form-ta-2',
      tags: ['reports'],
      summary: 'Data for Form TA-2 of a calendar year',
      description:
        'What the venue knows is counted from the register, transfers and dividends; the agent has more elsewhere.',
      request: {
        query: z.object({
          year: wholeNumber(YEAR_MIN, 9_999),
          format: formatQuery,
        }),
      },
      responses: reportAnswers('The data.', FormTa2),
    }),
    async (c) => {
      const { year, format } = c.req.valid('query');
      if (year > new Date(newYorkDate(Date.now())).getUTCFullYear())
        return failure(c, apiError('VALIDATION_ERROR', 'the year lies ahead', { field: 'year' }));
      const { firmName, secRegistrationNumber } = partnerOf(c);
      const form = await readFormTa2(c.env, partnerOf(c), year, Date.now());
      const about = {
        firm_name: firmName,
        sec_registration_number: secRegistrationNumber,
        year,
        as_of: new Date(form.asOf).toISOString(),
        questions: form.isShort ? ('1-5, 11' as const) : ('all' as const),
      };
      const turnaround = form.turnaround.map(({ month, received, inTime, late, open, isCompliant }) => ({
        month,
        received,
        in_time: inTime,
        late,
        open,
        compliant: isCompliant,
      }));
      const table = {
        name: `form-ta-2-${year}`,
        title: `Form TA-2, ${year}`,
        facts: Object.entries(about),
        columns: ['question', 'title', 'value', 'source', 'rule'],
        rows: [
          ...form.items.map(({ question, title, value, source, rule, decimals }) => [
            question,
            title,
            shown(value, decimals),
            source,
            rule,
          ]),
          ...turnaround.map(({ month, received, in_time, late, open }) => [
            '9',
            `Turnaround of items received in ${month}`,
            `${received} received, ${in_time} in time, ${late} late, ${open} open`,
            'venue',
            '17 CFR 240.17Ad-2(a)',
          ]),
        ],
      };
      const items = form.items.map(({ decimals: _, ...item }) => item);
      return answerReport(c, format, { ...about, items, turnaround }, table);
    },
  );
}

/** @param decimals of the currency, of an amount of cash */
function shown(value: string | number | boolean | null, decimals?: number): string | number | null {
  if (typeof value === 'number' && decimals !== undefined) return value.toFixed(decimals);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
}
