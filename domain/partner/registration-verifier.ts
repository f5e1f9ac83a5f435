import type { Result } from '../result.ts';

/** The form of a transfer agent's number at the SEC: 84- where it registers there, 85- at a banking agency. */
export const SEC_REGISTRATION_NUMBER = /^8[45]-\d{5}$/;

/** The form of a broker-dealer's number at the CRD. */
export const CRD_NUMBER = /^[1-9]\d{0,9}$/;

/** What a verifier is asked: whether this firm holds this number, and who applies speaks for it. */
interface RegistrationOrder {
  /** UUID of the check; the same on every repetition. */
  readonly id: string;
  readonly secRegistrationNumber: string;
  readonly firmName: string;
  readonly contactEmail: string;
}

export type RegistrationFinding =
  | { readonly type: 'pending' }
  | { readonly type: 'refused'; readonly reason: string }
  /** The firm holds the number. */
  | { readonly type: 'number_verified' }
  /** Beyond that, who applies speaks for the firm: proved at an address that the registrar publishes. */
  | { readonly type: 'verified' };

/** It does not answer, or not as it should: what was asked is asked again later. */
interface VerifierUnavailable {
  readonly reason: 'unavailable';
  readonly detail: string;
}

/** Who checks registrations of transfer agents (P-AUT-01). */
export interface RegistrationVerifier {
  readonly name: string;
  /**
   * Asks for a check, once for its id.
   *
   * @returns the verifier's own id
   */
  request(order: RegistrationOrder): Promise<Result<string, VerifierUnavailable>>;
  status(order: RegistrationOrder, reference: string): Promise<Result<RegistrationFinding, VerifierUnavailable>>;
}

/**
 * What the simulated verifier finds: it believes every number of the right form but those that end in 999, and has not looked up those that end in 998
 * before an hour has passed. Of those that end in 997 it has found the number alone.
 */
export function simulatedRegistration(number: string, waitedMs: number): RegistrationFinding {
  if (!SEC_REGISTRATION_NUMBER.test(number)) return { type: 'refused', reason: 'malformed_number' };
  if (number.endsWith('999')) return { type: 'refused', reason: 'number_not_registered' };
  if (number.endsWith('998') && waitedMs < 3_600_000) return { type: 'pending' };
  return { type: number.endsWith('997') ? 'number_verified' : 'verified' };
}

/**
 * Reads `{id, status, reason?, speaksFor?}`: `status` is `pending`, `refused` or `verified`, and `speaksFor: true` says of a verified one that who applies was
 * proved to speak for the firm. Null for anything else.
 */
export function readRegistrationFinding(
  value: unknown,
): { readonly reference: string; readonly finding: RegistrationFinding } | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, status, reason, speaksFor } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || id === '' || id.length > TEXT_LENGTH_MAX) return null;
  const because = typeof reason === 'string' && reason !== '' ? reason.slice(0, TEXT_LENGTH_MAX) : 'refused';
  switch (status) {
    case 'pending':
      return { reference: id, finding: { type: status } };
    case 'verified':
      return { reference: id, finding: { type: speaksFor === true ? status : 'number_verified' } };
    case 'refused':
      return { reference: id, finding: { type: 'refused', reason: because } };
    default:
      return null;
  }
}

const TEXT_LENGTH_MAX = 500;
