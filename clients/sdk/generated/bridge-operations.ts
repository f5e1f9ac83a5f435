/** Written by scripts/sdk/api-types.ts from the OpenAPI document of profile bridge. */
import type { Operations } from '../wire/operations.ts';

export const bridgeOperations: Operations = {
  "POST /api/v1/transfer/initiate": {
    "isRepeatable": true,
    "numbers": [
      "amount",
      "most_fee"
    ]
  }
};
