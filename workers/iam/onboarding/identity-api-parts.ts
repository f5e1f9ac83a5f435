import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { chooseSubject } from '../../../application/onboarding/entity.ts';
import {
  beginIdentity,
  type DocumentRefusal,
  type Identity,
  identityOfUser,
  showDocument,
} from '../../../application/onboarding/identity.ts';
import type { IdentityRow } from '../../../data/onboarding/identities.ts';
import { ATTESTATIONS_OF } from '../../../domain/onboarding/identity-attestations.ts';
import {
  DOCUMENT_BYTES_MAX,
  DOCUMENT_KINDS,
  DOCUMENT_TYPES,
  DOCUMENTS_MAX,
  type DocumentKind,
  isShownOf,
} from '../../../domain/onboarding/identity-documents.ts';
import { type IdentitySubject, renewableFrom, wordToPerson } from '../../../domain/onboarding/identity-state.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { type AppContext, principalOf } from '../../middleware/app-env.ts';
import { type FailureResponse, failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';

/** What persons and entities have in common at the API: who may speak, documents, attestations and times. */

export const time = z.iso.datetime().nullable();

/** Until when an approval is good, and what else is told of its end. */
export const approvalTimes = {
  expiresAt: time,
  approvedUntil: time.openapi({
    description:
      'Until when an approval counts: that which stands, or that of before while another handing in is decided on.',
  }),
  renewableFrom: time.openapi({ description: 'From when an approval that stands can be renewed.' }),
};

export const DocumentView = z
  .object({
    id: z.string(),
    kind: z.enum(DOCUMENT_KINDS),
    type: z.enum(DOCUMENT_TYPES),
    bytes: z.int(),
    createdAt: z.iso.datetime(),
  })
  .openapi('IdentityDocument');

export const startOver = z.boolean().default(false).openapi({
  description:
    'Before the first handing in: what was stated and shown of the other, a person or an entity, goes. Without it a started one of the other is a CONFLICT.',
});

export const submit = z.boolean().default(false).openapi({ description: 'Hands in what is stated and shown.' });

/** What is attested of a subject, as it is sent. */
export function attestationsOf<Name extends string>(names: readonly [Name, ...Name[]]) {
  return z
    .array(z.strictObject({ name: z.enum(names), version: z.string().max(20) }))
    .max(names.length)
    .default([]);
}

/** Nobody states who somebody else is, and no machine does in a person's name. */
export function notThePerson(c: AppContext): FailureResponse | null {
  if (principalOf(c).kind === 'user') return null;
  return failure(c, apiError('FORBIDDEN', 'the person alone may state who they are'));
}

type Of<Subject extends IdentitySubject> = Extract<Identity, { readonly subject: Subject }>;

export function isOf<Subject extends IdentitySubject>(
  identity: Identity | null,
  subject: Subject,
): identity is Of<Subject> {
  return identity?.subject === subject;
}

/** The caller's identity of a subject, begun where there is none. One of the other gives way as long as nothing stands in it, or where that is asked for. */
export async function identityFor<Subject extends IdentitySubject>(
  c: AppContext,
  subject: Subject,
  mayStartOver: boolean,
): Promise<Result<Of<Subject>, ApiError>> {
  const { userId } = principalOf(c);
  const begun = await beginIdentity(c.env, userId);
  if (!begun.ok) return err(apiError('CONFLICT', 'no identity can be stated here', { reason: begun.error }));
  const { value } = begun;
  if (isOf(value, subject)) return ok(value);
  const isEmpty = value.row.facts === '' && value.documents.length === 0;
  if ((isEmpty || mayStartOver) && (await chooseSubject(c.env, value, subject))) {
    const chosen = await identityOfUser(c.env, userId);
    if (isOf(chosen, subject)) return ok(chosen);
  }
  return err(conflictOf('other_subject'));
}

export function conflictOf(reason: 'not_open' | 'changed' | 'incomplete' | 'too_many' | 'other_subject'): ApiError {
  return apiError('CONFLICT', 'this cannot be done with the identity as it stands', { reason });
}

function documentError(refusal: DocumentRefusal): ApiError {
  if (refusal !== 'not_a_document') return conflictOf(refusal);
  return apiError('VALIDATION_ERROR', 'this is no such document', { reason: refusal });
}

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

/** Of POST /v1/identity/documents and /v1/entity/documents. */
export const DOCUMENTS_ACCESS = {
  access: { credential: 'bearer' },
  bucket: 'private',
  bodyBytesMax: DOCUMENT_BYTES_MAX,
  errors: ['CONFLICT'],
} as const;

/** POST /v1/identity/documents and /v1/entity/documents: what is shown is read by operators alone. */
export function documentsRoute<View extends z.ZodType>(path: string, subject: IdentitySubject, view: View) {
  const kinds = DOCUMENT_KINDS.filter((kind) => isShownOf(subject, kind)) as [DocumentKind];
  return createRoute({
    method: 'post',
    path,
    tags: ['identity'],
    summary: 'Show a document, as the body',
    description: `JPEG, PNG or PDF, told by its content, at most 10 MiB; a selfie is a picture. The newest of each counts, and one that was not handed in gives way to it; at most ${DOCUMENTS_MAX} uploads are under way at once.`,
    request: {
      query: z.object({ kind: z.enum(kinds) }),
      body: { required: true, content: { 'image/jpeg': BINARY, 'image/png': BINARY, 'application/pdf': BINARY } },
    },
    responses: { 200: jsonOf('The identity.', view) },
  });
}

/** Takes the body as a document; null once it is stored. */
export async function takeDocument(
  c: AppContext,
  subject: IdentitySubject,
  kind: DocumentKind,
): Promise<FailureResponse | null> {
  const stranger = notThePerson(c);
  if (stranger !== null) return stranger;
  const begun = await identityFor(c, subject, false);
  if (!begun.ok) return failure(c, begun.error);
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  const shown = await showDocument(c.env, begun.value, { id: uuidv7(), kind, bytes });
  return shown.ok ? null : failure(c, documentError(shown.error));
}

/** What both are shown with: where it stands, and what was shown of it. */
export function standingView(identity: Identity | null, subject: IdentitySubject) {
  const row = identity?.row ?? null;
  return {
    state: row?.state ?? ('NONE' as const),
    reason: row === null ? null : wordToPerson(row),
    documents: (identity?.documents ?? []).map(({ id, kind, type, bytes, createdAt }) => ({
      id,
      kind,
      type,
      bytes,
      createdAt: new Date(createdAt).toISOString(),
    })),
    attestations: ATTESTATIONS_OF[subject].map(({ name, version, text }) => ({ name, version, text: text.en })),
    submittedAt: timeOf(row?.submittedAt),
    decidedAt: timeOf(row?.decidedAt),
    expiresAt: timeOf(row?.expiresAt),
    approvedUntil: timeOf(approvedUntil(row)),
    renewableFrom: timeOf(row === null ? null : renewableFrom(row)),
  };
}

/** Until when an approval counts, that which stands or that of before; null for none. */
export function approvedUntil(row: Pick<IdentityRow, 'state' | 'expiresAt' | 'heldUntil'> | null): number | null {
  if (row === null) return null;
  return row.state === 'APPROVED' ? row.expiresAt : row.heldUntil;
}

function timeOf(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : new Date(at).toISOString();
}
