import type { TokenResponse } from '../../../application/identity/tokens/issue-tokens.ts';
import type { OAuthError } from './oauth-error.ts';

export type TokenResult =
  | { readonly ok: true; readonly tokens: TokenResponse }
  | { readonly ok: false; readonly error: OAuthError };

export function tokenRefused(error: OAuthError['error'], description: string): TokenResult {
  return { ok: false, error: { error, description } };
}

export function tokenResultOf(tokens: TokenResponse | null): TokenResult {
  return tokens === null ? tokenRefused('invalid_grant', 'the grant was revoked') : { ok: true, tokens };
}
