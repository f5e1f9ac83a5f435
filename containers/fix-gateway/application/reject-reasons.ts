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

/** CxlRejReason(102) of an error code of the exchange. */
export function cxlRejReason(code: string): string {
  return CXL_REJ[code] ?? OTHER;
}
