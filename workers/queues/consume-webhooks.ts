import { z } from 'zod';
import { Carriage, carryMessages } from '../../application/partner/webhooks/carry-messages.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type WebhookPointer, webhookEndpointOf } from '../../durable-objects/webhook-endpoint/api.ts';

/** How long a batch waits for its receivers: what is under way then goes on beside the next batch. */
const BATCH_MS_MAX = 1_000;
/** Until an object that did not answer is asked again. */
const RETRY_S = 5;

const Pointer: z.ZodType<WebhookPointer> = z.strictObject({ endpoint: z.uuid(), sequence: z.int().positive() });

/**
 * Consumes `webhooks`: a message says that one of an endpoint is due. The endpoint's object gives it out, unless it is no longer due, and is told what came of it. So a message of
 * the Queue may come twice or late, and one that is lost is sent again by the object.
 */
export async function consumeWebhooks(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  const endpoints = byEndpoint(batch);
  const carriage = new Carriage(endpoints.size);
  const carrying = [...endpoints].map(([endpoint, messages]) => consume(endpoint, messages, env, carriage));
  const all = Promise.all(carrying);
  ctx.waitUntil(all);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, BATCH_MS_MAX);
  });
  await Promise.race([all, late]);
  clearTimeout(timer);
}

function byEndpoint({ messages }: MessageBatch): ReadonlyMap<string, Message[]> {
  const groups = new Map<string, Message[]>();
  for (const message of messages) {
    const read = Pointer.safeParse(message.body);
    if (!read.success) {
      log('error', 'a message of webhooks is malformed', { id: message.id });
      continue;
    }
    const { endpoint } = read.data;
    groups.set(endpoint, [...(groups.get(endpoint) ?? []), message]);
  }
  return groups;
}

async function consume(endpoint: string, messages: readonly Message[], env: Env, carriage: Carriage): Promise<void> {
  try {
    const sequences = messages.map(({ body }) => (body as WebhookPointer).sequence);
    const given = await webhookEndpointOf(env, endpoint).take(sequences);
    if (given !== null) await carryMessages(env, endpoint, given, carriage);
  } catch (error) {
    // What was not noted is sent again by the object. One that did not answer may be lost with what it was to carry.
    const reason = error instanceof Error ? error.message : String(error);
    log('warn', 'messages of a webhook endpoint were not carried', { endpoint, reason });
    for (const message of messages) message.retry({ delaySeconds: RETRY_S });
  }
}
