import { type InferenceClient, inferenceClient } from '../../../application/events/inference/inference-client.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { tenancyOf } from '../tenancy.ts';

/** A client for a request, under the organization and tenant of its claims. */
export function inferenceOf(c: AppContext): InferenceClient {
  return inferenceClient(c.env, { requestId: c.get('requestId'), ...tenancyOf(c) });
}
