import { database } from '../../data/database.ts';
import { findMarket } from '../../data/markets/markets.ts';
import { findPrimeEvent, recordPrimeEvent } from '../../data/prime/prime-events.ts';
import { marketSymbol } from '../../domain/markets/market-symbol.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import { brokerEventOf, type PrimeEvent, primeEventOf, type UnreadableEvent } from '../../domain/prime/prime-event.ts';
import { signedWebhookOf, type WebhookHeaders, type WebhookHeadersError } from '../../domain/prime/webhook-headers.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { isSignedWebhook, webhookSecretsOf } from '../../durable-objects/broker/webhook-hmac.ts';
import { log } from '../../durable-objects/log/log.ts';
import { orderBookOf } from '../../durable-objects/order-book/api.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { describeBug } from '../log/describe-bug.ts';

/** A webhook as it came. */
export interface ReceivedWebhook {
  readonly headers: WebhookHeaders;
  readonly body: ArrayBuffer;
}

export type WebhookFailure =
  | { readonly reason: 'not_signed'; readonly detail: WebhookHeadersError | 'wrong_signature' }
  | Extract<UnreadableEvent, { reason: 'malformed' }>
  /** The event came before, with another body. */
  | { readonly reason: 'other_body'; readonly id: string }
  /** Its book cannot take it now: it is to come again. */
  | { readonly reason: 'unavailable' };

/** `taken`: a book has it on disk. `known`: it came before. `kept`: it is of no market here, and people look at it. */
export type ReceivedEvent = 'taken' | 'known' | 'kept';

/** Whether the prime broker has sent a webhook: nothing of it is read before that is known. */
export async function verifyWebhook(
  env: Pick<Env, 'PRIME_WEBHOOK_SECRETS'>,
  { headers, body }: ReceivedWebhook,
  now_ms = Date.now(),
): Promise<Result<null, WebhookFailure>> {
  const signed = signedWebhookOf(headers, now_ms);
  if (!signed.ok) return err({ reason: 'not_signed', detail: signed.error });
  const isRight = await isSignedWebhook(
    webhookSecretsOf(env.PRIME_WEBHOOK_SECRETS),
    signed.value,
    new Uint8Array(body),
  );
  return isRight ? ok(null) : err({ reason: 'not_signed', detail: 'wrong_signature' });
}

/**
 * Has the book of its coin take an event of the prime broker, once for its id (docs/design/prime.md#the-webhook). `ok` says that it is durable:
 * journaled in the book, or kept for people. An event of an order that the book does not know is a break of the book.
 */
export async function receivePrimeEvent(
  env: Env,
  { headers, body }: ReceivedWebhook,
  now_ms = Date.now(),
): Promise<Result<ReceivedEvent, WebhookFailure>> {
  const text = new TextDecoder().decode(body);
  const read = primeEventOf(jsonOf(text));
  const id = read.ok ? read.value.id : read.error.reason === 'unknown_type' ? read.error.id : null;
  if (id === null || id !== headers.id) {
    const field = !read.ok && read.error.reason === 'malformed' ? read.error.field : 'id';
    log('error', 'the prime broker sends what cannot be read', { event: headers.id, field });
    return err({ reason: 'malformed', field });
  }
  const db = database(env.DB);
  const digest = await sha256Hex(body);
  const before = await findPrimeEvent(db, id);
  if (before !== null) return sameAs(before, digest, id, 'known');

  const unclaimed = read.ok ? await tellBook(env, read.value) : `it is of type ${typeOf(read.error)}`;
  if (unclaimed === 'unavailable') return err({ reason: 'unavailable' });
  if (unclaimed !== null) log('error', 'no book takes an event of the prime broker', { event: id, reason: unclaimed });
  const kept = unclaimed === null ? null : { reason: unclaimed, body: text };
  const recorded = await recordPrimeEvent(db, { id, digest, receivedAt: now_ms, unclaimed: kept });
  return sameAs(recorded, digest, id, kept === null ? 'taken' : 'kept');
}

/** Null once the book has it on disk; else why there is none that could. */
async function tellBook(env: Env, event: PrimeEvent): Promise<string | null> {
  const symbol = marketSymbol(event.symbol, CASH_SYMBOL, 'prime');
  if ((await findMarket(database(env.DB), symbol)) === null) return `there is no market of ${event.symbol}`;
  try {
    return (await orderBookOf(env, symbol).tellOfBroker([brokerEventOf(event)])) ? null : 'unavailable';
  } catch (error) {
    log('warn', 'a book did not take an event of the prime broker', { book: symbol, ...describeBug(error) });
    return 'unavailable';
  }
}

function sameAs(
  recorded: string,
  digest: string,
  id: string,
  outcome: ReceivedEvent,
): Result<ReceivedEvent, WebhookFailure> {
  if (recorded === digest) return ok(outcome);
  log('error', 'the prime broker tells one event in two ways', { event: id });
  return err({ reason: 'other_body', id });
}

function typeOf(error: UnreadableEvent): string {
  return error.reason === 'unknown_type' ? error.type : '';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
