import type { PartnerSession } from '../../scripts/demo-partner/partner-session.ts';
import type { Session } from '../../scripts/local/session.ts';

/** A private security of the lister without an agent, listed by the operator for retail, whose shares one account holds; its id. It trades as `<symbol>-USD`. */
export async function listSecurity(
  lister: PartnerSession,
  operator: Session,
  { symbol, holder, shares }: { readonly symbol: string; readonly holder: string; readonly shares: number },
): Promise<string> {
  const { security_id: id } = await lister.call<{ security_id: string }>('POST /v1/securities', {
    asset_name: 'Orbital Freight Series B',
    asset_type: 'private_security',
    security_class: 'preferred_stock',
    share_class: 'Series B',
    issuer_id: 'orbital-freight',
    issuer_name: 'Orbital Freight, Inc.',
    issuer_type: 'private_corporation',
    currency: 'USD',
    last_valuation_price: 10,
    last_valuation_date: '2026-06-30',
    restrictions: {
      legend_required: false,
      rule_144_holding_period_met: false,
      transfer_restrictions: 'none',
      lock_up_expiry_date: null,
    },
  });
  const listing = { symbol, regulation: 'retail', reason: 'reviewed' };
  await operator.call(`POST /v1/operator/securities/${id}/list`, listing);
  await operator.call('POST /v1/operator/deposits', {
    accountId: holder,
    assetId: id,
    amount: shares,
    lots: [{ quantity: shares, cost: shares, restrictionEndDate: null }],
  });
  return id;
}
