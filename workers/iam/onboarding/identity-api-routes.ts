import { createRoute, z } from '@hono/zod-openapi';
import {
  countriesOf,
  type Identity,
  identityOfUser,
  missingOf,
  type StatementRefusal,
  stateIdentity,
} from '../../../application/onboarding/identity.ts';
import { submitIdentity } from '../../../application/onboarding/submit-identity.ts';
import { type AttestationName, IDENTITY_ATTESTATIONS } from '../../../domain/onboarding/identity-attestations.ts';
import { SLOTS_OF } from '../../../domain/onboarding/identity-documents.ts';
import { type FactName, maskedFacts, NOTHING_STATED } from '../../../domain/onboarding/identity-facts.ts';
import { IDENTITY_STATES, IDENTITY_SUBJECTS, isOpenToPerson } from '../../../domain/onboarding/identity-state.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { type AppContext, isRepetition, principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import {
  approvalTimes,
  attestationsOf,
  conflictOf,
  DOCUMENTS_ACCESS,
  DocumentView,
  documentsRoute,
  identityFor,
  isOf,
  notThePerson,
  standingView,
  startOver,
  submit as submitField,
  takeDocument,
  time,
} from './identity-api-parts.ts';

const text = z.string().max(200);

const ATTESTATION_NAMES = IDENTITY_ATTESTATIONS.map(({ name }) => name) as [AttestationName];
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
    attestations: attestationsOf(ATTESTATION_NAMES),
    submit: submitField,
    startOver,
  })
  .openapi('IdentityRequest');

const IdentityView = z
  .object({
    subject: z.enum(IDENTITY_SUBJECTS).nullable().openapi({
      description:
        'Whose account it is; null before anything is stated. Of an entity nothing else stands here: `/v1/entity` has it.',
    }),
    state: z.enum(['NONE', ...IDENTITY_STATES]),
    reason: z.string().nullable().openapi({ description: 'An operator’s word to the person.' }),
    facts: z.record(z.enum(FACTS), z.string()).openapi({ description: 'As they are shown: masked.' }),
    documents: z.array(DocumentView),
    missing: z.object({
      facts: z.array(z.enum(FACTS)),
      documents: z.array(z.enum(SLOTS_OF.person)),
      attestations: z.array(z.enum(ATTESTATION_NAMES)),
    }),
    attestations: z.array(z.object({ name: z.enum(ATTESTATION_NAMES), version: z.string(), text: z.string() })),
    countries: z.array(z.string()),
    submittedAt: time,
    decidedAt: time,
    ...approvalTimes,
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
      return c.json(await viewOf(c), 200);
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
      const { facts, attestations, submit, startOver: mayStartOver } = c.req.valid('json');
      const begun = await identityFor(c, 'person', mayStartOver);
      if (!begun.ok) return failure(c, begun.error);
      if (isRepetition(c) && !isOpenToPerson(begun.value.row, Date.now())) return c.json(await viewOf(c), 200);
      if (Object.keys(facts).length + attestations.length > 0) {
        const present = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
        const stated = await stateIdentity(c.env, begun.value, present, attestations);
        if (!stated.ok) return failure(c, statementError(stated.error));
      }
      const stands = await identityOfUser(c.env, principalOf(c).userId);
      if (submit && isOf(stands, 'person')) {
        const submitted = await submitIdentity(c.env, stands);
        if (!submitted.ok) return failure(c, conflictOf(submitted.error));
      }
      return c.json(await viewOf(c), 200);
    },
  );

  registerRoute(
    iam,
    DOCUMENTS_ACCESS,
    documentsRoute('/v1/identity/documents', 'person', IdentityView),
    async (c) => (await takeDocument(c, 'person', c.req.valid('query').kind)) ?? c.json(await viewOf(c), 200),
  );
}

function statementError(refusal: StatementRefusal): ApiError {
  if (refusal.reason !== 'invalid') return conflictOf(refusal.reason);
  return apiError('VALIDATION_ERROR', 'something stated does not do', { ...refusal.problems });
}

async function viewOf(c: AppContext): Promise<z.infer<typeof IdentityView>> {
  const known: Identity | null = await identityOfUser(c.env, principalOf(c).userId);
  const identity = isOf(known, 'person') ? known : null;
  const missing = identity === null ? null : missingOf(c.env, identity);
  return {
    subject: known?.subject ?? null,
    ...standingView(identity, 'person'),
    facts: { ...maskedFacts(identity?.facts ?? NOTHING_STATED) },
    missing: {
      facts: FACTS.filter((name) => missing?.facts.includes(name) ?? true),
      documents: SLOTS_OF.person.filter((slot) => missing?.documents.includes(slot) ?? true),
      attestations: ATTESTATION_NAMES.filter((name) => missing?.attestations.includes(name) ?? true),
    },
    countries: [...countriesOf(c.env)],
  };
}
