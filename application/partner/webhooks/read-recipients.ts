import type { z } from 'zod';
import { database } from '../../../data/database.ts';
import { receivingEndpoints } from '../../../data/webhooks/subscriptions.ts';
import { type EventBody, TEST_TYPE } from '../../../durable-objects/webhook-endpoint/api.ts';
import { takenTrades } from '../../../durable-objects/webhook-sending/taken-trades.ts';
import type { Recipient } from '../../../protocol/partner/fields.ts';

export type ToldRecipient = z.infer<typeof Recipient>;

/**
 * Who is told of a trade, and whether they have taken it by now, of the trade's own message and of those of its settlement, which were made before. Null for an event that names nobody.
 * At most four organizations of ten endpoints each are asked.
 */
export async function readRecipients(
  env: Pick<Env, 'DB' | 'WEBHOOK_ENDPOINT'>,
  { eventId, type, payload }: EventBody,
  now: number,
): Promise<readonly ToldRecipient[] | null> {
  // A sample names people that are not there.
  if (type === TEST_TYPE) return null;
  const { webhook_event: head, trade_id: tradeId = eventId } = JSON.parse(payload) as {
    readonly webhook_event?: { readonly recipients?: readonly ToldRecipient[] };
    readonly trade_id?: string;
  };
  if (head?.recipients === undefined) return null;
  const organizations = head.recipients.map(({ recipient_id }) => recipient_id);
  const endpoints = await receivingEndpoints(database(env.DB), organizations, now);
  const told = new Map(organizations.map((organization) => [organization, [tradeId]]));
  const taken = (await takenTrades(env, endpoints, told)).get(tradeId) ?? new Map<string, number>();
  return head.recipients.map((recipient) => {
    const at = taken.get(recipient.recipient_id);
    if (at === undefined) return recipient;
    return { ...recipient, delivery_status: 'delivered', delivered_at: new Date(at).toISOString() };
  });
}
