import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { listTransactions } from '../../data/accounts/portfolio-transactions.ts';
import { database } from '../../data/database.ts';
import { TRANSFER_TYPES } from '../../domain/accounts/transfer-type.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { pageOf, rowsToRead } from '../responses/paging.ts';
import { CURSOR_WORDS, timeCursorOf, timeCursorQuery, timeCursorText } from '../responses/time-cursor.ts';
import { wholeNumber, wholeNumberOr } from '../responses/whole-number.ts';
import { jsonOf } from '../responses/wire.ts';
import { accountOf } from './account-of.ts';
import { assetNamesOf } from './asset-names-of.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;

const Transfers = z
  .object({
    transfers: z.array(
      z.object({
        transfer_id: z.string(),
        type: z.enum(TRANSFER_TYPES),
        asset: z.string().openapi({ description: 'Symbol.', example: 'USD' }),
        amount: z.number(),
        status: z.string(),
        timestamp: z.int().openapi({ description: 'Unix milliseconds.' }),
      }),
    ),
  })
  .openapi('Transfers');

/** GET /v1/account/transfers. */
export function listTransfersRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/account/transfers',
      summary: 'Deposits and withdrawals of the account',
      request: {
        query: z.object({
          type: z.enum(TRANSFER_TYPES).optional().openapi({ description: 'Both where it is left out.' }),
          from: wholeNumber(0).optional().openapi({ description: 'At this time or later, Unix milliseconds.' }),
          limit: wholeNumberOr(LIMIT_DEFAULT, 1, LIMIT_MAX),
          cursor: timeCursorQuery.refine((cursor) => cursor?.startsWith('-') !== true, CURSOR_WORDS),
        }),
      },
      responses: { 200: jsonOf('Newest first; the next page is in the Link header.', Transfers) },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const { type, from, limit, cursor } = c.req.valid('query');
      const before = timeCursorOf(cursor);
      if (!(await settleBeforeRead(c.env, account.value))) return failure(c, notCurrent());
      const found = await listTransactions(database(c.env.DB), {
        account: account.value,
        type: type ?? 'transfer',
        from: from ?? null,
        to: null,
        before: before === null ? null : { createdAt: before.at, id: before.id },
        limit: rowsToRead(limit),
      });
      const page = pageOf(c, found, limit, (last) => timeCursorText(last.createdAt, last.id));
      const names = await assetNamesOf(c.env, [...new Set(page.map(({ assetId }) => assetId))]);
      const transfers = page.flatMap((row) => {
        if (row.type === 'trade') return [];
        const amount = fromScaled(row.quantity, row.quantityScale);
        const asset = names.get(row.assetId)?.symbol ?? row.assetId;
        return [{ transfer_id: row.id, type: row.type, asset, amount, status: row.status, timestamp: row.createdAt }];
      });
      return c.json({ transfers }, 200);
    },
  );
}
