import { createRoute, z } from '@hono/zod-openapi';
import { settledForRead } from '../../application/ledger/settle-before-read.ts';
import { listMovements, MOVEMENT_KINDS } from '../../data/accounts/movements.ts';
import { database } from '../../data/database.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { linkNextPage } from '../responses/link-next-page.ts';
import { movementCursorText, movementPlaceOf } from '../responses/movement-cursor.ts';
import { notCurrent } from '../responses/not-current.ts';
import { CURSOR_WORDS } from '../responses/time-cursor.ts';
import { wholeNumber, wholeNumberOr } from '../responses/whole-number.ts';
import { jsonOf } from '../responses/wire.ts';
import { accountOf } from './account-of.ts';
import { assetNamesOf } from './asset-names-of.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;
const SPAN_DAYS_MAX = 31;
/** Times of a query, Unix milliseconds: to the year 9999. */
const TIME_MAX = 253_402_300_799_999;
/** The span, which would move with the clock where it is left out, and the entry that the page begins behind. */
const CURSOR = /^(\d{1,15})\.(\d{1,15})\.(\[.{1,500})$/;

const Ledger = z
  .object({
    entries: z.array(
      z.object({
        timestamp: z.int().openapi({ description: 'Unix milliseconds.' }),
        kind: z.enum(MOVEMENT_KINDS),
        reference: z.string().openapi({ description: 'Of the trade, transfer or other transaction.' }),
        asset: z.string().openapi({ description: 'Symbol.', example: 'USD' }),
        amount: z.number().openapi({ description: 'Below 0 for what has left the account.' }),
      }),
    ),
    complete: z.boolean().openapi({
      description:
        'False while a market of the account cannot settle: what it has executed is missing, and appears once it has settled, with the time at which it was executed.',
    }),
  })
  .openapi('LedgerEntries');

/** GET /v1/account/ledger. */
export function listLedgerRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/account/ledger',
      summary: 'What has changed what the account owns',
      description: `Trades, fees, deposits, withdrawals and all else, oldest first. A span has ${SPAN_DAYS_MAX} days at most: without \`from\` it is the last of them before \`to\`, without \`to\` it is the first of them from \`from\` on.`,
      request: {
        query: z.object({
          from: wholeNumber(0, TIME_MAX)
            .optional()
            .openapi({ description: 'At this time or later, Unix milliseconds.' }),
          to: wholeNumber(0, TIME_MAX).optional().openapi({ description: 'Before this time, Unix milliseconds.' }),
          limit: wholeNumberOr(LIMIT_DEFAULT, 1, LIMIT_MAX),
          cursor: z
            .string()
            .refine((text) => pageAt(text) !== null, CURSOR_WORDS)
            .optional(),
        }),
      },
      responses: {
        200: jsonOf(
          'Oldest first; the next page is in the Link header. A page may be short and yet lead on: the last one has no Link header.',
          Ledger,
        ),
      },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const { limit, cursor, ...asked } = c.req.valid('query');
      const { from, to, after } = pageAt(cursor) ?? { ...spanOf(asked, Date.now()), after: null };
      if (to - from > SPAN_DAYS_MAX * DAY_MS || to < from) return failure(c, noSpan());
      const settled = await settledForRead(c.env, account.value);
      if (settled === 'behind') return failure(c, notCurrent());
      const span = { account: account.value, from, to };
      const { rows, next } = await listMovements(database(c.env.DB), span, { after, limit });
      if (next !== null) linkNextPage(c, `${from}.${to}.${movementCursorText(next)}`);
      const names = await assetNamesOf(c.env, [...new Set(rows.map(({ asset }) => asset))]);
      const entries = rows.map(({ at, kind, reference, asset, amount }) => {
        const name = names.get(asset);
        if (name === undefined) throw new Error(`asset ${asset} has moved and does not exist`);
        return { timestamp: at, kind, reference, asset: name.symbol, amount: fromScaled(amount, name.scale) };
      });
      return c.json({ entries, complete: settled === 'whole' }, 200);
    },
  );
}

function pageAt(cursor: string | undefined) {
  const [, from, to, place] = CURSOR.exec(cursor ?? '') ?? [];
  const after = movementPlaceOf(place);
  return after === null ? null : { from: Number(from), to: Number(to), after };
}

function spanOf({ from, to }: { from?: number | undefined; to?: number | undefined }, now: number) {
  const length = SPAN_DAYS_MAX * DAY_MS;
  if (from === undefined) return { from: Math.max(0, (to ?? now) - length), to: to ?? now };
  return { from, to: to ?? from + length };
}

function noSpan() {
  return apiError('VALIDATION_ERROR', `a span begins before it ends, and has ${SPAN_DAYS_MAX} days at most`, {
    field: 'to',
  });
}
