import { err, ok, type Result } from '../result.ts';
import type { SecurityState } from './security.ts';

/** What happens to a cross-listed security. */
export type SecurityAction = 'list' | 'refuse' | 'halt' | 'lift' | 'delist';

/** Who does it: the lister for its own securities, an operator of the venue for all, a corporate action that takes effect. */
export const SECURITY_ACTORS = ['lister', 'operator', 'action'] as const;

export type SecurityActor = (typeof SECURITY_ACTORS)[number];

/** docs/design/partner.md#states-of-a-security */
const NEXT: Readonly<Record<SecurityAction, Readonly<Partial<Record<SecurityState, SecurityState>>>>> = {
  list: { submitted: 'listed' },
  refuse: { submitted: 'refused' },
  halt: { listed: 'halted' },
  lift: { halted: 'listed' },
  delist: { submitted: 'delisted', listed: 'delisted', halted: 'delisted' },
};

const OPERATORS_ALONE: ReadonlySet<SecurityAction> = new Set<SecurityAction>(['list', 'refuse']);

export type SecurityStateFailure =
  | { readonly reason: 'wrong_state'; readonly from: SecurityState }
  | { readonly reason: 'operators_alone' }
  /** What an operator has halted an operator lifts. */
  | { readonly reason: 'halted_by_operator' }
  /** A corporate action lifts its own halt, an operator every one. */
  | { readonly reason: 'halted_by_action' };

interface Standing {
  readonly state: SecurityState;
  readonly haltedBy: SecurityActor | null;
}

/** What a security becomes, or why it does not. */
export function nextSecurityState(
  { state, haltedBy }: Standing,
  action: SecurityAction,
  by: SecurityActor,
): Result<Standing, SecurityStateFailure> {
  if (by !== 'operator' && OPERATORS_ALONE.has(action)) return err({ reason: 'operators_alone' });
  const takesOver = action === 'halt' && by === 'operator' && state === 'halted' && haltedBy !== 'operator';
  const next = takesOver ? state : NEXT[action][state];
  if (next === undefined) return err({ reason: 'wrong_state', from: state });
  if (action === 'lift' && by !== 'operator' && haltedBy !== by)
    return err({ reason: haltedBy === 'action' ? 'halted_by_action' : 'halted_by_operator' });
  return ok({ state: next, haltedBy: next === 'halted' ? by : null });
}
