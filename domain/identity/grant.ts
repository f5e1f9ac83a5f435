/** Grant types of OAuth 2 that a client may use (RFC 6749). */
export type Grant = 'password' | 'client_credentials' | 'refresh_token' | 'authorization_code';
