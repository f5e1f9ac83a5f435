/** Written by scripts/sdk/api-types.ts from the OpenAPI document of profile book. */
import type { Operations } from '../wire/operations.ts';

export const bookOperations: Operations = {
  "POST /v1/orders": {
    "isRepeatable": true,
    "numbers": [
      "display_size",
      "expires_at",
      "price",
      "size",
      "stop_price"
    ]
  },
  "DELETE /v1/orders": {
    "isRepeatable": true
  },
  "POST /v1/orders/batch": {
    "isRepeatable": true,
    "numbers": [
      "orders.*.display_size",
      "orders.*.expires_at",
      "orders.*.price",
      "orders.*.size",
      "orders.*.stop_price"
    ]
  },
  "DELETE /v1/orders/batch": {
    "isRepeatable": true
  },
  "POST /v1/orders/preview": {
    "numbers": [
      "display_size",
      "expires_at",
      "price",
      "size",
      "stop_price"
    ]
  },
  "POST /v1/orders/cancel-after": {
    "numbers": [
      "timeout_ms"
    ]
  },
  "PATCH /v1/orders/{order_id}": {
    "isRepeatable": true,
    "numbers": [
      "price",
      "size",
      "stop_price"
    ]
  },
  "DELETE /v1/orders/{order_id}": {
    "isRepeatable": true
  },
  "DELETE /v1/orders/client/{client_order_id}": {
    "isRepeatable": true
  }
};
