import { createRoute, z } from '@hono/zod-openapi';
import { findAccountHolders } from '../../../data/accounts/account-holders.ts';
import type { OrderRefusal } from '../../../data/compliance/order-refusals.ts';
import { countRefusalsByRule, listRefusals } from '../../../data/compliance/refusal-lists.ts';
import { database } from '../../../data/database.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { REFUSAL_RULES, REFUSED_ACTIONS, type RefusalRuleName } from '../../../domain/order-entry/refusal-rules.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { pageOf, rowsToRead } from '../../responses/paging.ts';
import { CURSOR_WORDS } from '../../responses/time-cursor.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { isoTime } from '../../responses/wire.ts';
import { HolderName } from './account-schema.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

const PAGE = 100;
const PAGE_MAX = 500;
const ID_LENGTH_MAX = 200;
/** Place of a row: its time, and its id, which of a row that only counts has its account, day and rule. */
const CURSOR = /^(\d{1,16})\.([0-9A-Za-z._-]{1,300})$/;

const RULE_NAMES = Object.keys(REFUSAL_RULES) as [RefusalRuleName, ...RefusalRuleName[]];

const rule = {
  rule: z.string().openapi({ example: 'identity_verified' }),
  source: z.string().nullable().openapi({ description: 'Where the rule comes from.' }),
  remedy: z.string().nullable().openapi({ description: 'What would help whoever was refused.' }),
};

const RefusalView = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    accountId: z.string(),
    name: HolderName,
    owner: z.string(),
    userId: z.string(),
    keyId: z.string().nullable(),
    action: z.enum(REFUSED_ACTIONS),
    orderId: z.string(),
    assetId: z.string().nullable(),
    market: z.string().nullable(),
    code: z.string(),
    ...rule,
    count: z.int().openapi({ description: 'Refusals that the row stands for: beyond so many a day they are counted.' }),
    saw: z.record(z.string(), z.unknown()).openapi({ description: 'What the rule saw: the order, account and asset.' }),
  })
  .openapi('OperatorRefusal');

const RefusedByRule = z.object({ ...rule, refusals: z.int(), accounts: z.int() }).openapi('OperatorRefusalsOfRule');

/** GET /v1/operator/refusals and …/rules: orders that were refused, and by what; of the own organization, of everyone's for the venue. */
export function refusalRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/refusals',
      tags: ['operator'],
      summary: 'Refused orders, newest first',
      request: {
        query: z.object({
          rule: z.enum(RULE_NAMES).optional(),
          accountId: z.string().max(ID_LENGTH_MAX).optional(),
          assetId: z.string().max(ID_LENGTH_MAX).optional(),
          limit: wholeNumberOr(PAGE, 1, PAGE_MAX),
          cursor: z.string().regex(CURSOR, CURSOR_WORDS).optional(),
        }),
      },
      responses: { 200: envelopeOf('The refusals.', z.array(RefusalView)) },
    }),
    async (c) => {
      const { rule: asked = null, accountId = null, assetId = null, limit, cursor } = c.req.valid('query');
      const db = database(c.env.DB);
      const found = await listRefusals(db, {
        owner: readableOwner(c),
        rule: asked,
        account: accountId,
        asset: assetId,
        before: placeOf(cursor),
        limit: rowsToRead(limit),
      });
      const page = pageOf(c, found, limit, ({ at, id }) => `${at}.${id}`);
      const holders = await findAccountHolders(
        db,
        page.map(({ account }) => account),
      );
      return c.json(enveloped(page.map((row) => refusalView(row, holders.get(row.account)?.name ?? null))), 200);
    },
  );

  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/refusals/rules',
      tags: ['operator'],
      summary: 'How often each rule has refused on a day, the most frequent first',
      request: {
        query: z.object({ day: z.iso.date().optional().openapi({ description: 'A day of UTC; today without it.' }) }),
      },
      responses: { 200: envelopeOf('The rules that have refused.', z.array(RefusedByRule)) },
    }),
    async (c) => {
      const { day } = c.req.valid('query');
      const now = Date.now();
      const from = day === undefined ? now - (now % DAY_MS) : Date.parse(day);
      const found = await countRefusalsByRule(database(c.env.DB), readableOwner(c), from);
      return c.json(enveloped(found.map(({ rule: name, ...counts }) => ({ ...ruleView(name), ...counts }))), 200);
    },
  );
}

function placeOf(cursor: string | undefined): { readonly at: number; readonly id: string } | null {
  const [, at, id] = CURSOR.exec(cursor ?? '') ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}

function refusalView(row: OrderRefusal, name: string | null): z.infer<typeof RefusalView> {
  const { id, at, account, owner, userId, keyId, action, orderId, asset, book, code, rule: of, facts, count } = row;
  return {
    id,
    at: isoTime(at),
    accountId: account,
    name,
    owner,
    userId,
    keyId,
    action,
    orderId,
    assetId: asset,
    market: book,
    code,
    ...ruleView(of),
    count,
    saw: JSON.parse(facts),
  };
}

/** A rule that is known no more has its name alone. */
function ruleView(name: string) {
  const known = Object.hasOwn(REFUSAL_RULES, name) ? REFUSAL_RULES[name as RefusalRuleName] : null;
  return { rule: name, source: known?.source ?? null, remedy: known?.remedy ?? null };
}
