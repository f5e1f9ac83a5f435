import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import { type RegisteredClient, registerClient, UNUSED_MS_MAX } from '../../../data/identity/registered-clients.ts';
import { type ClientMetadataError, clientMetadataOf } from '../../../domain/identity/client-metadata.ts';
import { widestSubjectOf } from '../../../domain/limits/address.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { keyedHash } from '../one-time-code/code-hash.ts';

/** RFC 7591, 3.2.2. */
interface RegistrationError {
  readonly error: ClientMetadataError | 'temporarily_unavailable';
  readonly description: string;
}

const NAMELESS = 'An application without a name';

/** Registers an application that says what it is itself; not beyond what its address, and all strangers together, may have. */
export async function registerOwnClient(
  env: Env,
  document: unknown,
  clientAddress: string,
): Promise<Result<RegisteredClient, RegistrationError>> {
  const metadata = clientMetadataOf(document, NAMELESS);
  if (!metadata.ok)
    return err({ error: metadata.error, description: 'redirect URIs are https, loopback or of a scheme of its own' });
  const now = Date.now();
  const client: RegisteredClient = {
    ...metadata.value,
    id: `app-${uuidv7()}`,
    address: await keyedHash(widestSubjectOf(clientAddress), env, 'address that registers clients'),
    createdAt: now,
    expiresAt: now + UNUSED_MS_MAX,
  };
  if (await registerClient(database(env.DB), client, now)) return ok(client);
  return err({ error: 'temporarily_unavailable', description: 'too many clients were registered: try again tomorrow' });
}
