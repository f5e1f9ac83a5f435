import type { Attempt } from '../../domain/webhooks/attempt.ts';
import { errorOfStatus } from '../../domain/webhooks/attempt.ts';
import { retryAtOf } from '../../domain/webhooks/retry-schedule.ts';
import { signMessage } from '../../domain/webhooks/sign-message.ts';

const ANSWER_WAIT_MS = 10_000;
/** An answer counts by its status; its body is read for the log, so long and so much of it. */
const BODY_WAIT_MS = 1_000;
const BODY_BYTES_MAX = 4_096;
const RESPONSE_CHARACTERS_MAX = 512;

/** What is sent once. */
export interface Sending {
  readonly url: string;
  /** `whsec_…`: the one in use, and the one before while it still signs. */
  readonly secrets: readonly string[];
  /** Those that the owner wants, which are none of ours. */
  readonly headers: Readonly<Record<string, string>>;
  readonly eventId: string;
  /** Null for what is sent beside what waits. */
  readonly sequence: number | null;
  readonly isTest: boolean;
  readonly payload: string;
}

/** Sends a message signed by the Standard Webhooks pattern, and reads what comes of it. Follows no redirect. */
export async function send({
  url,
  secrets,
  headers: own,
  eventId,
  sequence,
  isTest,
  payload,
}: Sending): Promise<Attempt> {
  const at = Math.floor(Date.now() / 1_000);
  const headers = {
    ...own,
    'content-type': 'application/json',
    'user-agent': 'edge-exchange-webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(at),
    'webhook-signature': secrets.map((secret) => signMessage(secret, eventId, at, payload)).join(' '),
    ...(sequence === null ? {} : { 'webhook-sequence': String(sequence) }),
    ...(isTest ? { 'webhook-test': 'true' } : {}),
  };
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), ANSWER_WAIT_MS);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body: payload,
      redirect: 'manual',
      signal: ending.signal,
    });
    const response = provesReceipt(answer, eventId) ? await beginningOf(answer.body) : mediaTypeOf(answer);
    if (!answer.bodyUsed) answer.body?.cancel().catch(() => undefined);
    const retryAt = retryAtOf(answer.headers.get('retry-after'), Date.now());
    return { status: answer.status, error: errorOfStatus(answer.status), response, retryAt };
  } catch {
    return { status: null, error: ending.signal.aborted ? 'timeout' : 'unreachable', response: null };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Nothing else proves that who answers is the partner's: a name may stand for a host of somebody else, which would be read here. Whoever means to be
 * read says the id of the message, as a receiver of webhooks alone does.
 */
function provesReceipt(answer: Response, eventId: string): boolean {
  return answer.headers.get('webhook-id') === eventId;
}

/** Such as `text/html`; '' where it says none, or something else. */
function mediaTypeOf(answer: Response): string {
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
  return MEDIA_TYPE.test(type.trim()) ? type.trim().toLowerCase() : '';
}

/** The names of RFC 6838, section 4.2, and no longer than any that is registered. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,40}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,80}$/i;

/** What an answer says, as far as the log keeps it. A body that does not come, or never ends, changes nothing of its status. */
async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), BODY_WAIT_MS);
  });
  try {
    while (bytes < BODY_BYTES_MAX) {
      const part = await Promise.race([reader.read(), over]);
      if (part === null || part.done) break;
      bytes += part.value.byteLength;
      text += decoder.decode(part.value, { stream: true });
    }
  } catch {
    // Cut off: what came is kept.
  } finally {
    clearTimeout(timer);
    // Not awaited: a receiver that hangs would keep it.
    reader.cancel().catch(() => undefined);
  }
  return text.slice(0, RESPONSE_CHARACTERS_MAX);
}
