import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import {
  type EndedApplication,
  endApplication,
  findEndedApplication,
  finishApplication,
  isApplicationAllowed,
  listConsentsToEnd,
  listUnfinishedApplications,
  noteConsentsTried,
  readmitApplication,
} from '../../data/identity/ended-applications.ts';
import { findOAuthClient } from '../../data/identity/oauth-clients.ts';
import { findRegisteredClient } from '../../data/identity/registered-clients.ts';
import { isDocumentAddress } from '../../domain/identity/client-metadata.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { ownConsole } from '../console/console-client.ts';
import { endConsent } from '../identity/authorization/own-consents.ts';
import { describeBug } from '../log/describe-bug.ts';

/** Of one call and of one application in a run: each may end a key with its orders. */
const CONSENTS_PER_CALL = 10;
const CONSENTS_PER_RUN = 50;
const APPLICATIONS_PER_RUN = 10;

interface Word {
  readonly clientId: string;
  readonly reason: string;
}

/** What people had allowed, of one call. */
interface Ended {
  readonly ended: number;
  readonly failed: number;
}

/**
 * An operator ends an application that none has made, for everybody. From the first statement on it gets no token and nobody allows it anything. What people had allowed ends person by person,
 * with keys, orders and tokens: some of it in this call, the rest by a job. With a document go all of its origin: another path or query is no other application.
 *
 * @param inAdvance ends documents that nobody has allowed anything yet
 */
export async function endApplicationForAll(
  env: Env,
  { clientId, reason, inAdvance = false }: Word & { readonly inAdvance?: boolean | undefined },
  action: OperatorAction,
): Promise<Result<EndedApplication & Ended, ApiError>> {
  const db = database(env.DB);
  if (ownConsole(env, clientId) !== null || (await findOAuthClient(db, clientId)) !== null)
    return err(apiError('CONFLICT', 'the client is one of the venue, which is revoked', { reason: 'client_of_venue' }));
  const now = Date.now();
  const isDocument = isDocumentAddress(clientId, { isLocal: env.ENVIRONMENT === 'local' });
  const isKnown =
    (isDocument && inAdvance) ||
    (await findRegisteredClient(db, clientId, now)) !== null ||
    (await isApplicationAllowed(db, clientId)) ||
    (await findEndedApplication(db, clientId)) !== null;
  if (!isKnown) return err(apiError('NOT_FOUND', 'no such application'));
  if (!(await endApplication(db, { clientId, reason, now }, action)))
    return err(apiError('CONFLICT', 'the application has ended already'));
  const begun = await findEndedApplication(db, clientId);
  if (begun === null) return err(apiError('CONFLICT', 'the application was let in again meanwhile'));
  const { ended, failed } = await endConsentsOf(env, begun, CONSENTS_PER_CALL, now);
  return ok({ ...((await findEndedApplication(db, clientId)) ?? begun), ended, failed });
}

/** An operator lets people allow an application something again. */
export async function readmitForAll(
  env: Env,
  { clientId, reason }: Word,
  action: OperatorAction,
): Promise<Result<null, ApiError>> {
  const db = database(env.DB);
  if (await readmitApplication(db, { clientId, reason, now: Date.now() }, action)) return ok(null);
  const ended = await findEndedApplication(db, clientId);
  if (ended === null) return err(apiError('NOT_FOUND', 'no application of this id has ended'));
  return err(apiError('CONFLICT', 'what people had allowed it is still being ended'));
}

/** Every five minutes: what people had allowed ended applications ends. @returns whether there is more */
export async function endApplications(env: Env, now: number): Promise<boolean> {
  let isMore = false;
  for (const application of await listUnfinishedApplications(database(env.DB), APPLICATIONS_PER_RUN))
    isMore = (await endConsentsOf(env, application, CONSENTS_PER_RUN, now)).isMore || isMore;
  return isMore;
}

/** Ends some of what people allow an application. What cannot be ended now keeps back nothing behind it, and is tried again once the rest was. */
async function endConsentsOf(
  env: Env,
  application: EndedApplication,
  limit: number,
  now: number,
): Promise<Ended & { readonly isMore: boolean }> {
  const db = database(env.DB);
  const { clientId } = application;
  let failed = 0;
  const consents = await listConsentsToEnd(db, application, limit);
  for (const { id, userId } of consents) {
    if (await isConsentEnded(env, userId, id)) continue;
    failed += 1;
    log('warn', 'what a person has allowed an ended application is not ended yet', { user: userId });
  }
  const isPage = consents.length === limit;
  await noteConsentsTried(db, clientId, isPage ? (consents.at(-1) ?? null) : null);
  const isFinished = await finishApplication(db, application, now);
  return { ended: consents.length - failed, failed, isMore: isPage && !isFinished };
}

async function isConsentEnded(env: Env, userId: string, id: string): Promise<boolean> {
  try {
    return (await endConsent(env, userId, id)).ok;
  } catch (error) {
    log('error', 'what a person has allowed was not ended', describeBug(error));
    return false;
  }
}
