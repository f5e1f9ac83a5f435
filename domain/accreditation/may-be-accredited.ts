import type { ComplianceFacts } from '../accounts/account.ts';

/** Nobody is accredited, by their own word or a third party's, before it is known who they are: no issuer could believe somebody without a name reasonably (17 CFR 230.501(a)). */
export function mayBeAccredited({ kycStatus }: Pick<ComplianceFacts, 'kycStatus'>): boolean {
  return kycStatus === 'completed';
}
