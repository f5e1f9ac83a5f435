import {
  type AuthenticatorTransport,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { base64url } from 'jose';
import { z } from 'zod';
import { database } from '../../../data/database.ts';
import type { BrowserSession } from '../../../data/identity/browser-sessions.ts';
import { addPasskey, countPasskeyUse, findPasskey } from '../../../data/identity/factors.ts';
import { findUser, type UserRow } from '../../../data/identity/users.ts';
import { FACTOR_NAME_LENGTH_MAX } from '../../../domain/identity/factors.ts';
import { isOneLine } from '../../../domain/partner/one-line.ts';
import { hasUnseenInName } from '../../../domain/register/look-alike.ts';
import type { Caller } from '../caller.ts';
import { entryOf } from '../sign-ins/record-sign-in.ts';
import { type Ceremony, isChallenge, takeChallenge } from './challenge.ts';

/** ES256, EdDSA, RS256: what authenticators have. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const;
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** Of a text that a browser sends: an RSA key, and what a client adds of its own. */
export const CREDENTIAL_LENGTH_MAX = 16_000;
const part = (length: number) =>
  z
    .string()
    .min(1)
    .max(length)
    .regex(/^[A-Za-z0-9_-]+$/);
const shared = { id: part(1_400), rawId: part(1_400), type: z.literal('public-key') };
const Assertion = z.object({
  ...shared,
  response: z.object({ clientDataJSON: part(4_000), authenticatorData: part(2_000), signature: part(2_000) }),
});
const Registration = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: part(4_000),
    attestationObject: part(10_000),
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
});

/** Where passkeys are good: at the origin of the provider alone, under its host. */
export function relyingParty({ IAM_ISSUER }: Pick<Env, 'IAM_ISSUER'>): {
  readonly id: string;
  readonly origin: string;
} {
  const { hostname: id, origin } = new URL(IAM_ISSUER);
  return { id, origin };
}

/** @returns the active user whose passkey has answered the challenge, once; null for whatever does not hold */
export async function userOfPasskey(env: Env, ceremony: Ceremony, written: string): Promise<UserRow | null> {
  const credential = parsed(Assertion, written);
  if (credential === null) return null;
  const db = database(env.DB);
  const passkey = await findPasskey(db, credential.id);
  const user = passkey === null ? null : await findUser(db, passkey.userId);
  if (passkey === null || user === null || user.deactivatedAt !== null) return null;
  const { id, origin } = relyingParty(env);
  let challenge = '';
  const verified = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: async (signed) => {
      challenge = signed;
      return isChallenge(env, ceremony, signed);
    },
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: { id: passkey.id, publicKey: bytesOf(passkey.publicKey), counter: passkey.counter },
  }).catch(refused);
  if (!verified?.verified) return null;
  const { newCounter: counter } = verified.authenticationInfo;
  if (!(await takeChallenge(env, challenge))) return null;
  return (await countPasskeyUse(db, { id: passkey.id, counter, now: Date.now() })) ? user : null;
}

/** Adds the passkey that a browser has made for its person. @returns its name; null for whatever does not hold */
export async function enrolPasskey(
  env: Env,
  session: BrowserSession,
  { ceremony, written, name: called }: { readonly ceremony: Ceremony; readonly written: string; readonly name: string },
  caller: Caller,
): Promise<string | null> {
  const credential = parsed(Registration, written);
  if (credential === null) return null;
  const { id, origin } = relyingParty(env);
  let challenge = '';
  const transports = TRANSPORTS.filter((known) => credential.response.transports.includes(known));
  const verified = await verifyRegistrationResponse({
    response: {
      ...credential,
      response: { ...credential.response, transports: transports as AuthenticatorTransport[] },
      clientExtensionResults: {},
    },
    expectedChallenge: async (signed) => {
      challenge = signed;
      return isChallenge(env, ceremony, signed);
    },
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
  }).catch(refused);
  if (!verified?.verified || !(await takeChallenge(env, challenge))) return null;
  const { credential: made } = verified.registrationInfo;
  const { userId } = session;
  const entry = await entryOf({ userId, type: 'factor_added', reason: 'passkey', caller }, env);
  // What nobody can read names nothing.
  const wanted = called.trim().slice(0, FACTOR_NAME_LENGTH_MAX);
  const isName = isOneLine(wanted) && !hasUnseenInName(wanted);
  const name = isName ? wanted : (caller.device ?? 'Passkey');
  const passkey = {
    id: made.id,
    userId,
    publicKey: base64url.encode(made.publicKey),
    counter: made.counter,
    transports,
    name,
    createdAt: entry.at,
  };
  return (await addPasskey(database(env.DB), passkey, session, entry)) ? name : null;
}

/** The library throws for what does not hold, in words for developers: whoever asks is told that it does not. */
function refused(error: unknown): null {
  if (error instanceof Error) return null;
  throw error;
}

function parsed<T extends z.ZodType>(schema: T, text: string): z.output<T> | null {
  if (text.length > CREDENTIAL_LENGTH_MAX) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(base64url.decode(text));
}
