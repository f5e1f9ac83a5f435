/** Written by scripts/sdk/api-types.ts from the OpenAPI document of profile partner. */
import type { Operations } from '../wire/operations.ts';

export const partnerOperations: Operations = {
  "POST /v1/securities": {
    "isRepeatable": true,
    "numbers": [
      "last_valuation_price"
    ]
  },
  "PATCH /v1/securities/{id}": {
    "isRepeatable": true,
    "numbers": [
      "last_valuation_price"
    ]
  },
  "DELETE /v1/securities/{id}": {
    "isRepeatable": true
  },
  "POST /v1/investors": {
    "isRepeatable": true
  },
  "POST /v1/investors/{id}/accounts": {
    "isRepeatable": true
  },
  "POST /v1/investors/{id}/compliance/{kind}/rescreen": {
    "isRepeatable": true
  },
  "POST /v1/orders": {
    "isRepeatable": true,
    "numbers": [
      "price",
      "quantity"
    ]
  },
  "DELETE /v1/orders/{id}": {
    "isRepeatable": true
  },
  "PATCH /v1/webhooks/{id}": {
    "isRepeatable": true
  },
  "POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay": {
    "isRepeatable": true
  },
  "POST /v1/webhooks/{id}/replay": {
    "isRepeatable": true,
    "numbers": [
      "after_sequence"
    ]
  },
  "POST /v1/captable/{security_id}/import": {
    "isRepeatable": true
  },
  "POST /v1/captable/{security_id}/issuances": {
    "isRepeatable": true,
    "numbers": [
      "cost",
      "shares"
    ]
  },
  "POST /v1/captable/{security_id}/cancellations": {
    "isRepeatable": true,
    "numbers": [
      "shares"
    ]
  },
  "POST /v1/corporate-actions": {
    "isRepeatable": true,
    "numbers": [
      "amount_per_share",
      "cash_per_share",
      "ratio_from",
      "ratio_to",
      "shares",
      "stock.ratio_from",
      "stock.ratio_to"
    ]
  },
  "POST /v1/corporate-actions/{id}/cancel": {
    "isRepeatable": true
  },
  "POST /v1/corporate-actions/{id}/payment-account": {
    "isRepeatable": true,
    "numbers": [
      "amount_max"
    ]
  },
  "POST /v1/corporate-actions/{id}/consent": {
    "isRepeatable": true
  },
  "POST /v1/corporate-actions/{id}/reverse": {
    "isRepeatable": true
  },
  "POST /v1/transfers/{id}/acknowledge": {
    "numbers": [
      "units_to_transfer"
    ]
  },
  "POST /v1/securities/{id}/halt": {
    "isRepeatable": true
  },
  "POST /v1/securities/{id}/lift": {
    "isRepeatable": true
  },
  "POST /v1/securities/{id}/agent": {
    "isRepeatable": true
  },
  "PATCH /v1/securities/{id}/restrictions": {
    "isRepeatable": true
  }
};
