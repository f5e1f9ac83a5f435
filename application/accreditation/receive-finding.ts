import {
  deleteVerificationEvents,
  findVerification,
  findVerificationEvent,
  noteAsked,
  recordVerificationEvent,
} from '../../data/accounts/accreditation-verifications.ts';
import { database } from '../../data/database.ts';
import { readFinding, type ToldFinding } from '../../domain/accreditation/read-finding.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { signedWebhookOf, type WebhookHeaders, type WebhookHeadersError } from '../../domain/prime/webhook-headers.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { isSignedWebhook, webhookSecretsOf } from '../../durable-objects/broker/webhook-hmac.ts';
import { log } from '../../durable-objects/log/log.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { providerOf } from './provider-of.ts';
import { takeFinding } from './request-verification.ts';

interface Callback {
  readonly headers: WebhookHeaders;
  readonly body: ArrayBuffer;
}

export type CallbackFailure =
  | { readonly reason: 'not_signed'; readonly detail: WebhookHeadersError | 'wrong_signature' }
  | { readonly reason: 'malformed' }
  | { readonly reason: 'unknown_verification' }
  /** The event came before, with another body. */
  | { readonly reason: 'other_body'; readonly id: string }
  /** It is to come again. */
  | { readonly reason: 'unavailable' };

/** Whether the provider has sent it: nothing of it is read before that is known. */
export async function verifyCallback(
  env: Pick<Env, 'VERIFICATION_WEBHOOK_SECRETS'>,
  { headers, body }: Callback,
): Promise<Result<null, CallbackFailure>> {
  const signed = signedWebhookOf(headers, Date.now());
  if (!signed.ok) return err({ reason: 'not_signed', detail: signed.error });
  const secrets = webhookSecretsOf(env.VERIFICATION_WEBHOOK_SECRETS);
  const isRight = await isSignedWebhook(secrets, signed.value, new Uint8Array(body));
  return isRight ? ok(null) : err({ reason: 'not_signed', detail: 'wrong_signature' });
}

/**
 * Takes what a provider tells by itself, once for its event. `ok` says that the request stands as told, or stricter
 * (docs/design/compliance.md#verification-by-a-third-party).
 */
export async function receiveFinding(env: Env, { headers, body }: Callback): Promise<Result<null, CallbackFailure>> {
  const told = readCallback(body);
  if (told === null || told.id !== headers.id) return err({ reason: 'malformed' });
  const { id, externalId, reference, finding } = told;
  const db = database(env.DB);
  const hash = await sha256Hex(body);
  const before = await findVerificationEvent(db, id);
  if (before !== null) return before === hash ? ok(null) : otherBody(id);
  const request = await findVerification(db, externalId);
  const isOther = request !== null && request.reference !== null && request.reference !== reference;
  // It is signed with a secret of the provider that is asked now, which may not speak for a former one.
  const isOfOther = request !== null && request.provider !== providerOf(env)?.name;
  if (request === null || isOther || isOfOther) {
    log('error', 'a verification provider tells of a request that was not made to it', {
      event: id,
      verification: externalId,
    });
    return err({ reason: 'unknown_verification' });
  }
  // Whatever is told of it later is of this one.
  if (request.reference === null) await noteAsked(db, externalId, request.askedAt, reference);
  if (!(await takeFinding(env, request, finding))) return err({ reason: 'unavailable' });
  await recordVerificationEvent(db, { id, hash, at: Date.now() });
  return (await findVerificationEvent(db, id)) === hash ? ok(null) : otherBody(id);
}

function otherBody(id: string): Result<null, CallbackFailure> {
  log('error', 'a verification provider tells one event in two ways', { event: id });
  return err({ reason: 'other_body', id });
}

interface ToldByEvent extends ToldFinding {
  readonly id: string;
  /** Our id of the request. */
  readonly externalId: string;
}

/** `{type: 'verification.decided', id, externalId, verification}`; null for anything else. */
function readCallback(body: ArrayBuffer): ToldByEvent | null {
  const event = jsonOf(new TextDecoder().decode(body));
  if (event?.type !== 'verification.decided') return null;
  const { id, externalId } = event;
  const told = readFinding(event.verification);
  return typeof id !== 'string' || typeof externalId !== 'string' || told === null ? null : { id, externalId, ...told };
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

/** An event is known so long: what comes later is of a request that was decided before. */
const KNOWN_MS = 30 * DAY_MS;
const FORGOTTEN_MAX = 10_000;

/** Hourly: forgets callbacks of long ago. */
export function forgetFindings(env: Env, now = Date.now()): Promise<void> {
  return deleteVerificationEvents(database(env.DB), now - KNOWN_MS, FORGOTTEN_MAX);
}
