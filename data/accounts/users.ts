import { and, asc, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import type { Role } from '../../domain/identity/principal.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../domain/identity/token-lifetime.ts';
import { VENUE_OWNER } from '../../domain/identity/venue.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { caseVariants } from '../case-variants.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { endCodesOf } from '../identity/revocations.ts';
import { endSessionsOf } from '../identity/sessions.ts';
import { signInEntry } from '../identity/sign-ins.ts';
import type { UserRow } from '../identity/users.ts';
import { accounts, users } from '../schema/accounts.ts';

/** What an operator may change of a user; the organization is for good. */
export type EditableUser = Pick<UserRow, 'name' | 'email' | 'phone' | 'roles' | 'deactivatedAt'>;

export interface UserChange {
  /** As it was read: the change takes place while it stands so. */
  readonly user: UserRow;
  readonly change: Partial<EditableUser>;
  /** E.g. `operator.user_changed`. */
  readonly type: string;
  readonly reason: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Changes a user for an operator, written down with what it was. False when it has changed since it was read, the phone number is taken,
 * whoever acts has been deactivated, or no operator of the venue would be left.
 */
export function changeUser(
  db: Database,
  { user, change, type, reason, now }: UserChange,
  action: OperatorAction,
): Promise<boolean> {
  const after = { ...user, ...change };
  const names = Object.keys(change) as (keyof EditableUser)[];
  const said = (of: EditableUser) => Object.fromEntries(names.map((name) => [name, of[name]]));
  return changeOnce(db, {
    action,
    type,
    subject: user.id,
    details: { reason },
    before: said(user),
    after: said(after),
    now,
    when: sql`
      EXISTS (SELECT 1 FROM users WHERE id = ${user.id} AND name = ${user.name} AND email = ${user.email} AND phone IS ${user.phone}
                AND roles = ${JSON.stringify(user.roles)} AND deactivated_at IS ${user.deactivatedAt})
      AND NOT EXISTS (SELECT 1 FROM users WHERE phone = ${after.phone} AND id <> ${user.id})
      AND NOT EXISTS (SELECT 1 FROM users WHERE id = ${action.actor} AND deactivated_at IS NOT NULL)
      AND ${!isVenueOperator(user) || isVenueOperator(after) ? sql`true` : anotherVenueOperator(user.id)}`,
    writes: (takesPlace) => [
      sql`UPDATE users SET name = ${after.name}, email = ${after.email}, phone = ${after.phone},
            roles = ${JSON.stringify(after.roles)}, deactivated_at = CAST(${after.deactivatedAt} AS INTEGER)
          WHERE id = ${user.id} AND ${takesPlace}`,
      ...(after.phone === user.phone ? [] : endOfNumber(user, now, takesPlace)),
    ],
  });
}

/** Whoever has the phone of before has no token and no code any more. API keys and the secrets of clients go on: they came from no phone. */
function endOfNumber({ id, phone }: UserRow, now: number, takesPlace: SQL): SQL[] {
  const entry = { id: uuidv7(), userId: id, type: 'phone_changed', reason: 'by_operator', at: now } as const;
  return [
    sql`UPDATE users SET tokens_valid_after = max(tokens_valid_after, CAST(${now} AS INTEGER)) WHERE id = ${id} AND ${takesPlace}`,
    ...endSessionsOf(id, now, now + ACCESS_TOKEN_LIFETIME_S * 1_000, takesPlace),
    ...(phone === null ? [] : [endCodesOf(sql`${phone}`, takesPlace)]),
    signInEntry(entry, takesPlace),
  ];
}

function isVenueOperator({ owner, roles, deactivatedAt }: UserRow): boolean {
  return owner === VENUE_OWNER && roles.includes('operator') && deactivatedAt === null;
}

function anotherVenueOperator(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM users WHERE id <> ${id} AND owner = ${VENUE_OWNER} AND deactivated_at IS NULL
                       AND EXISTS (SELECT 1 FROM json_each(users.roles) WHERE value = 'operator'))`;
}

export interface UserFilter {
  /** Organization id; null for all. */
  readonly owner: string | null;
  readonly role: Role | null;
  readonly active: boolean | null;
  /** Words that must all occur in id, name, email or phone; empty for any. */
  readonly words: readonly string[];
  /** Id of the last user of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

/** A user, and the trading account that is theirs; null where they have none. */
export type UserWithAccount = UserRow & { readonly accountId: string | null };

/** The one account of a user; of a partner's investor with several the first. */
const firstAccount = sql`(SELECT min(a.id) FROM accounts a WHERE a.user_id = ${users.id})`;

/** Users by id. */
export async function listUsers(db: Database, filter: UserFilter): Promise<UserWithAccount[]> {
  const { owner, role, active, words, after } = filter;
  const text = sql`lower(${users.id} || ' ' || ${users.name} || ' ' || ${users.email} || ' ' || coalesce(${users.phone}, ''))`;
  const conditions: (SQL | undefined)[] = [
    owner === null ? undefined : eq(users.owner, owner),
    role === null ? undefined : sql`EXISTS (SELECT 1 FROM json_each(${users.roles}) WHERE value = ${role})`,
    active === null ? undefined : active ? isNull(users.deactivatedAt) : isNotNull(users.deactivatedAt),
    after === null ? undefined : gt(users.id, after),
    words.length === 0
      ? undefined
      : sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(words.map(caseVariants))}) word
            WHERE NOT EXISTS (SELECT 1 FROM json_each(word.value) written WHERE instr(${text}, lower(written.value)) > 0))`,
  ];
  const rows = await db
    .select({ user: users, accountId: accounts.id })
    .from(users)
    .leftJoin(accounts, eq(accounts.id, firstAccount))
    .where(and(...conditions))
    .orderBy(asc(users.id))
    .limit(filter.limit);
  return rows.map(({ user, accountId }) => ({ ...user, accountId }));
}
