const OTHER = '99';

const ORD_REJ: Readonly<Record<string, string>> = {
  INVALID_SYMBOL: '1',
  ASSET_NOT_FOUND: '1',
  ASSET_NOT_TRADEABLE: '2',
  INSUFFICIENT_BALANCE: '3',
  INVESTMENT_LIMIT_EXCEEDED: '3',
  RISK_LIMIT_EXCEEDED: '3',
  CONFLICT: '6',
  INVALID_ORDER_TYPE: '11',
};

const CXL_REJ: Readonly<Record<string, string>> = {
  ORDER_NOT_CANCELLABLE: '0',
  ORDER_NOT_MODIFIABLE: '0',
  ORDER_NOT_FOUND: '1',
  CONFLICT: '6',
};

/** OrdRejReason(103) of an error code of the exchange. */
export function ordRejReason(code: string): string {
  return ORD_REJ[code] ?? OTHER;
}

/** Order already in Pending Cancel or Pending Replace status. */
const PENDING = '3';

/** CxlRejReason(102) of an error code of the exchange, and of the reason in its details. */
export function cxlRejReason(code: string, { reason }: Readonly<Record<string, unknown>>): string {
  const isPending = code === 'ORDER_NOT_MODIFIABLE' && (reason === 'change_under_way' || reason === 'end_under_way');
  return isPending ? PENDING : (CXL_REJ[code] ?? OTHER);
}
