import { err, ok, type Result } from '../../../domain/result.ts';
import { destinationOf, isPublicAddress, ownNamesOf } from '../../../domain/webhooks/destination.ts';
import { resolveName } from '../../../durable-objects/dns/resolve-name.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

/** Judges the address of a receiver by its text and by what its name leads to now; its URL, normalised. */
export async function examineDestination(
  env: Pick<Env, 'ENVIRONMENT' | 'WEBHOOK_RESOLVER_URL' | 'OWN_ZONES' | 'PROFILE_HOSTS'>,
  url: string,
): Promise<Result<string, ApiError>> {
  const destination = destinationOf(url, { isLocal: env.ENVIRONMENT === 'local', ownNames: ownNamesOf(env) });
  if (!destination.ok) return err(refused(destination.error));
  const { name } = destination.value;
  if (name === null) return ok(destination.value.url);
  const addresses = await resolveName(env.WEBHOOK_RESOLVER_URL, name);
  if (typeof addresses === 'string') return err(apiError('SERVICE_UNAVAILABLE', 'the name cannot be looked up now'));
  if (addresses.length === 0) return err(refused('not_resolved'));
  return addresses.every(isPublicAddress) ? ok(destination.value.url) : err(refused('not_public'));
}

function refused(reason: string): ApiError {
  return apiError('VALIDATION_ERROR', 'webhooks cannot be sent to this url', { field: 'url', reason });
}
