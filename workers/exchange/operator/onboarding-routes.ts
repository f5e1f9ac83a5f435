import { createRoute, z } from '@hono/zod-openapi';
import { peopleBehind } from '../../../application/identity/clients/people-behind.ts';
import { readDocumentBytes } from '../../../application/onboarding/identity.ts';
import { decideIdentity } from '../../../application/onboarding/verify-identity.ts';
import { recordOperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import {
  type DocumentRow,
  findDocument,
  findIdentity,
  type IdentityRow,
  listIdentities,
} from '../../../data/onboarding/identities.ts';
import { DOCUMENT_TYPES } from '../../../domain/onboarding/identity-documents.ts';
import { IDENTITY_STATES, type OperatorDecision } from '../../../domain/onboarding/identity-state.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type AppContext, whoActs } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { documentHeaders } from '../../responses/document-headers.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { type FailureResponse, failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { actionOf, freshActionOf } from './action-of.ts';
import { Detail, detailOf, itemOf, itemsOf, maskedStated, QueueItem } from './onboarding-views.ts';
import { OPERATOR_READ, OPERATOR_WRITE, Reason, readableOwner } from './operator-route.ts';

const PATH = '/v1/operator/onboarding';

/** What opens people's statements and documents: who may see accounts may not by that alone, and a person shows a factor anew. */
const SEE_IDENTITIES = {
  access: { credential: 'tenant', power: 'see_identities' },
  bucket: 'private',
  freshFactor: true,
  errors: ['NOT_FOUND'],
} as const;

const SUMMARY: Readonly<Record<OperatorDecision, string>> = {
  approve: 'Take a person for who they say they are',
  refuse: 'Refuse a person',
  'ask-back': 'Ask a person for something else',
};

const params = z.object({ id: z.uuid() });

const looked = {
  reason: Reason.openapi({ description: 'For the audit trail alone: the person is not told.' }),
  submission: z.uuid().openapi({ description: 'The handing in that was looked at. Another one is not decided on.' }),
  version: z.int().min(1).openapi({
    description:
      'The version of the identity that was looked at. Where something was found or stated since, nothing is decided: CONFLICT, `other_findings`.',
  }),
};

const Message = Reason.openapi({
  description:
    'What the person is told, by mail and where they read how it stands. Nothing of lists or reports: they must not learn of them (31 CFR 1020.320(e)).',
});

const BODY = {
  approve: z.strictObject(looked).openapi('OnboardingDecision'),
  refuse: z.strictObject({ ...looked, message: Message.optional() }).openapi('OnboardingRefusal'),
  'ask-back': z.strictObject({ ...looked, message: Message }).openapi('OnboardingQuestion'),
} as const satisfies Readonly<Record<OperatorDecision, z.ZodType>>;

/** GET /v1/operator/onboarding, …/{id}, …/{id}/full, …/{id}/documents/{documentId}; POST …/{id}/approve, /refuse, /ask-back: who people say they are. */
export function onboardingRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: PATH,
      tags: ['operator'],
      summary: 'Identities that were handed in, the longest ago first',
      description:
        'Of the own organization, of everyone for the venue. `state=IN_REVIEW` has those that wait for an operator. Nobody is shown their own.',
      request: {
        query: z.object({ state: z.enum(IDENTITY_STATES).optional(), limit: limitQuery, cursor: z.uuid().optional() }),
      },
      responses: { 200: envelopeOf('The identities, without what was stated.', z.array(QueueItem)) },
    }),
    async (c) => {
      const { state = null, limit, cursor = null } = c.req.valid('query');
      const viewers = [...(await viewersOf(c))];
      const filter = { owner: readableOwner(c), viewers, state, after: cursor, limit: rowsToRead(limit) };
      const found = await listIdentities(database(c.env.DB), filter);
      return c.json(
        enveloped(
          await itemsOf(
            c,
            pageOf(c, found, limit, ({ id }) => id),
          ),
        ),
        200,
      );
    },
  );

  registerRoute(
    exchange,
    { ...OPERATOR_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: `${PATH}/{id}`,
      tags: ['operator'],
      summary: 'An identity, with what was stated masked',
      description: 'Of an entity with the people behind it and what each owns.',
      request: { params },
      responses: { 200: envelopeOf('The identity.', Detail) },
    }),
    async (c) => {
      const row = await shown(c);
      return row === null ? noSuchIdentity(c) : c.json(enveloped(await detailOf(c, row, maskedStated)), 200);
    },
  );

  registerRoute(
    exchange,
    SEE_IDENTITIES,
    createRoute({
      method: 'get',
      path: `${PATH}/{id}/full`,
      tags: ['operator'],
      summary: 'An identity, with all that was stated',
      description: 'That it was looked at stands in the audit trail.',
      request: { params },
      responses: { 200: envelopeOf('The identity.', Detail) },
    }),
    async (c) => {
      const row = await shown(c);
      if (row === null) return noSuchIdentity(c);
      await recordLook(c, row, null);
      c.header('cache-control', 'no-store');
      return c.json(enveloped(await detailOf(c, row, (stated) => stated)), 200);
    },
  );

  const BINARY = { schema: { type: 'string', format: 'binary' } } as const;
  registerRoute(
    exchange,
    SEE_IDENTITIES,
    createRoute({
      method: 'get',
      path: `${PATH}/{id}/documents/{documentId}`,
      tags: ['operator'],
      summary: 'A document of a person',
      description: 'That it was looked at stands in the audit trail.',
      request: { params: params.extend({ documentId: z.uuid() }) },
      responses: {
        200: {
          description: 'The document.',
          content: Object.fromEntries(DOCUMENT_TYPES.map((type) => [type, BINARY])),
        },
      },
    }),
    async (c) => {
      const row = await shown(c);
      const { documentId } = c.req.valid('param');
      const document = row === null ? null : await findDocument(database(c.env.DB), row.id, documentId);
      if (row === null || document === null) return noSuchIdentity(c);
      await recordLook(c, row, document);
      const bytes = await readDocumentBytes(c.env, document);
      if (bytes === null) return noSuchIdentity(c);
      return c.body(bytes, 200, documentHeaders(document.type, document.id)) as unknown as FailureResponse;
    },
  );

  for (const decision of ['approve', 'refuse', 'ask-back'] as const)
    registerRoute(
      exchange,
      OPERATOR_WRITE,
      createRoute({
        method: 'post',
        path: `${PATH}/{id}/${decision}`,
        tags: ['operator'],
        summary: SUMMARY[decision],
        request: { params, body: { required: true, content: { 'application/json': { schema: BODY[decision] } } } },
        responses: { 200: envelopeOf('The identity after the decision.', QueueItem) },
      }),
      async (c) => {
        const row = await readable(c);
        if (row === null) return noSuchIdentity(c);
        const { reason, submission, version, ...body } = c.req.valid('json');
        const word = { decision, submission, version, message: 'message' in body ? (body.message ?? null) : null };
        const decided = await decideIdentity(c.env, row, word, actionOf(c, reason));
        return decided.ok ? c.json(enveloped(await itemOf(c, decided.value)), 200) : failure(c, decided.error);
      },
    );
}

/** The same where it is of nobody who may be looking: what was found of themselves may tell of a list or a report (31 CFR 1020.320(e)). */
async function shown(c: AppContext): Promise<IdentityRow | null> {
  const row = await readable(c);
  return row === null || (await viewersOf(c)).has(row.userId) ? null : row;
}

function viewersOf(c: AppContext): Promise<ReadonlySet<string>> {
  return peopleBehind(database(c.env.DB), whoActs(c));
}

/** One that was handed in once, of the organization that the operator reads; null for any other. */
async function readable(c: AppContext): Promise<IdentityRow | null> {
  const row = await findIdentity(database(c.env.DB), c.req.param('id') ?? '');
  const owner = readableOwner(c);
  const isTheirs = row !== null && row.submission !== null && (owner === null || row.owner === owner);
  return isTheirs ? row : null;
}

function noSuchIdentity(c: AppContext): FailureResponse {
  return failure(c, apiError('NOT_FOUND', 'identity or document does not exist'));
}

/** Before it is shown, so that nothing is seen that nobody can see was. */
async function recordLook(c: AppContext, { id, account }: IdentityRow, document: DocumentRow | null): Promise<void> {
  await recordOperatorAction(database(c.env.DB), {
    action: freshActionOf(c),
    type: document === null ? 'operator.identity_seen' : 'operator.identity_document_seen',
    subject: id,
    createdAt: Date.now(),
    details: document === null ? { account } : { account, document: document.id, kind: document.kind },
    before: null,
    after: null,
  });
}
