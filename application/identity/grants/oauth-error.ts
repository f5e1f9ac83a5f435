import { err } from '../../../domain/result.ts';

/** RFC 6749, 5.2; RFC 8707, 2. */
export interface OAuthError {
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_grant'
    | 'unauthorized_client'
    | 'unsupported_grant_type'
    | 'invalid_scope'
    | 'invalid_target';
  readonly description: string;
}

export function oauthError(error: OAuthError['error'], description: string) {
  return err<OAuthError>({ error, description });
}
