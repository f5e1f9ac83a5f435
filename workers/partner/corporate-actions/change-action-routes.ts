import { createRoute, z } from '@hono/zod-openapi';
import { numberError } from '../../../application/operator/number-error.ts';
import { type Announcement, announceAction } from '../../../application/partner/actions/announce-action.ts';
import {
  cancelAction,
  consentToAction,
  namePaymentAccount,
  reverseDividend,
} from '../../../application/partner/actions/change-action.ts';
import { database } from '../../../data/database.ts';
import { type CorporateAction, findActionOf } from '../../../data/partner/actions/corporate-actions.ts';
import { statedMoment } from '../../../domain/corporate-actions/action-dates.ts';
import { AMOUNT_PER_SHARE_SCALE, isPaid, type StockTerms } from '../../../domain/corporate-actions/corporate-action.ts';
import { SPLIT_RATIO_MAX } from '../../../domain/ledger/split-units.ts';
import { toPaid } from '../../../domain/money/paid-amount.ts';
import { type ScaledResult, toScaled } from '../../../domain/money/scaled.ts';
import { CONTRADICTION, contradicts, isCusip, isIsin } from '../../../domain/partner/identifiers.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { type AppContext, partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { dayOrMoment } from '../../responses/day-or-moment.ts';
import { failure } from '../../responses/failure.ts';
import { freeText } from '../../responses/free-text.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { partnerActionOf } from '../action-of.ts';
import { CORPORATE_ACTION_REASON, CORPORATE_ACTION_REQUEST, MERGER_STOCK, PAYMENT_ACCOUNT } from '../examples.ts';
import { AGENT_WRITE, LISTER_WRITE } from '../partner-route.ts';
import {
  actionActError,
  announcementError,
  CorporateActionView,
  corporateActionView,
  noSuchAction,
} from './corporate-action-schema.ts';
import { cashScalesOf } from './read-action-routes.ts';

const tags = ['corporate actions'];
const params = z.object({ id: z.uuid() });
const responses = { 200: jsonOf('The action.', CorporateActionView) };

const date = dayOrMoment().openapi({
  description: 'A day in New York, or a moment. A record date ends with its day, any other begins with it.',
});
const base = { security_id: z.uuid(), description: freeText(1_000).min(1) };
const ratio = z.number().int().min(1).max(SPLIT_RATIO_MAX).openapi({
  description:
    'Of `ratio_from` shares come `ratio_to`: 3-for-2 is from 2 to 3, a reverse split 1-for-10 is from 10 to 1.',
});

const MergerStockRequest = z
  .strictObject({
    security_id: z.uuid().toLowerCase().openapi({ description: 'The surviving security: you are its agent, too.' }),
    ratio_from: ratio,
    ratio_to: ratio,
    restriction_ends_at: dayOrMoment().nullable().default(null).openapi({
      description:
        'A day in New York, which it begins with, or a moment. No share that holders get is free before: where the period of their lots begins anew (17 CFR 230.144(d)(3)(viii)). Null: each lot keeps its end.',
    }),
  })
  .refine(({ ratio_from: from, ratio_to: to }) => from !== to || from === 1, 'one for one is 1 to 1')
  .openapi('MergerStockRequest', { example: MERGER_STOCK });

/** P-CAR-01 to P-CAR-10 */
const CorporateActionRequest = z
  .discriminatedUnion('action_type', [
    z.strictObject({
      ...base,
      action_type: z.literal('dividend'),
      record_date: date,
      payment_date: date,
      amount_per_share: z.number().positive(),
      currency: z.string().min(1).max(20),
    }),
    z
      .strictObject({
        ...base,
        action_type: z.literal('stock_split'),
        effective_date: date,
        ratio_from: ratio,
        ratio_to: ratio,
      })
      .refine(({ ratio_from, ratio_to }) => ratio_from !== ratio_to, 'the ratio changes nothing'),
    z
      .strictObject({
        ...base,
        action_type: z.literal('name_change'),
        effective_date: date,
        asset_name: lineOfText(200).optional(),
        cusip: z.string().refine(isCusip, 'is no CUSIP').optional(),
        isin: z.string().refine(isIsin, 'is no ISIN').optional(),
      })
      .refine(({ asset_name, cusip, isin }) => (asset_name ?? cusip ?? isin) !== undefined, 'nothing is changed')
      .refine(({ cusip, isin }) => cusip === undefined || isin === undefined || !contradicts(isin, cusip), {
        message: CONTRADICTION,
        path: ['isin'],
      }),
    z.strictObject({
      ...base,
      action_type: z.literal('share_cancellation'),
      effective_date: date,
      holder_id: z.uuid().openapi({ description: 'Who gives shares back to the issuer.' }),
      shares: z.number().positive(),
    }),
    z
      .strictObject({
        ...base,
        action_type: z.literal('merger'),
        effective_date: date,
        counterparty: lineOfText(200).openapi({ description: 'Into whom.' }),
        cash_per_share: z.number().positive().optional().openapi({
          description:
            'What each share is paid with, in `currency`: every share ends, and the security is delisted. Where `stock` is left out, too, the venue tells of the merger and moves nothing.',
        }),
        currency: z.string().min(1).max(20).optional(),
        stock: MergerStockRequest.optional().openapi({
          description:
            'Shares of which security each holder gets, alone or beside the cash: every share ends, and the security is delisted.',
        }),
      })
      .refine(
        ({ cash_per_share, currency }) => (cash_per_share === undefined) === (currency === undefined),
        'cash_per_share and currency go together',
      ),
  ])
  .openapi('CorporateActionRequest', { example: CORPORATE_ACTION_REQUEST });

const ActionReason = z
  .strictObject({ reason: freeText(500).min(1) })
  .openapi('CorporateActionReason', { example: CORPORATE_ACTION_REASON });

const PaymentAccount = z
  .strictObject({
    account_id: z.string().min(1).max(100).openapi({ description: 'Of an investor whom you have introduced.' }),
    amount_max: z.number().positive().nullable().default(null).openapi({
      description: 'More than this is not paid without another consent. Null for no bound.',
    }),
  })
  .openapi('PaymentAccount', { example: PAYMENT_ACCOUNT });

/** POST /v1/corporate-actions (P-TFR-09). */
export function announceActionRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...AGENT_WRITE, errors: ['CONFLICT', 'NOT_FOUND'] },
    createRoute({
      method: 'post',
      path: '/v1/corporate-actions',
      tags,
      summary: 'Announce a corporate action',
      request: { body: bodyOf(CorporateActionRequest) },
      responses: { 201: jsonOf('The action.', CorporateActionView) },
    }),
    async (c) => {
      const announcement = announcementOf(c.req.valid('json'));
      if (!announcement.ok) return failure(c, announcement.error);
      const announced = await announceAction(c.env, partnerOf(c), announcement.value, partnerActionOf(c));
      if (!announced.ok) return failure(c, announcementError(announced.error, announcement.value.terms.type));
      return c.json(await viewOf(c, announced.value), 201);
    },
  );
}

/** POST /v1/corporate-actions/{id}/cancel: before anything has moved. */
export function cancelActionRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...AGENT_WRITE, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/corporate-actions/{id}/cancel',
      tags,
      summary: 'Take an action back before anything has moved',
      request: { params, body: bodyOf(ActionReason) },
      responses,
    }),
    async (c) => {
      const asked = { id: c.req.valid('param').id, reason: c.req.valid('json').reason };
      const cancelled = await cancelAction(c.env, partnerOf(c), asked, partnerActionOf(c));
      if (!cancelled.ok) return failure(c, actionActError(cancelled.error));
      return c.json(await viewOf(c, cancelled.value), 200);
    },
  );
}

/** POST /v1/corporate-actions/{id}/reverse: within five days of the payment. */
export function reverseDividendRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...AGENT_WRITE, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/corporate-actions/{id}/reverse',
      tags,
      summary: 'Take back a dividend that was paid, from those who still have it',
      request: { params, body: bodyOf(ActionReason) },
      responses,
    }),
    async (c) => {
      const asked = { id: c.req.valid('param').id, reason: c.req.valid('json').reason };
      const reversed = await reverseDividend(c.env, partnerOf(c), asked, partnerActionOf(c));
      if (!reversed.ok) return failure(c, actionActError(reversed.error));
      return c.json(await viewOf(c, reversed.value), 200);
    },
  );
}

/** POST /v1/corporate-actions/{id}/payment-account: without it no dividend is paid. */
export function namePaymentAccountRoute(partner: Profile): void {
  registerRoute(
    partner,
    LISTER_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/corporate-actions/{id}/payment-account',
      tags,
      summary: 'Let an account pay a dividend',
      description:
        'The consent of the lister: without it nothing is paid. Another one may be named until the account is asked.',
      request: { params, body: bodyOf(PaymentAccount) },
      responses,
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const { account_id: account, amount_max } = c.req.valid('json');
      const action = await findActionOf(database(c.env.DB), partnerOf(c), id);
      if (action === null) return failure(c, noSuchAction());
      const amountMax =
        amount_max === null ? null : paidAmount(amount_max, action, (await cashScalesOf(c, [action]))(action));
      if (amountMax?.ok === false) return failure(c, numberError('amount_max', amountMax.error));
      const consent = { id, account, amountMax: amountMax?.value ?? null };
      const named = await namePaymentAccount(c.env, partnerOf(c), consent, partnerActionOf(c));
      if (!named.ok) return failure(c, actionActError(named.error));
      return c.json(await viewOf(c, named.value), 200);
    },
  );
}

/** POST /v1/corporate-actions/{id}/consent: without it no shares end, and none are divided down. */
export function consentToActionRoute(partner: Profile): void {
  registerRoute(
    partner,
    LISTER_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/corporate-actions/{id}/consent',
      tags,
      summary: 'Agree that shares end or are divided down',
      description:
        'Of a merger that ends the shares of your security, or gives those of it, of a reverse split, and of a cancellation of shares. Naming the account that pays a merger agrees to it, too. It is not taken back.',
      request: { params },
      responses,
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const consented = await consentToAction(c.env, partnerOf(c), id, partnerActionOf(c));
      if (!consented.ok) return failure(c, actionActError(consented.error));
      return c.json(await viewOf(c, consented.value), 200);
    },
  );
}

/** In the decimals of the currency that the action pays in. */
function paidAmount(amount: number, { terms }: CorporateAction, scale: number): ScaledResult {
  const symbol = isPaid(terms) ? terms.currency : '';
  return toPaid(amount, { symbol, category: 'currency', scale });
}

function announcementOf(body: z.infer<typeof CorporateActionRequest>): Result<Announcement, ApiError> {
  const { security_id: security, description } = body;
  if (body.action_type === 'dividend') {
    const amountPerShare = toScaled(body.amount_per_share, AMOUNT_PER_SHARE_SCALE);
    if (!amountPerShare.ok) return err(numberError('amount_per_share', amountPerShare.error));
    const terms = { type: 'dividend', amountPerShare: amountPerShare.value, currency: body.currency } as const;
    return ok({ security, description, terms, recordDate: body.record_date, dueDate: body.payment_date });
  }
  const other = { security, description, recordDate: null, dueDate: body.effective_date };
  switch (body.action_type) {
    case 'stock_split':
      return ok({ ...other, terms: { type: 'stock_split', ratioFrom: body.ratio_from, ratioTo: body.ratio_to } });
    case 'merger': {
      const { counterparty, cash_per_share, currency } = body;
      const stock = body.stock === undefined ? {} : { stock: stockTermsOf(body.stock) };
      const terms = { type: 'merger', counterparty, ...stock } as const;
      if (cash_per_share === undefined || currency === undefined) return ok({ ...other, terms });
      const amountPerShare = toScaled(cash_per_share, AMOUNT_PER_SHARE_SCALE);
      if (!amountPerShare.ok) return err(numberError('cash_per_share', amountPerShare.error));
      return ok({ ...other, terms: { ...terms, amountPerShare: amountPerShare.value, currency } });
    }
    case 'share_cancellation':
      return ok({ ...other, terms: { type: 'share_cancellation', holder: body.holder_id, shares: body.shares } });
    case 'name_change': {
      const { asset_name = null, cusip = null, isin = null } = body;
      return ok({ ...other, terms: { type: 'name_change', assetName: asset_name, cusip, isin } });
    }
  }
}

function stockTermsOf(stock: z.infer<typeof MergerStockRequest>): StockTerms {
  const { security_id: survivor, ratio_from: ratioFrom, ratio_to: ratioTo, restriction_ends_at: end } = stock;
  return { survivor, ratioFrom, ratioTo, restrictionEndsAt: end === null ? null : statedMoment(end, 'begin') };
}

async function viewOf(c: AppContext, action: CorporateAction): Promise<z.infer<typeof CorporateActionView>> {
  return corporateActionView(action, (await cashScalesOf(c, [action]))(action));
}
