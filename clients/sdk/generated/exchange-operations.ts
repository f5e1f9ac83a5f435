/** Written by scripts/sdk/api-types.ts from the OpenAPI document of profile exchange. */
import type { Operations } from '../wire/operations.ts';

export const exchangeOperations: Operations = {
  "POST /v1/orders": {
    "isRepeatable": true,
    "numbers": [
      "limitPrice",
      "quantity"
    ]
  },
  "POST /v1/orders/preview": {
    "numbers": [
      "limitPrice",
      "quantity"
    ]
  },
  "PUT /v1/orders/{id}": {
    "isRepeatable": true,
    "numbers": [
      "limitPrice",
      "quantity",
      "stopPrice"
    ]
  },
  "DELETE /v1/orders/{id}": {
    "isRepeatable": true
  },
  "POST /v1/account/deposits": {
    "isRepeatable": true,
    "numbers": [
      "amount"
    ]
  },
  "POST /v1/account/withdrawals": {
    "isRepeatable": true,
    "numbers": [
      "amount"
    ]
  },
  "POST /v1/account/accreditation/attestations": {
    "isRepeatable": true
  },
  "POST /v1/account/accreditation/verifications": {
    "isRepeatable": true
  }
};
