import { z } from '@hono/zod-openapi';
import type { SecurityEdit } from '../../../application/partner/securities/change-security.ts';
import type { NewSecurity, Security } from '../../../data/partner/securities.ts';
import { latestDay } from '../../../domain/calendar/latest-day.ts';
import { fromScaled, toScaled } from '../../../domain/money/scaled.ts';
import { effectiveRestrictions } from '../../../domain/partner/effective-restrictions.ts';
import { CONTRADICTION, contradicts, isCusip, isIsin } from '../../../domain/partner/identifiers.ts';
import {
  AGENT_STATES,
  ISSUER_TYPES,
  PARTNER_ASSET_TYPES,
  type Restrictions,
  SECURITY_CLASSES,
  SECURITY_STATES,
  VALUATION_SCALE,
} from '../../../domain/partner/security.ts';
import { BEFORE_ALL_DAYS, precedesAllDays } from '../../../domain/register/first-day.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { freeText } from '../../responses/free-text.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { orNull } from '../../responses/or-null.ts';
import { isoTime } from '../../responses/wire.ts';
import {
  AGENT_RESTRICTIONS,
  CROSS_LIST_REQUEST,
  LISTED_SECURITY,
  RESTRICTIONS,
  SECURITY_EDIT,
  SECURITY_QUOTE,
} from '../examples.ts';

/** P-RES-01 to P-RES-04 */
export const RestrictionsView = z
  .object({
    legend_required: z.boolean(),
    rule_144_holding_period_met: z.boolean(),
    transfer_restrictions: z.string(),
    lock_up_expiry_date: z.iso.date().nullable(),
  })
  .openapi('Restrictions', { example: RESTRICTIONS });

export const AgentRestrictionsView = RestrictionsView.partial().openapi('AgentRestrictions', {
  example: AGENT_RESTRICTIONS,
});

export const SecurityView = z
  .object({
    security_id: z.uuid(),
    status: z.enum(SECURITY_STATES),
    status_reason: z.string().nullable(),
    asset_name: z.string(),
    asset_type: z.enum(PARTNER_ASSET_TYPES),
    security_class: z.enum(SECURITY_CLASSES),
    share_class: z.string(),
    issuer_id: z.string(),
    issuer_name: z.string(),
    issuer_type: z.enum(ISSUER_TYPES),
    cusip: z.string().nullable(),
    isin: z.string().nullable(),
    currency: z.string(),
    last_valuation_price: z.number(),
    last_valuation_date: z.iso.date(),
    restrictions: RestrictionsView.openapi({ description: 'In effect: the agent’s where it has stated one.' }),
    lister_restrictions: RestrictionsView,
    agent_restrictions: orNull(AgentRestrictionsView),
    transfer_agent_id: z.string().nullable(),
    transfer_agent_state: z.enum(AGENT_STATES).nullable(),
    symbol: z.string().nullable(),
    market: z.string().nullable().openapi({ description: 'Symbol of its order book; null until it is listed.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Security', { example: LISTED_SECURITY });

export function securityOnWire(security: Security): z.infer<typeof SecurityView> {
  const { restrictions, agentRestrictions } = security;
  return {
    security_id: security.id,
    status: security.state,
    status_reason: security.reason,
    asset_name: security.assetName,
    asset_type: security.assetType,
    security_class: security.securityClass,
    share_class: security.shareClass,
    issuer_id: security.issuerId,
    issuer_name: security.issuerName,
    issuer_type: security.issuerType,
    cusip: security.cusip,
    isin: security.isin,
    currency: security.currency,
    last_valuation_price: fromScaled(security.lastValuationPrice, VALUATION_SCALE),
    last_valuation_date: security.lastValuationDate,
    restrictions: restrictionsOnWire(effectiveRestrictions(restrictions, agentRestrictions)),
    lister_restrictions: restrictionsOnWire(restrictions),
    agent_restrictions: agentRestrictions === null ? null : statedOnWire(agentRestrictions),
    transfer_agent_id: security.transferAgent,
    transfer_agent_state: security.agentState,
    symbol: security.symbol,
    market: security.market,
    created_at: isoTime(security.createdAt),
    updated_at: isoTime(security.updatedAt),
  };
}

export function restrictionsOnWire(restrictions: Restrictions): z.infer<typeof RestrictionsView> {
  return {
    legend_required: restrictions.legendRequired,
    rule_144_holding_period_met: restrictions.rule144HoldingPeriodMet,
    transfer_restrictions: restrictions.transferRestrictions,
    lock_up_expiry_date: restrictions.lockUpExpiryDate,
  };
}

export function statedOnWire(stated: Partial<Restrictions>): z.infer<typeof AgentRestrictionsView> {
  const { legendRequired, rule144HoldingPeriodMet, transferRestrictions, lockUpExpiryDate } = stated;
  return {
    ...(legendRequired === undefined ? {} : { legend_required: legendRequired }),
    ...(rule144HoldingPeriodMet === undefined ? {} : { rule_144_holding_period_met: rule144HoldingPeriodMet }),
    ...(transferRestrictions === undefined ? {} : { transfer_restrictions: transferRestrictions }),
    ...(lockUpExpiryDate === undefined ? {} : { lock_up_expiry_date: lockUpExpiryDate }),
  };
}

/** Another partner's is not there either. */
export function noSuchSecurity(): ApiError {
  return apiError('NOT_FOUND', 'security does not exist');
}

const TEXT_LENGTH_MAX = 200;
const FREE_TEXT_LENGTH_MAX = 4_000;

const lockUpDate = z.iso.date().refine((date) => !precedesAllDays(date), BEFORE_ALL_DAYS);

/** A restrictions object as it is sent (P-RES-01 to P-RES-04): what is left out stays as it is. */
export const RestrictionsBody = z
  .strictObject({
    legend_required: z.boolean(),
    rule_144_holding_period_met: z.boolean(),
    transfer_restrictions: freeText(FREE_TEXT_LENGTH_MAX),
    lock_up_expiry_date: lockUpDate.nullable(),
  })
  .partial()
  .openapi('RestrictionsRequest', { example: RESTRICTIONS });

/** No date of a valuation is still to come, by the clock that is ahead of all others, or of a day that nobody means. */
const valuationDate = z.iso
  .date()
  .refine((date) => date <= latestDay(Date.now()), 'a valuation is not of the future')
  .refine((date) => !precedesAllDays(date), BEFORE_ALL_DAYS);

const valuationPrice = z
  .number()
  .positive()
  .refine((price) => toScaled(price, VALUATION_SCALE).ok, 'a valuation has at most four decimals');

const text = lineOfText(TEXT_LENGTH_MAX);

/** P-XLR-01 to P-XLR-13 */
export const CrossListBody = z
  .strictObject({
    asset_name: text,
    asset_type: z.enum(PARTNER_ASSET_TYPES),
    security_class: z.enum(SECURITY_CLASSES),
    share_class: text,
    issuer_id: text,
    issuer_name: text,
    issuer_type: z.enum(ISSUER_TYPES),
    cusip: z.string().refine(isCusip, 'a CUSIP has nine characters, the last its check digit').nullable().default(null),
    isin: z.string().refine(isIsin, 'an ISIN has twelve characters, the last its check digit').nullable().default(null),
    currency: z.string().min(1).max(16),
    last_valuation_price: valuationPrice,
    last_valuation_date: valuationDate,
    restrictions: RestrictionsBody.required(),
    transfer_agent_id: z.string().max(64).nullable().default(null).openapi({
      description: 'Organization of the transfer agent that is asked to keep its register.',
    }),
  })
  .refine(({ cusip, isin }) => cusip === null || isin === null || !contradicts(isin, cusip), {
    message: CONTRADICTION,
    path: ['isin'],
  })
  .openapi('CrossListRequest', { example: CROSS_LIST_REQUEST });

/** P-XLR-14 */
export const SecurityEditBody = z
  .strictObject({
    restrictions: RestrictionsBody,
    last_valuation_price: valuationPrice,
    last_valuation_date: valuationDate,
    transfer_agent_id: z.string().max(64).nullable(),
  })
  .partial()
  .refine((edit) => Object.keys(edit).length > 0, 'state what is to change')
  .openapi('SecurityEdit', { example: SECURITY_EDIT });

export function newSecurityOf(body: z.infer<typeof CrossListBody>, organization: string): NewSecurity {
  return {
    organization,
    assetName: body.asset_name,
    assetType: body.asset_type,
    securityClass: body.security_class,
    shareClass: body.share_class,
    issuerId: body.issuer_id,
    issuerName: body.issuer_name,
    issuerType: body.issuer_type,
    cusip: body.cusip,
    isin: body.isin,
    currency: body.currency,
    lastValuationPrice: valuationOf(body.last_valuation_price),
    lastValuationDate: body.last_valuation_date,
    restrictions: {
      legendRequired: body.restrictions.legend_required,
      rule144HoldingPeriodMet: body.restrictions.rule_144_holding_period_met,
      transferRestrictions: body.restrictions.transfer_restrictions,
      lockUpExpiryDate: body.restrictions.lock_up_expiry_date,
    },
    transferAgent: body.transfer_agent_id,
  };
}

export function editOf(body: z.infer<typeof SecurityEditBody>): SecurityEdit {
  const { restrictions, last_valuation_price, last_valuation_date, transfer_agent_id } = body;
  return {
    ...(restrictions === undefined ? {} : { restrictions: statedRestrictions(restrictions) }),
    ...(last_valuation_price === undefined ? {} : { lastValuationPrice: valuationOf(last_valuation_price) }),
    ...(last_valuation_date === undefined ? {} : { lastValuationDate: last_valuation_date }),
    ...(transfer_agent_id === undefined ? {} : { transferAgent: transfer_agent_id }),
  };
}

export function statedRestrictions(body: z.infer<typeof RestrictionsBody>): Partial<Restrictions> {
  const { legend_required, rule_144_holding_period_met, transfer_restrictions, lock_up_expiry_date } = body;
  return {
    ...(legend_required === undefined ? {} : { legendRequired: legend_required }),
    ...(rule_144_holding_period_met === undefined ? {} : { rule144HoldingPeriodMet: rule_144_holding_period_met }),
    ...(transfer_restrictions === undefined ? {} : { transferRestrictions: transfer_restrictions }),
    ...(lock_up_expiry_date === undefined ? {} : { lockUpExpiryDate: lock_up_expiry_date }),
  };
}

/** A number that validation has found to have no more decimals. */
function valuationOf(price: number): number {
  const scaled = toScaled(price, VALUATION_SCALE);
  if (!scaled.ok) throw new Error(`valuation ${price} passed validation`);
  return scaled.value;
}

export const QuoteView = z
  .object({
    bid: z.number().nullable(),
    ask: z.number().nullable(),
    last: z.number().nullable().openapi({ description: 'Last trade; null before the first.' }),
  })
  .openapi('SecurityQuote', { example: SECURITY_QUOTE });
