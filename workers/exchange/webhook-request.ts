import type { AppContext } from '../middleware/app-env.ts';

/** Headers are described, and judged with the signature: a request without them is not signed. */
const header = (name: string, description: string) => ({
  in: 'header' as const,
  name,
  required: true,
  schema: { type: 'string' as const },
  description,
});

/** Of a request after the Standard Webhooks pattern. */
export const WEBHOOK_HEADERS = [
  header('webhook-id', 'The id of the event.'),
  header('webhook-timestamp', 'Unix seconds of this sending, within five minutes of our time.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, of the body’s bytes as sent; several are separated by spaces.',
  ),
];

/** A webhook as it came. */
export async function webhookOf(c: AppContext) {
  return {
    headers: {
      id: c.req.header('webhook-id') ?? null,
      timestamp: c.req.header('webhook-timestamp') ?? null,
      signature: c.req.header('webhook-signature') ?? null,
    },
    body: await c.req.arrayBuffer(),
  };
}
