/** Grant types of OAuth 2 that a client may use (RFC 6749). */
export const GRANTS = ['password', 'client_credentials', 'refresh_token'] as const;

export type Grant = (typeof GRANTS)[number];
