import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import {
  type EndedApplication,
  endApplication,
  findEndedApplication,
  finishApplication,
  isApplicationAllowed,
  listConsentsOfClient,
  listUnfinishedApplications,
  readmitApplication,
} from '../../data/identity/ended-applications.ts';
import { findOAuthClient } from '../../data/identity/oauth-clients.ts';
import { findRegisteredClient } from '../../data/identity/registered-clients.ts';
import { isDocumentId } from '../../domain/identity/client-metadata.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { ownConsole } from '../console/console-client.ts';
import { endConsent } from '../identity/authorization/own-consents.ts';

/** Of one call and of one application in a run: each may end a key with its orders. */
const CONSENTS_PER_CALL = 10;
const CONSENTS_PER_RUN = 50;
const APPLICATIONS_PER_RUN = 10;

interface Word {
  readonly clientId: string;
  readonly reason: string;
}

/**
 * An operator ends an application that none has made, for everybody. From the first statement on it gets no token and nobody allows it anything. What people had allowed ends person by person,
 * with keys, orders and tokens: some of it in this call, the rest by a job.
 */
export async function endApplicationForAll(
  env: Env,
  { clientId, reason }: Word,
  action: OperatorAction,
): Promise<Result<EndedApplication, ApiError>> {
  const db = database(env.DB);
  if (ownConsole(env, clientId) !== null || (await findOAuthClient(db, clientId)) !== null)
    return err(apiError('CONFLICT', 'the client is one of the venue, which is revoked', { reason: 'client_of_venue' }));
  const now = Date.now();
  const isKnown =
    isDocumentId(clientId) ||
    (await findRegisteredClient(db, clientId, now)) !== null ||
    (await isApplicationAllowed(db, clientId)) ||
    (await findEndedApplication(db, clientId)) !== null;
  if (!isKnown) return err(apiError('NOT_FOUND', 'no such application'));
  if (!(await endApplication(db, { clientId, reason, now }, action)))
    return err(apiError('CONFLICT', 'the application has ended already'));
  await endConsentsOf(env, clientId, CONSENTS_PER_CALL, now);
  const ended = await findEndedApplication(db, clientId);
  return ended === null ? err(apiError('CONFLICT', 'the application was let in again meanwhile')) : ok(ended);
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
  for (const { clientId } of await listUnfinishedApplications(database(env.DB), APPLICATIONS_PER_RUN))
    isMore = (await endConsentsOf(env, clientId, CONSENTS_PER_RUN, now)) || isMore;
  return isMore;
}

/** Ends some of what people allow an application. What cannot be ended now waits for the next run. @returns whether there is more that can be */
async function endConsentsOf(env: Env, clientId: string, limit: number, now: number): Promise<boolean> {
  const db = database(env.DB);
  let failed = 0;
  for (const { id, userId } of await listConsentsOfClient(db, clientId, limit)) {
    if ((await endConsent(env, userId, id)).ok) continue;
    failed += 1;
    log('warn', 'what a person has allowed an ended application is not ended yet', { user: userId });
  }
  return !(await finishApplication(db, clientId, now)) && failed === 0;
}
