import './in-node.ts';
import type { z } from '@hono/zod-openapi';
import type { OpenApiDocument } from '../../workers/middleware/describe-document.ts';

/** Types of Workers and of Node do not go together in one program: modules that need those of Workers are loaded by a path that is no literal. */
const at = (path: string): Promise<unknown> => import(`../../workers/${path}`);

interface Profiles {
  loadProfile(name: string): Promise<{ document(prefix: string): OpenApiDocument }>;
}

interface Requests {
  readonly PlaceRequest: z.ZodType;
  readonly OtherRequest: z.ZodType;
}

/** The OpenAPI document of each profile, by its name. */
export async function openApiDocuments(): Promise<ReadonlyMap<string, OpenApiDocument>> {
  const { PROFILE_SEGMENTS } = (await at('middleware/profile-name.ts')) as {
    readonly PROFILE_SEGMENTS: Readonly<Record<string, string>>;
  };
  const { loadProfile } = (await at('profiles.ts')) as Profiles;
  const documents = new Map<string, OpenApiDocument>();
  for (const [name, segment] of Object.entries(PROFILE_SEGMENTS))
    documents.set(name, (await loadProfile(name)).document(`/${segment}`));
  return documents;
}

/** What order entry over WebSocket reads requests by. */
export async function orderSocketRequests(): Promise<Requests> {
  return (await at('book/order-socket/request-schemas.ts')) as Requests;
}
