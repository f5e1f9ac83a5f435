import { uuidv7 } from 'uuidv7';
import { type OperatorAction, recordOperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { type Bearer, TokenEnded } from '../../data/identity/bearer.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import type { Result } from '../../domain/result.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';

/** Who does something, in which request. */
export interface Actor {
  readonly principal: Principal;
  /** What they came by, as the audit trail names it (`OperatorAction`). */
  readonly credential?: string | undefined;
  /** Of their access token, Unix seconds (`OperatorAction`). */
  readonly tokenIssuedAt?: number | undefined;
  readonly requestId: string;
}

/** An action of theirs for the audit trail, under an id of its own unless one is given. */
export function actionOf(
  { principal, credential, tokenIssuedAt, requestId }: Actor,
  id: string = uuidv7(),
): OperatorAction {
  return {
    id,
    actor: principal.userId,
    requestId,
    ...(credential === undefined ? {} : { credential }),
    ...(tokenIssuedAt === undefined ? {} : { tokenIssuedAt }),
  };
}

/** By whose token an actor does something. */
export function bearerOf({ principal, tokenIssuedAt }: Pick<Actor, 'principal' | 'tokenIssuedAt'>): Bearer {
  return { userId: principal.userId, issuedAt: tokenIssuedAt ?? null };
}

/** A use of a power (domain/identity/powers.ts), as the audit trail keeps it. */
export interface PowerUse {
  readonly actor: Actor;
  /** E.g. `operator.key_revoked`. */
  readonly type: string;
  /** On whom: a user id, or `venue`. */
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Uses a power. It is written down before, so that nothing is done that nobody can see, and again with what came of it: `details.result`
 * is `begun`, then `done` or the code of the failure. A use that a crash has cut short has begun and no result.
 */
export async function recordedUse<T>(
  env: Env,
  { actor, type, subject, details }: PowerUse,
  run: () => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  const db = database(env.DB);
  const record = (result: string) =>
    recordOperatorAction(db, {
      action: actionOf(actor),
      type,
      subject,
      createdAt: Date.now(),
      details: { ...details, result },
      before: null,
      after: null,
    });
  await record('begun');
  const outcome = await run().catch(async (error: unknown) => {
    // It was certainly not done.
    if (error instanceof TokenEnded) await record('UNAUTHORIZED');
    throw error;
  });
  await record(outcome.ok ? 'done' : outcome.error.code);
  return outcome;
}
