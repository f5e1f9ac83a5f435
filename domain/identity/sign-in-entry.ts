import { DAY_MS } from '../calendar/durations.ts';

/** What is written down of signing in and of the credentials of a user. */
export const SIGN_IN_TYPES = [
  'signed_in',
  'machine_token_issued',
  'refused',
  'refresh_token_reused',
  'token_revoked',
  'session_ended',
  'kill_switch_pulled',
  'phone_changed',
  'key_made',
  'key_rotated',
  'key_revoked',
  'client_secret_replaced',
  'client_ended',
  'client_allowed',
  'factor_added',
  'factor_removed',
  'recovery_codes_made',
  'recovery_requested',
  'recovery_stopped',
  'recovery_done',
  'address_change_asked',
  'address_change_stopped',
  'address_changed',
] as const;

export type SignInType = (typeof SIGN_IN_TYPES)[number];

/** Why a sign-in was refused. */
export type SignInRefusal =
  | 'wrong_code'
  | 'wrong_second_factor'
  | 'wrong_client_secret'
  | 'refresh_token_out_of_date'
  | 'authorization_code_reused'
  | 'session_over';

/** What anybody may cause again and again: one entry an hour, with how often, so that nobody fills the table. */
const COUNTED: readonly SignInType[] = ['machine_token_issued', 'refused', 'refresh_token_reused', 'token_revoked'];

export function isCounted(type: SignInType): boolean {
  return COUNTED.includes(type);
}

/** For so long entries are kept. */
export const SIGN_INS_KEPT_MS = 180 * DAY_MS;

/** Wrong codes within an hour, of all users together, at which operators are told. */
export const WRONG_CODES_ALARM = 1_000;
