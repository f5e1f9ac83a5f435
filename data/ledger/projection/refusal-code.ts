import type { AdmissionRefusal } from '../../../domain/ledger/outcomes.ts';
import type { ErrorCode } from '../../../protocol/errors/error-code.ts';

/**
 * Code under which an order that the ledger refused is kept as rejected; null for one that leaves no trace
 * (docs/design/ledger.md#admission).
 */
export function refusalCode(refusal: AdmissionRefusal): ErrorCode | null {
  switch (refusal) {
    case 'balance':
      return 'INSUFFICIENT_BALANCE';
    case 'allowance':
      return 'INVESTMENT_LIMIT_EXCEEDED';
    case 'position':
    case 'daily_notional':
    case 'daily_loss':
    case 'outside_limit':
    case 'holding':
    case 'account_orders':
    case 'account_amendments':
    case 'account_lots':
    case 'account_balances':
    case 'account_unsettled':
    case 'account_keys':
      return 'RISK_LIMIT_EXCEEDED';
    case 'halted':
      return 'ASSET_NOT_TRADEABLE';
    case 'account_frozen':
    case 'identity_ended':
    case 'key_revoked':
      return 'FORBIDDEN';
    case 'exists':
    case 'duplicate_client_order_id':
    case 'stale':
    case 'backlog':
    case 'ledger_full':
      return null;
  }
}
