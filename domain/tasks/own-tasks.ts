import { DAY_MS } from '../calendar/durations.ts';
import type { IdentityState } from '../onboarding/identity-state.ts';

/** So long before an accreditation or an identity ends, its person is told. */
const ENDS_SOON_MS = 30 * DAY_MS;

export const TASK_KINDS = [
  'factor_recovery',
  'identity_asked_back',
  'identity_expired',
  'identity_open',
  'identity_refused',
  'identity_in_review',
  'identity_not_counted',
  'identity_ends',
  'accreditation_expired',
  'accreditation_ends',
  'deposit_awaited',
] as const;

export type TaskKind = (typeof TASK_KINDS)[number];

/** What waits for a person. Times are Unix milliseconds. */
export interface Task {
  readonly kind: TaskKind;
  /** What it is about: the id of a request; null where there is one of its kind. */
  readonly subject: string | null;
  readonly since: number | null;
  /** When it is too late, or happens by itself; null where nothing does. */
  readonly dueAt: number | null;
}

export interface TaskFacts {
  /** Whether the account counts as that of a person who is known. */
  readonly isKnown: boolean;
  /** Null where nobody was asked who they are. */
  readonly identity: {
    readonly state: IdentityState;
    readonly updatedAt: number;
    readonly expiresAt: number | null;
  } | null;
  readonly accreditation: {
    readonly status: 'none' | 'pending' | 'completed' | 'expired';
    /** The latest end of what it may rest on; null where one has none. */
    readonly endsAt: number | null;
  };
  /** An operator's way back in that waits, which the person may stop. */
  readonly recovery: { readonly askedAt: number; readonly dueAt: number } | null;
  /** Requests to pay in that somebody has approved and that are not paid yet. */
  readonly deposits: readonly { readonly id: string; readonly createdAt: number }[];
}

/** Everything that waits for a person, what is most pressing first. */
export function tasksOf({ isKnown, identity, accreditation, recovery, deposits }: TaskFacts, now: number): Task[] {
  const found: Task[] = [];
  const add = (kind: TaskKind, terms: Partial<Omit<Task, 'kind'>> = {}) =>
    found.push({ kind, subject: null, since: null, dueAt: null, ...terms });
  const isSoon = (at: number | null): at is number => at !== null && at > now && at - now <= ENDS_SOON_MS;
  if (recovery !== null) add('factor_recovery', { since: recovery.askedAt, dueAt: recovery.dueAt });
  if (identity === null) {
    if (!isKnown) add('identity_open');
  } else {
    const kind = taskOfIdentity(identity.state, isKnown);
    if (kind !== null) add(kind, { since: identity.updatedAt });
    else if (identity.state === 'APPROVED' && isSoon(identity.expiresAt))
      add('identity_ends', { dueAt: identity.expiresAt });
  }
  if (accreditation.status === 'expired') add('accreditation_expired');
  else if (accreditation.status === 'completed' && isSoon(accreditation.endsAt))
    add('accreditation_ends', { dueAt: accreditation.endsAt });
  for (const { id, createdAt } of deposits) add('deposit_awaited', { subject: id, since: createdAt });
  return found;
}

/** What its state asks of the person, or why their account still counts as that of nobody known; null where it is known and nothing is asked. */
function taskOfIdentity(state: IdentityState, isKnown: boolean): TaskKind | null {
  switch (state) {
    case 'DRAFT':
      return 'identity_open';
    case 'ASKED_BACK':
      return 'identity_asked_back';
    case 'EXPIRED':
      return 'identity_expired';
    case 'REFUSED':
      return 'identity_refused';
    case 'SUBMITTED':
    case 'IN_REVIEW':
      return isKnown ? null : 'identity_in_review';
    case 'APPROVED':
      return isKnown ? null : 'identity_not_counted';
  }
}
