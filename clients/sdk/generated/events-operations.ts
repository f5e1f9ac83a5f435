/** Written by scripts/sdk/api-types.ts from the OpenAPI document of profile events. */
import type { Operations } from '../wire/operations.ts';

export const eventsOperations: Operations = {
  "POST /events": {
    "isRepeatable": true
  },
  "PUT /events/{id}/match-rule": {
    "numbers": [
      "match_margin",
      "match_threshold",
      "review_threshold"
    ]
  },
  "POST /rooms": {
    "isRepeatable": true,
    "numbers": [
      "capacity"
    ]
  },
  "POST /cameras": {
    "isRepeatable": true
  },
  "PUT /cameras/{id}/match-rule": {
    "numbers": [
      "match_margin",
      "match_threshold",
      "review_threshold"
    ]
  },
  "POST /events/{id}/invites": {
    "isRepeatable": true
  },
  "POST /timeline": {
    "isRepeatable": true
  },
  "POST /timeline/{entry_id}/void": {
    "isRepeatable": true
  },
  "POST /timeline/{entry_id}/restore": {
    "isRepeatable": true
  },
  "POST /attendees/{event_id}/{attendee_id}/merge": {
    "isRepeatable": true
  },
  "POST /reviews/{id}/confirm": {
    "isRepeatable": true
  },
  "POST /reviews/{id}/reject": {
    "isRepeatable": true
  },
  "POST /v1/faces": {
    "isRepeatable": true
  },
  "POST /register-attendee/{event_id}": {
    "isRepeatable": true
  },
  "POST /v1/enhance": {
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
  }
};
