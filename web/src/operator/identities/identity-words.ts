import type { Identity, IdentityItem } from '../queue-queries.ts';

export type IdentityState = IdentityItem['state'];
export type IdentityDecision = 'approve' | 'ask-back' | 'refuse';

export const IDENTITY_STATES = ['IN_REVIEW', 'SUBMITTED', 'ASKED_BACK', 'APPROVED', 'EXPIRED', 'REFUSED'] as const;

/** What an operator may decide, by where the identity stands. Of one that its provider has not answered the API says from when on. Whose approval of before counts still can be refused in any case. */
export function decisionsOf({
  state,
  approvedUntil,
}: Pick<IdentityItem, 'state' | 'approvedUntil'>): readonly IdentityDecision[] {
  switch (state) {
    case 'IN_REVIEW':
    case 'SUBMITTED':
      return ['approve', 'ask-back', 'refuse'];
    case 'APPROVED':
      return ['refuse'];
    case 'REFUSED':
      return ['ask-back'];
    default:
      return approvedUntil === null ? [] : ['refuse'];
  }
}

export function toneOfIdentity(state: IdentityState): 'ok' | 'warn' | 'bad' | 'wait' | 'run' {
  switch (state) {
    case 'APPROVED':
      return 'ok';
    case 'REFUSED':
      return 'bad';
    case 'IN_REVIEW':
      return 'warn';
    case 'SUBMITTED':
      return 'run';
    default:
      return 'wait';
  }
}

export function toneOfScreening(result: IdentityItem['sanctions']): 'ok' | 'bad' | 'wait' {
  return ({ clear: 'ok', match: 'bad', unchecked: 'wait' } as const)[result];
}

type Party = NonNullable<Identity['entity']>['parties'][number];

export function toneOfFinding(finding: Party['finding']): 'ok' | 'warn' | 'bad' | 'wait' {
  return ({ verified: 'ok', review: 'warn', refused: 'bad', pending: 'wait' } as const)[finding];
}

/** The share of a party in percent, as a decimal; null of who owns less than a quarter. */
export function shareOf({ shareBps }: Pick<Party, 'shareBps'>): string | null {
  if (shareBps === null) return null;
  const bps = String(shareBps).padStart(3, '0');
  return `${bps.slice(0, -2)}.${bps.slice(-2)}`;
}

/** Whether something was found of somebody behind an entity, or nothing was told of them. */
export function hasDoubtfulParty({ entity }: Pick<Identity, 'entity'>): boolean {
  const isInOrder = ({ finding, sanctions, adverseMedia }: Party) =>
    finding === 'verified' && sanctions === 'clear' && adverseMedia === 'clear';
  return entity?.parties.some((party) => !isInOrder(party)) === true;
}

/** What the provider found has come to its end: it says nothing of today. */
export function isOutdated({ expiresAt }: Pick<IdentityItem, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}

/** The documents of a handing in that nobody has opened on this page. */
export function notOpened(
  documents: Identity['documents'],
  opened: ReadonlySet<string>,
): readonly Identity['documents'][number][] {
  return documents.filter(({ id }) => !opened.has(id));
}
