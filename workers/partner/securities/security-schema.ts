import { z } from '@hono/zod-openapi';
import type { Security } from '../../../data/partner/securities.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { effectiveRestrictions } from '../../../domain/partner/effective-restrictions.ts';
import {
  AGENT_STATES,
  ISSUER_TYPES,
  PARTNER_ASSET_TYPES,
  type Restrictions,
  SECURITY_CLASSES,
  SECURITY_STATES,
  VALUATION_SCALE,
} from '../../../domain/partner/security.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { isoTime } from '../../responses/wire.ts';

/** P-RES-01 to P-RES-04 */
const RestrictionsView = z
  .object({
    legend_required: z.boolean(),
    rule_144_holding_period_met: z.boolean(),
    transfer_restrictions: z.string(),
    lock_up_expiry_date: z.iso.date().nullable(),
  })
  .openapi('Restrictions');

const AgentRestrictionsView = RestrictionsView.partial().openapi('AgentRestrictions');

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
    agent_restrictions: AgentRestrictionsView.nullable(),
    transfer_agent_id: z.string().nullable(),
    transfer_agent_state: z.enum(AGENT_STATES).nullable(),
    symbol: z.string().nullable(),
    market: z.string().nullable().openapi({ description: 'Symbol of its order book; null until it is listed.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Security');

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

function restrictionsOnWire(restrictions: Restrictions): z.infer<typeof RestrictionsView> {
  return {
    legend_required: restrictions.legendRequired,
    rule_144_holding_period_met: restrictions.rule144HoldingPeriodMet,
    transfer_restrictions: restrictions.transferRestrictions,
    lock_up_expiry_date: restrictions.lockUpExpiryDate,
  };
}

function statedOnWire(stated: Partial<Restrictions>): z.infer<typeof AgentRestrictionsView> {
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
