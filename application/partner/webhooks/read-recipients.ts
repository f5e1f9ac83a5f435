import type { z } from 'zod';
import { database } from '../../../data/database.ts';
import { receivingEndpoints } from '../../../data/webhooks/subscriptions.ts';
import { type EventBody, TEST_TYPE, webhookEndpointOf } from '../../../durable-objects/webhook-endpoint/api.ts';
import type { Recipient } from '../../../protocol/partner/fields.ts';
import { askAgain } from '../../objects/ask-again.ts';

/** How long an endpoint's object may take to say so. */
const ASKED_MS_MAX = 1_000;

export type ToldRecipient = z.infer<typeof Recipient>;

/**
 * Who is told of a trade, and whether they have taken it by now: its message says of nobody that they have, since it was made before. Null for an event that names nobody.
 * At most four organizations of ten endpoints each are asked.
 */
export async function readRecipients(
  env: Pick<Env, 'DB' | 'WEBHOOK_ENDPOINT'>,
  { eventId, type, payload }: EventBody,
  now: number,
): Promise<readonly ToldRecipient[] | null> {
  // A sample names people that are not there.
  if (type === TEST_TYPE) return null;
  const { webhook_event: head } = JSON.parse(payload) as {
    readonly webhook_event?: { readonly recipients?: readonly ToldRecipient[] };
  };
  if (head?.recipients === undefined) return null;
  const organizations = head.recipients.map(({ recipient_id }) => recipient_id);
  const endpoints = await receivingEndpoints(database(env.DB), organizations, now);
  const taken = new Map<string, number>();
  await Promise.all(
    endpoints.map(async ({ id, organization }) => {
      const at = await deliveredAt(env, id, eventId);
      if (at !== null) taken.set(organization, Math.min(at, taken.get(organization) ?? at));
    }),
  );
  return head.recipients.map((recipient) => {
    const at = taken.get(recipient.recipient_id);
    if (at === undefined) return recipient;
    return { ...recipient, delivery_status: 'delivered', delivered_at: new Date(at).toISOString() };
  });
}

/** Null where that is not known in time: it is then as the message says, and others' objects hold up nobody. */
async function deliveredAt(env: Pick<Env, 'WEBHOOK_ENDPOINT'>, id: string, eventId: string): Promise<number | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ASKED_MS_MAX);
  });
  try {
    return await Promise.race([askAgain(() => webhookEndpointOf(env, id).deliveredAt(eventId)), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
