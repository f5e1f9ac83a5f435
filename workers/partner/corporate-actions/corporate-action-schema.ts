import { z } from '@hono/zod-openapi';
import type { AnnouncementError } from '../../../application/partner/actions/announce-action.ts';
import type { ActionActError } from '../../../application/partner/actions/change-action.ts';
import { type CorporateAction, endOf } from '../../../data/partner/actions/corporate-actions.ts';
import type { ActionPayment } from '../../../data/partner/actions/payments.ts';
import { ACTION_STATES, ACTION_WAITS } from '../../../domain/corporate-actions/action-state.ts';
import {
  ACTION_TYPES,
  type ActionType,
  AMOUNT_PER_SHARE_SCALE,
  isPaid,
  type StockTerms,
  stockOf,
} from '../../../domain/corporate-actions/corporate-action.ts';
import { PAYMENT_STATES } from '../../../domain/corporate-actions/payment-state.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { orNull } from '../../responses/or-null.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { databaseFull, tooManyRows } from '../captable/captable-schema.ts';
import { CORPORATE_ACTION, CORPORATE_ACTION_PAYMENT, MERGER_STOCK } from '../examples.ts';
import { noSuchSecurity } from '../securities/security-schema.ts';

const MergerStockView = z
  .object({
    security_id: z.uuid(),
    ratio_from: z.number().int(),
    ratio_to: z.number().int(),
    restriction_ends_at: z.iso.datetime().nullable().openapi({
      description: 'None of these shares is free before. Null where each lot keeps the end of what it was.',
    }),
  })
  .openapi('MergerStock', { example: MERGER_STOCK });

export const CorporateActionView = z
  .object({
    corporate_action_id: z.uuid(),
    security_id: z.uuid(),
    action_type: z.enum(ACTION_TYPES),
    status: z.enum(ACTION_STATES).openapi({
      description:
        '`recorded`: who is entitled is fixed. `funding`, `funded`: the payer is asked, and has paid. `effective`: the security is halted, its shares are being split, or held for a merger; those of a cancellation move. `returning`: it may not be carried on, and what was paid in goes back. `cancelled` before anything has moved.',
    }),
    waiting_for: z.enum(ACTION_WAITS).nullable().openapi({
      description:
        'Why it does not go on though it is due; it is tried again every five minutes. `split_refused` and `merger_refused` are for good: cancel it. `fractions`: rounded up, holders would have too much more in all. `shares_split`: it counts shares, which were split since it was announced: cancel it, and announce what it comes to now. `lister_consent`: a lister has not agreed. `payer_full`: what goes back to who has paid would make their balance larger than an amount may be. `agent_released`, `agent_suspended`, `security_stopped`, `held_by_operator`: it may not be carried on for the time being.',
    }),
    description: z.string(),
    record_date: z.string().nullable(),
    payment_date: z.string().nullable(),
    amount_per_share: z.number().nullable(),
    currency: z.string().nullable(),
    effective_date: z.string().nullable(),
    ratio_from: z.number().int().nullable(),
    ratio_to: z.number().int().nullable(),
    asset_name: z.string().nullable(),
    cusip: z.string().nullable(),
    isin: z.string().nullable(),
    counterparty: z.string().nullable(),
    holder_id: z.string().nullable().openapi({ description: 'Of a cancellation: who gives shares back.' }),
    shares: z.number().nullable().openapi({ description: 'Of a cancellation: how many.' }),
    cash_per_share: z.number().nullable().openapi({ description: 'Of a merger for cash.' }),
    stock: orNull(MergerStockView).openapi({ description: 'Of a merger for shares of another security.' }),
    payment_account_id: z
      .string()
      .nullable()
      .openapi({ description: 'Named by the lister: who pays a dividend, or a merger for cash.' }),
    amount_max: z.number().nullable(),
    consented_at: z.iso.datetime().nullable().openapi({ description: 'When the lister has agreed.' }),
    survivor_consented_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'When the lister of the surviving security has agreed.' }),
    total_amount: z.number().nullable().openapi({ description: 'What the payer pays to holders with an account.' }),
    external_amount: z.number().nullable().openapi({
      description: 'What holders without an account are entitled to: the agent pays them.',
    }),
    reason: z.string().nullable().openapi({ description: 'Why it was cancelled or reversed.' }),
    created_at: z.iso.datetime(),
    recorded_at: z.iso.datetime().nullable(),
    funded_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
  })
  .openapi('CorporateAction', { example: CORPORATE_ACTION });

export const ActionPaymentView = z
  .object({
    payee_id: z.string().openapi({ description: 'The account, or the registered holder without one.' }),
    account_id: z.string().nullable(),
    holder_reference: z.string().nullable(),
    name: z.string().nullable(),
    shares: z.number().openapi({ description: 'At the record date; of a merger, all that ended.' }),
    amount: z.number().nullable().openapi({ description: 'Rounded down to the smallest unit of the currency.' }),
    status: z.enum(PAYMENT_STATES).openapi({
      description:
        '`external`: no account, the agent pays. `nothing`: less than the smallest unit, or a merger without cash. `unpaid`: the account took no money, which went back to who pays; the agent pays. `not_returned`: taken back, and no longer available.',
    }),
    paid_at: z.iso.datetime().nullable(),
    returned_at: z.iso.datetime().nullable(),
  })
  .openapi('CorporateActionPayment', { example: CORPORATE_ACTION_PAYMENT });

/** @param cashScale of the currency that is paid */
export function corporateActionView(action: CorporateAction, cashScale: number): z.infer<typeof CorporateActionView> {
  const { terms } = action;
  const dividend = terms.type === 'dividend' ? terms : null;
  const merger = terms.type === 'merger' ? terms : null;
  const split = terms.type === 'stock_split' ? terms : null;
  const names = terms.type === 'name_change' ? terms : null;
  const cancelled = terms.type === 'share_cancellation' ? terms : null;
  const cash = (amount: number | null) => (amount === null ? null : fromScaled(amount, cashScale));
  return {
    corporate_action_id: action.id,
    security_id: action.security,
    action_type: action.type,
    status: action.state,
    waiting_for: action.waiting,
    description: action.description,
    record_date: action.recordDate,
    payment_date: dividend === null ? null : action.dueDate,
    amount_per_share: dividend === null ? null : fromScaled(dividend.amountPerShare, AMOUNT_PER_SHARE_SCALE),
    currency: isPaid(terms) ? terms.currency : null,
    effective_date: dividend === null ? action.dueDate : null,
    ratio_from: split?.ratioFrom ?? null,
    ratio_to: split?.ratioTo ?? null,
    asset_name: names?.assetName ?? null,
    cusip: names?.cusip ?? null,
    isin: names?.isin ?? null,
    counterparty: merger?.counterparty ?? null,
    holder_id: cancelled?.holder ?? null,
    shares: cancelled === null ? null : fromScaled(cancelled.shares, cancelled.scale),
    cash_per_share:
      merger !== null && isPaid(merger) ? fromScaled(merger.amountPerShare, AMOUNT_PER_SHARE_SCALE) : null,
    stock: stockView(stockOf(terms)),
    payment_account_id: action.paymentAccount,
    amount_max: cash(action.amountMax),
    consented_at: isoTimeOrNull(action.consentedAt),
    survivor_consented_at: isoTimeOrNull(action.survivorConsentedAt),
    total_amount: cash(action.total),
    external_amount: cash(action.externalTotal),
    reason: action.reason,
    created_at: isoTime(action.createdAt),
    recorded_at: isoTimeOrNull(action.recordedAt),
    funded_at: isoTimeOrNull(action.fundedAt),
    ended_at: isoTimeOrNull(endOf(action)),
  };
}

function stockView(stock: StockTerms | null): z.infer<typeof MergerStockView> | null {
  if (stock === null) return null;
  const { survivor, ratioFrom, ratioTo, restrictionEndsAt } = stock;
  return {
    security_id: survivor,
    ratio_from: ratioFrom,
    ratio_to: ratioTo,
    restriction_ends_at: isoTimeOrNull(restrictionEndsAt),
  };
}

export function actionPaymentView(
  { payee, account, reference, name, shares, amount, state, paidAt, returnedAt }: ActionPayment,
  { shareScale, cashScale }: { readonly shareScale: number; readonly cashScale: number },
): z.infer<typeof ActionPaymentView> {
  return {
    payee_id: payee,
    account_id: account,
    holder_reference: reference,
    name,
    shares: fromScaled(shares, shareScale),
    amount: amount === null ? null : fromScaled(amount, cashScale),
    status: state,
    paid_at: isoTimeOrNull(paidAt),
    returned_at: isoTimeOrNull(returnedAt),
  };
}

export function announcementError(error: AnnouncementError, type: ActionType): ApiError {
  const dueField = type === 'dividend' ? 'payment_date' : 'effective_date';
  switch (error.reason) {
    case 'security_not_found':
      return noSuchSecurity();
    case 'not_accepted':
      return apiError('CONFLICT', 'accept to be its agent first', { reason: error.reason });
    case 'not_listed':
      return apiError('CONFLICT', 'the security is not listed', { reason: error.reason });
    case 'too_many_actions':
      return apiError('CONFLICT', 'too many actions of the security are open', {
        reason: error.reason,
        limit: error.limit,
      });
    case 'too_many_rows':
      return tooManyRows(error);
    case 'database_full':
      return databaseFull();
    case 'merger_announced':
      return apiError('CONFLICT', 'another merger ends these shares; cancel it first', {
        reason: error.reason,
        corporate_action_id: error.merger,
      });
    case 'unknown_currency':
      return apiError('VALIDATION_ERROR', 'the venue has no such currency', { field: 'currency' });
    case 'holder_not_found':
      return apiError('NOT_FOUND', 'holder does not exist');
    case 'shares_not_representable':
      return apiError('VALIDATION_ERROR', 'the security has no such part of a share', {
        reason: error.reason,
        field: 'shares',
      });
    case 'survivor_not_found':
      return apiError('NOT_FOUND', 'the surviving security does not exist', { reason: error.reason });
    case 'survivor_is_same':
      return apiError('VALIDATION_ERROR', 'shares end for those of another security', {
        reason: error.reason,
        field: 'stock.security_id',
      });
    case 'survivor_not_accepted':
      return apiError('CONFLICT', 'accept to be the agent of the surviving security first', { reason: error.reason });
    case 'survivor_not_listed':
      return apiError('CONFLICT', 'the surviving security is not listed', { reason: error.reason });
    case 'survivor_scale_differs':
      return apiError('CONFLICT', 'the two securities count other parts of a share', { reason: error.reason });
    case 'in_the_past':
      return apiError('VALIDATION_ERROR', 'the date lies before today', {
        reason: error.reason,
        field: error.field === 'recordDate' ? 'record_date' : dueField,
      });
    case 'too_far_ahead':
      return apiError('VALIDATION_ERROR', 'the date lies more than two years ahead', {
        reason: error.reason,
        field: error.field === 'recordDate' ? 'record_date' : dueField,
      });
    case 'notice_too_short':
      return apiError('VALIDATION_ERROR', 'the date leaves less time than the venue gives notice', {
        reason: error.reason,
        field: error.field === 'recordDate' ? 'record_date' : dueField,
        earliest: isoTime(error.earliest),
      });
    case 'paid_before_record':
      return apiError('VALIDATION_ERROR', 'the payment date lies before the record date', { reason: error.reason });
  }
}

export function actionActError(error: ActionActError): ApiError {
  switch (error.reason) {
    case 'action_not_found':
      return noSuchAction();
    case 'account_not_found':
      return apiError('NOT_FOUND', 'account does not exist');
    case 'payer_has_paid':
      return apiError('CONFLICT', 'the account that is named has paid holders already; it pays the rest, too', {
        reason: error.reason,
      });
    case 'too_late':
      return apiError('CONFLICT', 'it was paid more than five days ago', { reason: error.reason });
    case 'wrong_type':
      return apiError('CONFLICT', 'an action of this type does not take that', {
        reason: error.reason,
        action_type: error.action.type,
      });
    case 'wrong_state':
      return apiError('CONFLICT', 'the action is in another state', {
        reason: error.reason,
        status: error.action.state,
      });
  }
}

/** Another partner's is not there either. */
export function noSuchAction(): ApiError {
  return apiError('NOT_FOUND', 'corporate action does not exist');
}
