import { hasUnseenInName } from '../register/look-alike.ts';
import { err, ok, type Result } from '../result.ts';
import { isRedirectUri, REDIRECT_URIS_MAX } from './redirect-uri.ts';

const NAME_LENGTH_MAX = 100;
/** Of a client's document: more than it says of itself is nothing that is read. */
export const DOCUMENT_BYTES_MAX = 16_384;
/** Line ends and controls: a name is shown to people, and says nothing that they do not see (`hasUnseenInName`). */
const UNSHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** What a client says of itself (RFC 7591, 2). Nobody has proved the name. */
interface ClientMetadata {
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Where it may be answered once somebody has signed out (OpenID Connect RP-Initiated Logout 1.0, 3.1). */
  readonly postLogoutRedirectUris: readonly string[];
}

export type ClientMetadataError = 'invalid_redirect_uri' | 'invalid_client_metadata';

/**
 * Reads what a client says of itself. It gets no secret: it proves itself by where it is answered and by the verifier of its code.
 *
 * @param nameless what it is called where it says no name
 */
export function clientMetadataOf(document: unknown, nameless: string): Result<ClientMetadata, ClientMetadataError> {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    return err('invalid_client_metadata');
  const {
    redirect_uris: uris,
    post_logout_redirect_uris: leaving = [],
    client_name: name = nameless,
    grant_types: grants,
    response_types: types,
  } = document as {
    readonly redirect_uris?: unknown;
    readonly post_logout_redirect_uris?: unknown;
    readonly client_name?: unknown;
    readonly grant_types?: unknown;
    readonly response_types?: unknown;
  };
  if (!areRedirectUris(uris) || uris.length === 0 || !areRedirectUris(leaving)) return err('invalid_redirect_uri');
  if (
    typeof name !== 'string' ||
    name.trim() === '' ||
    name.length > NAME_LENGTH_MAX ||
    UNSHOWN.test(name) ||
    hasUnseenInName(name)
  )
    return err('invalid_client_metadata');
  if (!has(grants, 'authorization_code') || !has(types, 'code')) return err('invalid_client_metadata');
  return ok({
    name: name.trim(),
    redirectUris: [...new Set(uris)],
    postLogoutRedirectUris: [...new Set(leaving)],
  });
}

/** Whether a client id is the address of the client's own document, by its form. */
export function isDocumentId(clientId: string): boolean {
  return /^https?:\/\//.test(clientId);
}

/**
 * Reads a Client ID Metadata Document: it has to state the id under which it was asked for, as the same text, and no secret.
 *
 * @param url the client id
 */
export function clientDocumentOf(document: unknown, url: string): Result<ClientMetadata, ClientMetadataError> {
  const host = URL.parse(url)?.host ?? '';
  const metadata = clientMetadataOf(document, host);
  if (!metadata.ok) return metadata;
  const stated = document as Readonly<Record<string, unknown>>;
  const method = stated.token_endpoint_auth_method ?? 'none';
  const isOfIt = stated.client_id === url && !('client_secret' in stated) && method === 'none';
  return isOfIt ? metadata : err('invalid_client_metadata');
}

/** Whether a client id can be the address of a document: https, a path, and one spelling alone. */
export function isDocumentAddress(clientId: string, { isLocal }: { readonly isLocal: boolean }): boolean {
  const url = URL.parse(clientId);
  if (url === null || url.href !== clientId || clientId.includes('#')) return false;
  return (url.protocol === 'https:' || (isLocal && url.protocol === 'http:')) && url.pathname.length > 1;
}

/** The origin of a client's document; null of a client id that is no address. */
export function originOfDocument(clientId: string): string | null {
  return isDocumentId(clientId) ? (URL.parse(clientId)?.origin ?? null) : null;
}

function areRedirectUris(stated: unknown): stated is readonly string[] {
  if (!Array.isArray(stated) || stated.length > REDIRECT_URIS_MAX) return false;
  return stated.every((uri) => typeof uri === 'string' && isRedirectUri(uri));
}

function has(stated: unknown, value: string): boolean {
  return stated === undefined || (Array.isArray(stated) && stated.includes(value));
}
