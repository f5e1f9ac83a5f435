import { type SQL, sql } from 'drizzle-orm';
import { isKnownDevice } from '../../data/identity/sign-ins.ts';
import { type Caller, placeOf } from '../identity/caller.ts';
import { mailRow } from './post-mail.ts';

interface NewSignIn {
  readonly userId: string;
  /** Of the sign-in; its mail's follows from it. */
  readonly signInId: string;
  readonly caller: Caller;
  readonly now: number;
}

/** Id of the mail that tells of a sign-in. */
export function newDeviceMailId(signInId: string): string {
  return `sign_in_new_device:${signInId}`;
}

/**
 * The statement that tells a person of a sign-in from a device and network that they have not signed in from within 90 days. It belongs in the batch that signs in, before the entry of
 * this sign-in is written.
 *
 * @param when condition of the batch under which the sign-in stands
 */
export async function newDeviceMail(
  env: Env,
  { userId, signInId, caller, now }: NewSignIn,
  when: SQL = sql`true`,
): Promise<SQL> {
  const place = await placeOf(userId, caller.clientAddress, env);
  const known = isKnownDevice({ userId, device: caller.device, place, now });
  const facts = { device: caller.device ?? '', place: caller.clientAddress, at: new Date(now).toISOString() };
  const mail = {
    id: newDeviceMailId(signInId),
    userId,
    to: null,
    kind: 'sign_in_new_device',
    language: 'en',
    facts,
  } as const;
  return mailRow(env, mail, sql`NOT ${known} AND ${when}`);
}
