import type { EventBody } from '../../durable-objects/webhook-endpoint/api.ts';
import type { AppContext } from '../middleware/app-env.ts';

/** A message as it was told, with where it is read now. */
export function listedBodyOf<Body extends { readonly webhook_event: object }>(
  c: AppContext,
  { payload }: EventBody,
): Body {
  const { webhook_event: head, ...rest } = JSON.parse(payload) as Body;
  const { origin, pathname } = new URL(c.req.url);
  return { webhook_event: { ...head, endpoint: origin + pathname }, ...rest } as unknown as Body;
}
