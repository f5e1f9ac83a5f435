import { database } from '../../../data/database.ts';
import { endSessions, findSession, listSessions, type SessionRow } from '../../../data/identity/sessions.ts';
import { findUser, type UserRow } from '../../../data/identity/users.ts';
import { hasPowerOver } from '../../../domain/identity/powers.ts';
import { sessionEnd } from '../../../domain/identity/session.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../../domain/identity/token-lifetime.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { invalidateUser } from '../invalidate-gates.ts';
import { type Actor, recordedUse } from '../recorded-use.ts';
import { recordRefusedPower } from '../refused-power.ts';
import { entryOf, recordSignIn } from '../sign-ins/record-sign-in.ts';
import { endGrant } from '../tokens/end-grant.ts';

const SESSIONS_MAX = 1_000;

/** Sessions of a user that are not over, with their ends by the roles of now: for themselves, and for whoever manages their credentials. */
export async function sessionsOf(env: Env, actor: Actor, userId: string): Promise<Result<SessionRow[], ApiError>> {
  const user = await managedUser(env, actor, userId, 'see sessions');
  if (user === null) return err(noSuchUser());
  const now = Date.now();
  const sessions = await listSessions(database(env.DB), userId, now, SESSIONS_MAX);
  const ends = sessions.map((session) => ({
    ...session,
    endsAt: Math.min(session.endsAt, sessionEnd(session.begunAt, user)),
  }));
  return ok(ends.filter(({ endsAt }) => endsAt > now));
}

/** Ends a session with every token that came of it, for the same people. One that is over stays so. */
export async function endSessionOf(env: Env, actor: Actor, id: string): Promise<Result<SessionRow, ApiError>> {
  const db = database(env.DB);
  const session = await findSession(db, id);
  const user = session === null ? null : await managedUser(env, actor, session.userId, `end session ${id}`);
  if (session === null || user === null) return err(apiError('NOT_FOUND', 'no such session'));
  const { userId } = session;
  const end = async (reason: string) => {
    await endSession(env, session, reason);
    return ok((await findSession(db, id)) ?? session);
  };
  if (isOwn(actor, user)) return end('by_user');
  const use = { actor, type: 'operator.session_ended', subject: userId, details: { session: id } };
  return recordedUse(env, use, () => end('by_manager'));
}

/** Ends a session of a person's own, as they ask by their browser. False where there is none. */
export async function endOwnSession(env: Env, userId: string, id: string): Promise<boolean> {
  const session = await findSession(database(env.DB), id);
  if (session === null || session.userId !== userId) return false;
  await endSession(env, session, 'by_user');
  return true;
}

/** Ends all of them, and every browser's. */
export async function endOwnSessions(env: Env, userId: string): Promise<void> {
  await endAll(env, userId, 'all_by_user');
}

async function endSession(env: Env, { id, userId, clientId, endedAt }: SessionRow, reason: string): Promise<void> {
  await endGrant({ family: id, userId }, env);
  if (endedAt === null) await recordSignIn(env, { userId, type: 'session_ended', reason, clientId, sessionId: id });
}

async function endAll(env: Env, userId: string, reason: string): Promise<void> {
  const now = Date.now();
  const entry = await entryOf({ userId, type: 'session_ended', reason }, env);
  await endSessions(database(env.DB), { userId, now, tokensExpireAt: now + ACCESS_TOKEN_LIFETIME_S * 1_000 }, entry);
  await invalidateUser(env, userId);
}

/** Ends every session of a user, the one that asks among them. API keys and machine clients go on: the kill switch ends these, too. */
export async function endSessionsOf(env: Env, actor: Actor, userId: string): Promise<Result<null, ApiError>> {
  const user = await managedUser(env, actor, userId, 'end sessions');
  if (user === null) return err(noSuchUser());
  const end = async (reason: string) => {
    await endAll(env, userId, reason);
    return ok(null);
  };
  if (isOwn(actor, user)) return end('all_by_user');
  const use = { actor, type: 'operator.sessions_ended', subject: userId, details: {} };
  return recordedUse(env, use, () => end('all_by_manager'));
}

/** The user, where they are who asks, or somebody whose credentials these manage; else null, and the attempt is written down. */
async function managedUser(env: Env, actor: Actor, userId: string, attempt: string): Promise<UserRow | null> {
  const user = await findUser(database(env.DB), userId);
  if (user === null || isOwn(actor, user) || hasPowerOver(actor.principal, 'manage_credentials', user.owner))
    return user;
  await recordRefusedPower(env, actor, { power: 'manage_credentials', attempt: `${attempt} of ${userId}` });
  return null;
}

function isOwn({ principal }: Actor, user: UserRow): boolean {
  return user.id === principal.userId && user.owner === principal.owner;
}

function noSuchUser(): ApiError {
  return apiError('NOT_FOUND', 'no such user');
}
