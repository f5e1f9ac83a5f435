import { findVerificationEvent, recordVerificationEvent } from '../../data/accounts/accreditation-verifications.ts';
import { database } from '../../data/database.ts';
import { findIdentityOfHeld } from '../../data/onboarding/held-approvals.ts';
import {
  findIdentityOfFormer,
  findIdentityOfSubmission,
  type IdentityRow,
  noteIdentityAsked,
} from '../../data/onboarding/identities.ts';
import { readIdentityFinding, type ToldIdentityFinding } from '../../domain/onboarding/identity-verification.ts';
import { signedWebhookOf, type WebhookHeaders } from '../../domain/prime/webhook-headers.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { isSignedWebhook, webhookSecretsOf } from '../../durable-objects/broker/webhook-hmac.ts';
import { log } from '../../durable-objects/log/log.ts';
import type { CallbackFailure } from '../accreditation/receive-finding.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { identityProviderOf } from './identity-provider-of.ts';
import { takeIdentityFinding } from './verify-identity.ts';

interface Callback {
  readonly headers: WebhookHeaders;
  readonly body: ArrayBuffer;
}

/** Whether the provider has sent it: nothing of it is read before that is known. */
export async function verifyIdentityCallback(
  env: Pick<Env, 'IDENTITY_WEBHOOK_SECRETS'>,
  { headers, body }: Callback,
): Promise<Result<null, CallbackFailure>> {
  const signed = signedWebhookOf(headers, Date.now());
  if (!signed.ok) return err({ reason: 'not_signed', detail: signed.error });
  const secrets = webhookSecretsOf(env.IDENTITY_WEBHOOK_SECRETS);
  const isRight = await isSignedWebhook(secrets, signed.value, new Uint8Array(body));
  return isRight ? ok(null) : err({ reason: 'not_signed', detail: 'wrong_signature' });
}

/** Takes what a provider tells by itself, once for its event. `ok` says that the identity stands as told, or stricter. */
export async function receiveIdentityFinding(
  env: Env,
  { headers, body }: Callback,
): Promise<Result<null, CallbackFailure>> {
  const told = readCallback(body);
  if (told === null || told.id !== headers.id) return err({ reason: 'malformed' });
  const { id, externalId, reference, finding } = told;
  const db = database(env.DB);
  // Ids of events of another provider are a space of their own.
  const event = `identity:${id}`;
  const hash = await sha256Hex(body);
  const before = await findVerificationEvent(db, event);
  if (before !== null) return before === hash ? ok(null) : otherBody(id);
  const held = await findIdentityOfHeld(db, externalId);
  if (held !== null) return receiveOfHeld(env, held, { event, hash, told });
  const row = await findIdentityOfSubmission(db, externalId);
  if (row === null) return receiveOfFormer(env, { event, hash, told });
  const isOther = row.reference !== null && row.reference !== reference;
  // It is signed with a secret of the provider that is asked now, which may not speak for a former one.
  if (isOther || row.provider !== identityProviderOf(env)?.name) return unknownVerification(id);
  if (row.reference === null) await noteIdentityAsked(db, externalId, row.askedAt, reference);
  if (!(await takeIdentityFinding(env, { id: row.id, submission: externalId }, finding)))
    return err({ reason: 'unavailable' });
  return recordEvent(env, { event, hash, told });
}

interface Told {
  /** Under which the event is kept. */
  readonly event: string;
  readonly hash: string;
  readonly told: ToldByEvent;
}

/** Of an approval of before, while its renewal is decided on: it may end by what is found of it now. */
async function receiveOfHeld(env: Env, held: IdentityRow, received: Told): Promise<Result<null, CallbackFailure>> {
  const { id, externalId, reference, finding } = received.told;
  const isOther = held.heldReference !== null && held.heldReference !== reference;
  if (isOther || held.heldProvider !== identityProviderOf(env)?.name) return unknownVerification(id);
  if (!(await takeIdentityFinding(env, { id: held.id, submission: externalId }, finding)))
    return err({ reason: 'unavailable' });
  return recordEvent(env, received);
}

/** Of a handing in that another one has taken the place of: whoever it was may be on a list by now. */
async function receiveOfFormer(env: Env, received: Told): Promise<Result<null, CallbackFailure>> {
  const { id, externalId, finding } = received.told;
  const row = await findIdentityOfFormer(database(env.DB), externalId);
  if (row === null || row.provider !== identityProviderOf(env)?.name) return unknownVerification(id);
  if (!(await takeIdentityFinding(env, { id: row.id, submission: externalId }, finding)))
    return err({ reason: 'unavailable' });
  return recordEvent(env, received);
}

async function recordEvent(env: Env, { event, hash, told }: Told): Promise<Result<null, CallbackFailure>> {
  const db = database(env.DB);
  await recordVerificationEvent(db, { id: event, hash, at: Date.now() });
  return (await findVerificationEvent(db, event)) === hash ? ok(null) : otherBody(told.id);
}

function unknownVerification(id: string): Result<null, CallbackFailure> {
  log('error', 'an identity provider tells of somebody that it was not asked about', { event: id });
  return err({ reason: 'unknown_verification' });
}

function otherBody(id: string): Result<null, CallbackFailure> {
  log('error', 'an identity provider tells one event in two ways', { event: id });
  return err({ reason: 'other_body', id });
}

interface ToldByEvent extends ToldIdentityFinding {
  readonly id: string;
  /** Our id of the handing in. */
  readonly externalId: string;
}

/** `{type: 'identity.decided', id, externalId, identity}`; null for anything else. */
function readCallback(body: ArrayBuffer): ToldByEvent | null {
  const event = jsonOf(new TextDecoder().decode(body));
  if (event?.type !== 'identity.decided') return null;
  const { id, externalId } = event;
  const told = readIdentityFinding(event.identity);
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
