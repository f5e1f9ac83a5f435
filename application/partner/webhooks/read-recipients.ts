import type { z } from 'zod';
import { database } from '../../../data/database.ts';
import { receivingEndpoints } from '../../../data/webhooks/subscriptions.ts';
import { type EventBody, webhookEndpointOf } from '../../../durable-objects/webhook-endpoint/api.ts';
import type { Recipient } from '../../../protocol/partner/fields.ts';
import { askAgain } from '../../objects/ask-again.ts';

export type ToldRecipient = z.infer<typeof Recipient>;

/**
 * Who is told of a trade, and whether they have taken it by now: its message says of nobody that they have, since it was made before. Null for an event that names nobody.
 * At most four organizations of ten endpoints each are asked.
 */
export async function readRecipients(
  env: Pick<Env, 'DB' | 'WEBHOOK_ENDPOINT'>,
  { eventId, payload }: Pick<EventBody, 'eventId' | 'payload'>,
  now: number,
): Promise<readonly ToldRecipient[] | null> {
  const { webhook_event: head } = JSON.parse(payload) as {
    readonly webhook_event?: { readonly event_id: string; readonly recipients?: readonly ToldRecipient[] };
  };
  // A sample of a test names people that are not there.
  if (head?.recipients === undefined || head.event_id !== eventId) return null;
  const organizations = head.recipients.map(({ recipient_id }) => recipient_id);
  const endpoints = await receivingEndpoints(database(env.DB), organizations, now);
  const taken = new Map<string, number>();
  await Promise.all(
    endpoints.map(async ({ id, organization }) => {
      const at = await askAgain(() => webhookEndpointOf(env, id).deliveredAt(eventId));
      if (at !== null) taken.set(organization, Math.min(at, taken.get(organization) ?? at));
    }),
  );
  return head.recipients.map((recipient) => {
    const at = taken.get(recipient.recipient_id);
    if (at === undefined) return recipient;
    return { ...recipient, delivery_status: 'delivered', delivered_at: new Date(at).toISOString() };
  });
}
