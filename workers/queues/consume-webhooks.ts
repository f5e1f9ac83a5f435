import { z } from 'zod';
import { Carriage, carryMessages } from '../../application/partner/webhooks/carry-messages.ts';
import { log } from '../../durable-objects/log/log.ts';
import {
  type GivenMessages,
  type WebhookPointer,
  webhookEndpointOf,
} from '../../durable-objects/webhook-endpoint/api.ts';
import { BatchesUnderWay } from './batches-under-way.ts';

/** Batches of an isolate that are under way at once. The next one begins as soon as this one's messages are given out, unless so many are. */
const BATCHES_AT_ONCE = 8;
/** How long a batch waits for its receivers at most where it waits: what is under way then goes on beside the next batch. */
const BATCH_MS_MAX = 1_000;
/** Until an object that did not answer is asked again. */
const RETRY_S = 5;

const Pointer: z.ZodType<WebhookPointer> = z.strictObject({ endpoint: z.uuid(), sequence: z.int().positive() });

const batchesUnderWay = new BatchesUnderWay();

/**
 * Consumes `webhooks`: a message says that one of an endpoint is due. The endpoint's object gives it out, unless it is no longer due, and is told what came of it. So a message of
 * the Queue may come twice or late, and one that is lost is sent again by the object. The Queue is kept waiting by the objects alone, and by receivers only where too many batches
 * are under way: a slow one holds up nobody else's.
 */
export async function consumeWebhooks(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  const endpoints = [...byEndpoint(batch)];
  const carriage = new Carriage(endpoints.length);
  const end = batchesUnderWay.begin(Date.now());
  const taking = endpoints.map(([endpoint, messages]) => take(endpoint, messages, env));
  const carrying = taking.map(async (given, at) => {
    const [endpoint = ''] = endpoints[at] ?? [];
    await carry(endpoint, await given, env, carriage);
  });
  const all = Promise.all(carrying).finally(end);
  ctx.waitUntil(all);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, BATCH_MS_MAX);
  });
  await Promise.race([batchesUnderWay.count > BATCHES_AT_ONCE ? all : Promise.all(taking), late]);
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

async function take(endpoint: string, messages: readonly Message[], env: Env): Promise<GivenMessages | null> {
  try {
    const sequences = messages.map(({ body }) => (body as WebhookPointer).sequence);
    return await webhookEndpointOf(env, endpoint).take(sequences);
  } catch (error) {
    // An object that did not answer may be lost with what it was to carry: it is called again.
    logNotCarried(endpoint, error);
    for (const message of messages) message.retry({ delaySeconds: RETRY_S });
    return null;
  }
}

async function carry(endpoint: string, given: GivenMessages | null, env: Env, carriage: Carriage): Promise<void> {
  try {
    if (given !== null) await carryMessages(env, endpoint, given, carriage);
  } catch (error) {
    // What was not noted is sent again by the object.
    logNotCarried(endpoint, error);
  }
}

function logNotCarried(endpoint: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  log('warn', 'messages of a webhook endpoint were not carried', { endpoint, reason });
}
