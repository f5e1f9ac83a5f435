import { signatureHeader, webhookPrefix } from '../../domain/prime/webhook-headers.ts';
import { signWebhook, webhookSecretsOf } from '../broker/webhook-hmac.ts';
import { log } from '../log/log.ts';
import type { Webhook } from './prime-records.ts';

const ANSWER_WAIT_MS = 10_000;
/** Nobody's secret: a webhook that is signed with it is refused. */
const WRONG_SECRET = 'whsec_d3Jvbmctc2VjcmV0LW9mLW5vYm9keS0wMDAwMDA=';

/** The Worker's own entry: what comes in there is a request as any from outside. */
interface Entry {
  fetch(request: Request): Promise<Response>;
}

/**
 * Sends a webhook to PRIME_WEBHOOK_URL, by way of this Worker's own entry, since the sandbox stands in it: a Worker that asks its own address over
 * the network does not reach itself on every kind of route. Whether it was taken.
 */
export async function sendWebhook(
  env: Pick<Env, 'PRIME_WEBHOOK_URL' | 'PRIME_WEBHOOK_SECRETS'>,
  ctx: DurableObjectState,
  { event, isMissigned }: Webhook,
): Promise<boolean> {
  const [secret] = isMissigned ? [WRONG_SECRET] : webhookSecretsOf(env.PRIME_WEBHOOK_SECRETS);
  if (secret === undefined || env.PRIME_WEBHOOK_URL === '') {
    log('warn', 'the sandbox prime broker cannot tell', { event: event.id, reason: 'no address or no secret' });
    return false;
  }
  const body = JSON.stringify(event);
  const { prefix, timestamp } = webhookPrefix(event.id, Date.now());
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureHeader(await signWebhook(secret, prefix, new TextEncoder().encode(body))),
  };
  const entry = ctx.exports.default as unknown as Entry;
  try {
    const signal = AbortSignal.timeout(ANSWER_WAIT_MS);
    const answer = await entry.fetch(new Request(env.PRIME_WEBHOOK_URL, { method: 'POST', headers, body, signal }));
    await answer.body?.cancel();
    return answer.ok;
  } catch (error) {
    log('warn', 'a webhook was not taken', { event: event.id, reason: String(error) });
    return false;
  }
}
