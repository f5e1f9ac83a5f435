import { database } from '../../../data/database.ts';
import { findEnrolled } from '../../../data/identity/factors.ts';
import { lackOf, type ShownFactor, stepUpMs } from '../../../domain/identity/factors.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

const NOTHING_ENROLLED = { passkeys: 0, totp: false };
/** What a token of one factor says (`acrOf`): whether its bearer has a second one is asked of it alone. */
const ONE_FACTOR = '1fa';

/** Why a person's token does not open what asks for a fresh factor; null where it does. */
export async function stepUpFailure(
  env: Env,
  { authTime, acr, subject }: ShownFactor & { readonly subject: string },
): Promise<ApiError | null> {
  const maxAgeMs = stepUpMs(env.STEP_UP_MINUTES);
  const enrolled = acr === ONE_FACTOR ? await findEnrolled(database(env.DB), subject) : NOTHING_ENROLLED;
  const reason = lackOf({ authTime, acr }, maxAgeMs, enrolled, Date.now());
  if (reason === null) return null;
  const message =
    reason === 'fresh_factor'
      ? 'sign in once more: this asks for a factor of the last minutes'
      : 'sign in by your passkey or authenticator app: a code by SMS is not enough for this';
  return apiError('STEP_UP_REQUIRED', message, { reason, ...(maxAgeMs === 0 ? {} : { max_age: maxAgeMs / 1_000 }) });
}

/** RFC 9470, 3: how a client asks the person, at the authorization endpoint. */
export function stepUpChallenge({ message, details }: ApiError): string {
  const acr = details.reason === 'second_factor' ? ', acr_values="mfa phr"' : '';
  const age = details.max_age === undefined ? '' : `, max_age=${Number(details.max_age)}`;
  return `Bearer error="insufficient_user_authentication", error_description="${message}"${age}${acr}`;
}
