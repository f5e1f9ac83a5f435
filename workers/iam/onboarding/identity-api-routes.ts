import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import {
  beginIdentity,
  countriesOf,
  type DocumentRefusal,
  type Identity,
  identityOfUser,
  missingOf,
  type NoIdentity,
  type StatementRefusal,
  showDocument,
  stateIdentity,
} from '../../../application/onboarding/identity.ts';
import { submitIdentity } from '../../../application/onboarding/submit-identity.ts';
import { IDENTITY_ATTESTATIONS } from '../../../domain/onboarding/identity-attestations.ts';
import {
  DOCUMENT_BYTES_MAX,
  DOCUMENT_KINDS,
  DOCUMENT_SLOTS,
  DOCUMENT_TYPES,
  DOCUMENTS_MAX,
} from '../../../domain/onboarding/identity-documents.ts';
import { type FactName, maskedFacts, NOTHING_STATED } from '../../../domain/onboarding/identity-facts.ts';
import { IDENTITY_STATES, isOpenToPerson, renewableFrom } from '../../../domain/onboarding/identity-state.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { type AppContext, isRepetition, principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { type FailureResponse, failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';

const text = z.string().max(200);

const ATTESTATION_NAMES = IDENTITY_ATTESTATIONS.map(({ name }) => name) as [
  (typeof IDENTITY_ATTESTATIONS)[number]['name'],
];
const FACTS = Object.keys(NOTHING_STATED) as [FactName];

const IdentityRequest = z
  .strictObject({
    facts: z
      .strictObject({
        legalName: text.optional(),
        birthDate: text.optional().openapi({ description: 'YYYY-MM-DD.' }),
        country: text.optional().openapi({ description: 'ISO 3166-1 alpha-2.' }),
        street: text.optional(),
        city: text.optional(),
        region: text.optional().openapi({ description: 'Of the US the state.' }),
        postalCode: text.optional(),
        taxId: text.optional().openapi({ description: 'Of the US an SSN or ITIN.' }),
      })
      .default({}),
    attestations: z
      .array(z.strictObject({ name: z.enum(ATTESTATION_NAMES), version: z.string().max(20) }))
      .max(IDENTITY_ATTESTATIONS.length)
      .default([]),
    submit: z.boolean().default(false).openapi({ description: 'Hands in what is stated and shown.' }),
  })
  .openapi('IdentityRequest');

const time = z.iso.datetime().nullable();

const DocumentView = z
  .object({
    id: z.string(),
    kind: z.enum(DOCUMENT_KINDS),
    type: z.enum(DOCUMENT_TYPES),
    bytes: z.int(),
    createdAt: z.iso.datetime(),
  })
  .openapi('IdentityDocument');

const IdentityView = z
  .object({
    state: z.enum(['NONE', ...IDENTITY_STATES]),
    reason: z.string().nullable().openapi({ description: 'An operator’s word to the person.' }),
    facts: z.record(z.enum(FACTS), z.string()).openapi({ description: 'As they are shown: masked.' }),
    documents: z.array(DocumentView),
    missing: z.object({
      facts: z.array(z.enum(FACTS)),
      documents: z.array(z.enum(DOCUMENT_SLOTS)),
      attestations: z.array(z.enum(ATTESTATION_NAMES)),
    }),
    attestations: z.array(z.object({ name: z.enum(ATTESTATION_NAMES), version: z.string(), text: z.string() })),
    countries: z.array(z.string()),
    submittedAt: time,
    decidedAt: time,
    expiresAt: time,
    approvedUntil: time.openapi({
      description:
        'Until when an approval counts: that which stands, or that of before while another handing in is decided on.',
    }),
    renewableFrom: time.openapi({ description: 'From when an approval that stands can be renewed.' }),
  })
  .openapi('Identity');

/** GET and POST /v1/identity; POST /v1/identity/documents: who the caller says they are. What was shown is read by operators alone. */
export function identityApiRoutes(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/identity',
      tags: ['identity'],
      summary: 'Who the caller says they are, masked, and what is missing',
      responses: { 200: jsonOf('The identity.', IdentityView) },
    }),
    async (c) => {
      const stranger = notThePerson(c);
      if (stranger !== null) return stranger;
      return c.json(viewOf(c.env, await identityOfUser(c.env, principalOf(c).userId)), 200);
    },
  );

  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private', idempotent: 'unstored', errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/identity',
      tags: ['identity'],
      summary: 'State who one is, and hand it in',
      description: 'What is left out stays as it is. Nothing is written down where something is wrong.',
      request: { body: { required: true, content: { 'application/json': { schema: IdentityRequest } } } },
      responses: { 200: jsonOf('The identity.', IdentityView) },
    }),
    async (c) => {
      const stranger = notThePerson(c);
      if (stranger !== null) return stranger;
      const { userId } = principalOf(c);
      const begun = await beginIdentity(c.env, userId);
      if (!begun.ok) return failure(c, notBegun(begun.error));
      if (isRepetition(c) && !isOpenToPerson(begun.value.row, Date.now()))
        return c.json(viewOf(c.env, begun.value), 200);
      const { facts, attestations, submit } = c.req.valid('json');
      if (Object.keys(facts).length + attestations.length > 0) {
        const present = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
        const stated = await stateIdentity(c.env, begun.value, present, attestations);
        if (!stated.ok) return failure(c, statementError(stated.error));
      }
      const stands = await identityOfUser(c.env, userId);
      if (submit && stands !== null) {
        const submitted = await submitIdentity(c.env, stands);
        if (!submitted.ok) return failure(c, conflictOf(submitted.error));
      }
      return c.json(viewOf(c.env, await identityOfUser(c.env, userId)), 200);
    },
  );

  const BINARY = { schema: { type: 'string', format: 'binary' } } as const;
  registerRoute(
    iam,
    {
      access: { credential: 'bearer' },
      bucket: 'private',
      bodyBytesMax: DOCUMENT_BYTES_MAX,
      errors: ['CONFLICT'],
    },
    createRoute({
      method: 'post',
      path: '/v1/identity/documents',
      tags: ['identity'],
      summary: 'Show a document, as the body',
      description: `JPEG, PNG or PDF, told by its content, at most 10 MiB; a selfie is a picture. The newest of each counts, and one that was not handed in gives way to it; at most ${DOCUMENTS_MAX} uploads are under way at once.`,
      request: {
        query: z.strictObject({ kind: z.enum(DOCUMENT_KINDS) }),
        body: {
          required: true,
          content: { 'image/jpeg': BINARY, 'image/png': BINARY, 'application/pdf': BINARY },
        },
      },
      responses: { 200: jsonOf('The identity.', IdentityView) },
    }),
    async (c) => {
      const stranger = notThePerson(c);
      if (stranger !== null) return stranger;
      const { userId } = principalOf(c);
      const begun = await beginIdentity(c.env, userId);
      if (!begun.ok) return failure(c, notBegun(begun.error));
      const { kind } = c.req.valid('query');
      const bytes = new Uint8Array(await c.req.arrayBuffer());
      const shown = await showDocument(c.env, begun.value, { id: uuidv7(), kind, bytes });
      if (!shown.ok) return failure(c, documentError(shown.error));
      return c.json(viewOf(c.env, await identityOfUser(c.env, userId)), 200);
    },
  );
}

/** Nobody states who somebody else is, and no machine does in a person's name. */
function notThePerson(c: AppContext): FailureResponse | null {
  if (principalOf(c).kind === 'user') return null;
  return failure(c, apiError('FORBIDDEN', 'the person alone may state who they are'));
}

function notBegun(why: NoIdentity): ApiError {
  return apiError('CONFLICT', 'no identity can be stated here', { reason: why });
}

function statementError(refusal: StatementRefusal): ApiError {
  if (refusal.reason !== 'invalid') return conflictOf(refusal.reason);
  return apiError('VALIDATION_ERROR', 'something stated does not do', { ...refusal.problems });
}

function documentError(refusal: DocumentRefusal): ApiError {
  if (refusal !== 'not_a_document') return conflictOf(refusal);
  return apiError('VALIDATION_ERROR', 'this is no such document', { reason: refusal });
}

function conflictOf(reason: 'not_open' | 'changed' | 'incomplete' | 'too_many'): ApiError {
  return apiError('CONFLICT', 'this cannot be done with the identity as it stands', { reason });
}

function viewOf(env: Env, identity: Identity | null): z.infer<typeof IdentityView> {
  const row = identity?.row ?? null;
  const attestations = IDENTITY_ATTESTATIONS.map(({ name, version, text: texts }) => ({
    name,
    version,
    text: texts.en,
  }));
  const missing =
    identity === null
      ? { facts: FACTS, documents: [...DOCUMENT_SLOTS], attestations: ATTESTATION_NAMES }
      : missingOf(env, identity);
  return {
    state: row?.state ?? 'NONE',
    reason: reasonForPerson(row),
    facts: { ...maskedFacts(identity?.facts ?? NOTHING_STATED) },
    documents: (identity?.documents ?? []).map(({ id, kind, type, bytes, createdAt }) => ({
      id,
      kind,
      type,
      bytes,
      createdAt: new Date(createdAt).toISOString(),
    })),
    missing: {
      facts: [...missing.facts],
      documents: [...missing.documents],
      attestations: [...missing.attestations],
    },
    attestations,
    countries: [...countriesOf(env)],
    submittedAt: timeOf(row?.submittedAt),
    decidedAt: timeOf(row?.decidedAt),
    expiresAt: timeOf(row?.expiresAt),
    approvedUntil: timeOf(approvedUntil(row)),
    renewableFrom: timeOf(row === null ? null : renewableFrom(row)),
  };
}

/** Until when an approval counts, that which stands or that of before; null for none. */
export function approvedUntil(row: Pick<Identity['row'], 'state' | 'expiresAt' | 'heldUntil'> | null): number | null {
  if (row === null) return null;
  return row.state === 'APPROVED' ? row.expiresAt : row.heldUntil;
}

/** What a provider found is for operators: it may tell of a list that the person must not be told of. */
export function reasonForPerson(
  row: { readonly reason: string | null; readonly decidedBy: string | null; readonly state: string } | null,
): string | null {
  if (row === null || row.decidedBy === null || row.decidedBy.startsWith('provider:')) return null;
  return row.state === 'ASKED_BACK' || row.state === 'REFUSED' ? row.reason : null;
}

function timeOf(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : new Date(at).toISOString();
}
