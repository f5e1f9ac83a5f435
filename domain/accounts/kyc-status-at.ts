import type { ComplianceFacts } from './account.ts';

/** A verified identity, and until when it counts. */
interface EndingIdentity extends Pick<ComplianceFacts, 'kycStatus'> {
  /** Unix milliseconds; left out for none. */
  readonly identityEndsAt?: number | undefined;
}

/** The fact as it is judged: a verification whose end has come is none, whether or not the fact has followed yet (docs/design/onboarding.md#identity). */
export function kycStatusAt({ kycStatus, identityEndsAt }: EndingIdentity, now: number): ComplianceFacts['kycStatus'] {
  const isOver = identityEndsAt !== undefined && identityEndsAt <= now;
  return isOver && kycStatus === 'completed' ? 'pending' : kycStatus;
}
