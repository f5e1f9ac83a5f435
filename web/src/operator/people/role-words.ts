import type { components } from '../../api/generated/exchange-api.ts';
import type { ListedUser, UserDetail } from '../queue-queries.ts';
import type { OperatorKey } from '../use-operator-words.ts';

export type Role = ListedUser['roles'][number];

export const ROLES = [
  'trader',
  'operator',
  'access_manager',
  'auditor',
  'cross_lister',
  'transfer_agent',
  'bridge_tenant',
  'event_admin',
  'event_operator',
  'event_viewer',
  'event_camera',
] as const satisfies readonly Role[];

/** What a relative is to somebody, by 17 CFR 227.501(c). */
export const RELATIONSHIPS = [
  'spouse',
  'spousal_equivalent',
  'child',
  'stepchild',
  'grandchild',
  'parent',
  'stepparent',
  'grandparent',
  'sibling',
  'mother_in_law',
  'father_in_law',
  'son_in_law',
  'daughter_in_law',
  'brother_in_law',
  'sister_in_law',
] as const satisfies readonly components['schemas']['OperatorFamilyRelation']['relationship'][];

type Translate = (key: OperatorKey) => string;

export function roleLabel(role: Role, o: Translate): string {
  return (ROLES as readonly string[]).includes(role) ? o(`role.${role as (typeof ROLES)[number]}`) : role;
}

const POWERS = [
  'see_accounts',
  'manage_credentials',
  'see_identities',
  'audit_venue',
  'run_venue',
  'set_rate_limits',
  'rotate_signing_keys',
] as const;

/** A power in words; one that this page does not know keeps its name. */
export function powerLabel(power: string, o: Translate): string {
  const known = POWERS.find((one) => one === power);
  return known === undefined ? power : o(`power.${known}`);
}

/** What a kill switch ends of somebody, as counts; null of what only who may end it is told. */
export function whatEnds({ ends, keys }: Pick<UserDetail, 'ends' | 'keys'>) {
  return {
    sessions: ends.sessions === null ? null : Number(ends.sessions),
    keys: keys?.length ?? null,
    orders: Number(ends.openOrders.orders),
    markets: Number(ends.openOrders.markets),
  };
}
