import { clientDocumentOf, DOCUMENT_BYTES_MAX, isDocumentAddress } from '../../../domain/identity/client-metadata.ts';
import { examineDestination } from '../../partner/webhooks/examine-destination.ts';
import type { AuthorizingClient } from './authorizing-client.ts';

const ANSWER_MS_MAX = 3_000;
/** How long an isolate remembers what a document says, and that there is none. */
const KEPT_MS = 300_000;
const REFUSED_KEPT_MS = 60_000;
const KEPT_MAX = 200;

const remembered = new Map<string, { readonly client: AuthorizingClient | null; readonly until: number }>();

/**
 * A client by its document (Client ID Metadata Document), fetched for somebody who is signed in and for nobody else: by the rules that
 * receivers of webhooks are held to, without redirects, and no longer or larger than a document is. Null where there is none that holds.
 */
export async function clientOfDocument(env: Env, clientId: string): Promise<AuthorizingClient | null> {
  const known = remembered.get(clientId);
  if (known !== undefined && known.until > Date.now()) return known.client;
  const client = await readClient(env, clientId);
  remembered.delete(clientId);
  if (remembered.size >= KEPT_MAX) remembered.delete(remembered.keys().next().value as string);
  remembered.set(clientId, { client, until: Date.now() + (client === null ? REFUSED_KEPT_MS : KEPT_MS) });
  return client;
}

async function readClient(env: Env, clientId: string): Promise<AuthorizingClient | null> {
  if (!isDocumentAddress(clientId, { isLocal: env.ENVIRONMENT === 'local' })) return null;
  const address = await examineDestination(env, clientId);
  if (!address.ok) return null;
  const document = await fetchDocument(address.value);
  const metadata = clientDocumentOf(document, clientId);
  return metadata.ok ? { ...metadata.value, id: clientId, kind: 'document', hasSecret: false } : null;
}

/** Undefined where none is answered. */
async function fetchDocument(url: string): Promise<unknown> {
  try {
    const answer = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const isDocument =
      answer.status === 200 && /^application\/([\w.-]+\+)?json\b/i.test(answer.headers.get('content-type') ?? '');
    if (!isDocument || answer.body === null) {
      await answer.body?.cancel();
      return undefined;
    }
    const text = await readText(answer.body);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Null for more than a document has. */
async function readText(body: ReadableStream<Uint8Array>): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > DOCUMENT_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(await new Blob(chunks).arrayBuffer());
}
