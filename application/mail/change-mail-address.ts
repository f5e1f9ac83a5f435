import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import {
  addressChangeContext,
  askForAddressChange,
  confirmAddressChange,
  doneWith,
  emailWrite,
  findOpenAddressChange,
  lapseAddressChange,
  listDueAddressChanges,
  type MailAddressChange,
  putOffAddressChange,
  stopAddressChange,
  takeAddressTry,
  takesEffect,
} from '../../data/identity/mail-address-changes.ts';
import { openSecret, sealSecret } from '../../data/identity/sealed-secret.ts';
import { signInEntry } from '../../data/identity/sign-ins.ts';
import { mailMessage } from '../../data/mail/mail-messages.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { ADDRESS_CHANGE_WAIT_MS } from '../../domain/mail/address-change.ts';
import { addressIdentity, maskedAddress } from '../../domain/mail/mail-address.ts';
import { MAIL_CODE_MS_MAX, mailAddressOf } from '../../domain/onboarding/sign-up.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { log } from '../../durable-objects/log/log.ts';
import type { FactorOwner } from '../identity/factors/own-factors.ts';
import { isEqual } from '../identity/is-equal.ts';
import { entryOf } from '../identity/sign-ins/record-sign-in.ts';
import { describeBug } from '../log/describe-bug.ts';
import { confirmMailAddress } from './confirm-mail-address.ts';
import { heldMailAddress } from './known-mail-address.ts';
import { userOfMailAddress } from './mail-addresses.ts';
import { mailCodeHash, sixDigits, typedMailCode } from './mail-code.ts';
import { isMailCarried } from './mailers/mailer-of.ts';
import { carryMail, mailRow, messageOf, postMail } from './post-mail.ts';

/** Of one run; the next goes on. */
const CHANGES_PER_RUN = 100;
const ADDRESS_CHANGE_RETRY_MS = 60 * MINUTE_MS;

type AskRefusal = 'malformed' | 'same' | 'limited' | 'unavailable';

/**
 * A user asks for another mail address: a code goes there. To one that is somebody's goes a mail that says so in its place, and no code is good: whoever asks sees no difference. Nothing
 * changes before the code is shown.
 */
export async function askForAddress(
  env: Env,
  { session, caller, language }: FactorOwner,
  written: string,
): Promise<Result<null, AskRefusal>> {
  if (!isMailCarried(env)) return err('unavailable');
  const address = mailAddressOf(written);
  if (address === null) return err('malformed');
  const db = database(env.DB);
  const { userId, hash: browser, method, createdAt: signedInAt } = session;
  const held = await heldMailAddress(env, userId);
  // One that does not open is held, and may be any: who knows its code reads the other one.
  if (held?.address != null && addressIdentity(held.address) === addressIdentity(address)) return err('same');
  const id = uuidv7();
  const now = Date.now();
  const code = sixDigits();
  const [codeHash, owner] = await Promise.all([
    mailCodeHash(env, { id, mail: address, code }),
    userOfMailAddress(env, address),
  ]);
  const change = {
    id,
    userId,
    addressSealed: await sealSecret(address, env.IAM_KEY_ENCRYPTION_KEY, addressChangeContext(id)),
    language,
    codeHash: owner === null ? codeHash : '',
    codeExpiresAt: now + MAIL_CODE_MS_MAX,
    browser,
    method,
    signedInAt,
    askedAt: now,
  };
  const mailed = await messageOf(env, {
    id: `address-${id}`,
    userId: null,
    to: address,
    kind: owner === null ? 'mail_confirm' : 'address_in_use',
    language,
    facts:
      owner === null ? { code, minutes: String(MAIL_CODE_MS_MAX / MINUTE_MS) } : { at: new Date(now).toISOString() },
  });
  const entry = await entryOf({ userId, type: 'address_change_asked', caller }, env);
  if (!(await askForAddressChange(db, change, (when) => mailMessage(mailed, when), entry))) return err('limited');
  await carryMail(env, [mailed.id]);
  return ok(null);
}

/** Where a change stands, as its person sees it. */
export interface AddressChange {
  readonly state: 'asked' | 'waiting';
  /** Masked where the session is not fresh; null where no stated key opens it. */
  readonly address: string | null;
  /** When it takes effect; null before its code was shown. */
  readonly dueAt: number | null;
}

interface OwnAddress {
  /** Masked; null where none is confirmed, or no stated key opens it. */
  readonly address: string | null;
  readonly isClosed: boolean;
  readonly change: AddressChange | null;
}

/** What the page says of a user's address: what does not open is said to be so, and can be stopped still. */
export async function ownAddress(
  env: Env,
  userId: string,
  { isFresh }: { readonly isFresh: boolean },
): Promise<OwnAddress> {
  const db = database(env.DB);
  const held = await heldMailAddress(env, userId);
  const address = held?.address == null ? null : maskedAddress(held.address);
  const isClosed = held !== null && held.address === null;
  const open = await findOpenAddressChange(db, userId, Date.now());
  if (open === null) return { address, isClosed, change: null };
  let other: string | null = null;
  try {
    const opened = await openAddress(env, open);
    other = isFresh ? opened : maskedAddress(opened);
  } catch (error) {
    log('error', 'no stated key opens the mail address that a user has asked for', describeBug(error));
  }
  const state = open.state === 'waiting' ? 'waiting' : 'asked';
  return { address, isClosed, change: { state, address: other, dueAt: open.dueAt } };
}

function openAddress(env: Env, { id, addressSealed }: MailAddressChange): Promise<string> {
  return openSecret(addressSealed, env.IAM_KEY_ENCRYPTION_KEY, addressChangeContext(id));
}

/**
 * A user shows the code that the other address was mailed. The one that they have is told, and the change waits for a day; where they have none it takes effect at once. A try counts
 * before anything is compared.
 */
export async function confirmAddress(
  env: Env,
  { session: { userId } }: FactorOwner,
  written: string,
): Promise<'wrong' | 'waits' | 'done'> {
  const code = typedMailCode(written);
  const db = database(env.DB);
  const now = Date.now();
  const change = await findOpenAddressChange(db, userId, now);
  if (code === null || change === null) return 'wrong';
  const good = await takeAddressTry(db, change.id, now);
  const address = await openAddress(env, change).catch((error: unknown) => {
    log('error', 'no stated key opens the mail address that a user has asked for', describeBug(error));
    return null;
  });
  if (address === null) return 'wrong';
  const codeHash = await mailCodeHash(env, { id: change.id, mail: address, code });
  if (good === null || !isEqual(good, codeHash)) return 'wrong';
  const held = await heldMailAddress(env, userId);
  const dueAt = held === null ? now : now + ADDRESS_CHANGE_WAIT_MS;
  const id = `address_change_waits:${change.id}`;
  const facts = { address: maskedAddress(address), until: new Date(dueAt).toISOString() };
  // Of who has no address nobody is told.
  const told = { id, userId, to: null, kind: 'address_change_waits', language: change.language, facts } as const;
  if (!(await confirmAddressChange(db, { id: change.id, codeHash, dueAt }, (when) => mailRow(env, told, when))))
    return 'wrong';
  if (held !== null) {
    await carryMail(env, [id]);
    return 'waits';
  }
  return (await complete(env, { ...change, state: 'waiting', dueAt }, now)) ? 'done' : 'wrong';
}

/** Stops what is under way, by any browser of the user's: it keeps what is. */
export async function stopAddress(env: Env, { session: { userId }, caller }: FactorOwner): Promise<boolean> {
  const entry = await entryOf({ userId, type: 'address_change_stopped', caller }, env);
  return stopAddressChange(database(env.DB), userId, entry);
}

/** Every five minutes: addresses that have waited become those of their users. */
export async function completeAddressChanges(env: Env, now: number): Promise<void> {
  const db = database(env.DB);
  for (const change of await listDueAddressChanges(db, now, CHANGES_PER_RUN)) {
    try {
      await complete(env, change, now);
    } catch (error) {
      // It is tried again, and keeps back no other.
      log('error', 'the mail address of a user was not changed', { user: change.userId, ...describeBug(error) });
      await putOffAddressChange(db, change.id, now + ADDRESS_CHANGE_RETRY_MS);
    }
  }
}

/** Whole or not at all; what may not take effect lapses, so that it keeps back no other. */
async function complete(env: Env, change: MailAddressChange, now: number): Promise<boolean> {
  const { id, userId, language } = change;
  let address: string;
  try {
    address = await openAddress(env, change);
  } catch (error) {
    log('error', 'no stated key opens the mail address that a user has asked for', describeBug(error));
    await lapse(env, change, now);
    return false;
  }
  const entry = await entryOf({ userId, type: 'address_changed' }, env);
  const isDone = await confirmMailAddress(
    env,
    { userId, address, language },
    {
      when: takesEffect(change, now),
      ended: (isWritten) => [
        signInEntry(entry, isWritten),
        emailWrite(userId, address, isWritten),
        doneWith(id, now, isWritten),
      ],
    },
  );
  if (!isDone) await lapse(env, change, now);
  return isDone;
}

/** The person is told that they keep the address that they have. */
async function lapse(env: Env, { id, userId, language }: MailAddressChange, now: number): Promise<void> {
  await lapseAddressChange(database(env.DB), id, now);
  const facts = { at: new Date(now).toISOString() };
  await postMail(env, {
    id: `address_change_lapsed:${id}`,
    userId,
    to: null,
    kind: 'address_change_lapsed',
    language,
    facts,
  });
}
