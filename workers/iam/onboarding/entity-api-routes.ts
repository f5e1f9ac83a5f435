import { createRoute, z } from '@hono/zod-openapi';
import { type EntityRefusal, reopenEntity, stateEntity } from '../../../application/onboarding/entity.ts';
import { countriesOf, identityOfUser, missingOf } from '../../../application/onboarding/identity.ts';
import { submitIdentity } from '../../../application/onboarding/submit-identity.ts';
import {
  ENTITY_FACT_NAMES,
  ENTITY_FORMS,
  type EntityFactName,
  maskedEntity,
  NO_ENTITY,
  NOTHING_STATED_OF_PARTY,
  OWNER_SHARE_BPS_MIN,
  PARTIES_MAX,
  PARTY_FACT_NAMES,
  PARTY_ROLES,
  type PartyFactName,
} from '../../../domain/onboarding/entity-facts.ts';
import { type AttestationName, ENTITY_ATTESTATIONS } from '../../../domain/onboarding/identity-attestations.ts';
import { SLOTS_OF } from '../../../domain/onboarding/identity-documents.ts';
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

const ATTESTATION_NAMES = ENTITY_ATTESTATIONS.map(({ name }) => name) as [AttestationName];
const FACTS = ENTITY_FACT_NAMES as [EntityFactName];
const PARTY_FACTS = PARTY_FACT_NAMES as [PartyFactName];
const PARTY_GAPS = [...PARTY_ROLES, 'parties'] as const;

const text = z.string().max(200).optional();
const prose = z.string().max(1_000).optional();
const country = text.openapi({ description: 'ISO 3166-1 alpha-2.' });

const PartyRequest = z
  .strictObject({
    roles: z.array(z.enum(PARTY_ROLES)).min(1).max(PARTY_ROLES.length),
    shareBps: z
      .int()
      .nullable()
      .default(null)
      .openapi({ description: `Basis points of the equity, ${OWNER_SHARE_BPS_MIN} to 10000; of owners alone.` }),
    facts: z.strictObject({
      legalName: text,
      birthDate: text.openapi({ description: 'YYYY-MM-DD.' }),
      country,
      street: text,
      city: text,
      region: text.openapi({ description: 'Of the US the state.' }),
      postalCode: text,
      taxId: text.openapi({ description: 'Of the US an SSN or ITIN. It may be left out where there is a passport.' }),
      passport: text,
      passportCountry: country,
      title: text.openapi({ description: 'Of who controls or acts.' }),
    }),
  })
  .openapi('EntityPartyRequest');

const EntityRequest = z
  .strictObject({
    facts: z
      .strictObject({
        legalName: text,
        form: text.openapi({ description: `One of ${ENTITY_FORMS.join(', ')}.` }),
        formationCountry: country,
        formationRegion: text.openapi({ description: 'Of the US the state.' }),
        registrationNumber: text,
        country,
        street: text,
        postalCode: text,
        city: text,
        region: text,
        taxId: text.openapi({ description: 'Of the US an EIN.' }),
        activity: prose,
        sourceOfFunds: prose,
      })
      .default({}),
    nobodyOwns: z.boolean().optional().openapi({ description: 'Nobody owns 25 % or more.' }),
    parties: z
      .array(PartyRequest)
      .max(PARTIES_MAX)
      .optional()
      .openapi({ description: 'All of them, in place of those before: they are not given back in the clear.' }),
    attestations: attestationsOf(ATTESTATION_NAMES),
    submit: submitField,
    startOver,
    reopen: z.boolean().default(false).openapi({
      description:
        'Of an entity that is approved: it is stated anew, from here on. Its account places no orders until that is decided on. From `renewableFrom` on it is a renewal, and the approval counts meanwhile.',
    }),
  })
  .openapi('EntityRequest');

const EntityView = z
  .object({
    subject: z.enum(IDENTITY_SUBJECTS).nullable().openapi({
      description:
        'Whose account it is; null before anything is stated. Of a person nothing else stands here: `/v1/identity` has it.',
    }),
    state: z.enum(['NONE', ...IDENTITY_STATES]),
    reason: z.string().nullable().openapi({ description: 'An operator’s word to the user.' }),
    facts: z.record(z.enum(FACTS), z.string()).openapi({ description: 'As they are shown: masked.' }),
    nobodyOwns: z.boolean(),
    parties: z.array(
      z.object({
        id: z.string(),
        roles: z.array(z.enum(PARTY_ROLES)),
        shareBps: z.int().nullable(),
        facts: z.record(z.enum(PARTY_FACTS), z.string()).openapi({ description: 'As they are shown: masked.' }),
      }),
    ),
    documents: z.array(DocumentView),
    missing: z.object({
      facts: z.array(z.enum(FACTS)),
      parties: z.array(z.enum(PARTY_GAPS)),
      documents: z.array(z.enum(SLOTS_OF.entity)),
      attestations: z.array(z.enum(ATTESTATION_NAMES)),
    }),
    attestations: z.array(z.object({ name: z.enum(ATTESTATION_NAMES), version: z.string(), text: z.string() })),
    countries: z.array(z.string()),
    submittedAt: time,
    decidedAt: time,
    ...approvalTimes,
  })
  .openapi('Entity');

/** GET and POST /v1/entity; POST /v1/entity/documents: for which entity the caller acts, and who is behind it (docs/design/onboarding.md#an-entity). */
export function entityApiRoutes(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/entity',
      tags: ['identity'],
      summary: 'The entity that the account belongs to, masked, and what is missing',
      responses: { 200: jsonOf('The entity.', EntityView) },
    }),
    async (c) => notThePerson(c) ?? c.json(await viewOf(c), 200),
  );

  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private', idempotent: 'unstored', errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/entity',
      tags: ['identity'],
      summary: 'State for which entity one acts and who is behind it, and hand it in',
      description: 'What is left out stays as it is. Nothing is written down where something is wrong.',
      request: { body: { required: true, content: { 'application/json': { schema: EntityRequest } } } },
      responses: { 200: jsonOf('The entity.', EntityView) },
    }),
    async (c) => {
      const stranger = notThePerson(c);
      if (stranger !== null) return stranger;
      const { facts, nobodyOwns, parties, attestations, submit, startOver: mayStartOver, reopen } = c.req.valid('json');
      let begun = await identityFor(c, 'entity', mayStartOver);
      if (!begun.ok) return failure(c, begun.error);
      if (reopen && (await reopenEntity(c.env, begun.value))) begun = await identityFor(c, 'entity', false);
      if (!begun.ok) return failure(c, begun.error);
      if (isRepetition(c) && !isOpenToPerson(begun.value.row, Date.now())) return c.json(await viewOf(c), 200);
      const change = {
        facts: presentOf(facts),
        ...(nobodyOwns === undefined ? {} : { nobodyOwns }),
        ...(parties === undefined
          ? {}
          : {
              parties: parties.map((party) => ({
                ...party,
                facts: { ...NOTHING_STATED_OF_PARTY, ...presentOf(party.facts) },
              })),
            }),
      };
      const isChanged = Object.keys(change).length > 1 || Object.keys(change.facts).length + attestations.length > 0;
      if (isChanged) {
        const stated = await stateEntity(c.env, begun.value, change, attestations);
        if (!stated.ok) return failure(c, statementError(stated.error));
      }
      const stands = await identityOfUser(c.env, principalOf(c).userId);
      if (submit && isOf(stands, 'entity')) {
        const submitted = await submitIdentity(c.env, stands);
        if (!submitted.ok) return failure(c, conflictOf(submitted.error));
      }
      return c.json(await viewOf(c), 200);
    },
  );

  registerRoute(
    iam,
    DOCUMENTS_ACCESS,
    documentsRoute('/v1/entity/documents', 'entity', EntityView),
    async (c) => (await takeDocument(c, 'entity', c.req.valid('query').kind)) ?? c.json(await viewOf(c), 200),
  );
}

function presentOf<Name extends string>(
  facts: Readonly<Partial<Record<Name, string | undefined>>>,
): Partial<Record<Name, string>> {
  const present = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Partial<Record<Name, string>>;
}

function statementError(refusal: EntityRefusal): ApiError {
  const said = 'something stated does not do';
  switch (refusal.reason) {
    case 'invalid':
      return apiError('VALIDATION_ERROR', said, { ...refusal.problems });
    case 'invalid_party':
      return apiError('VALIDATION_ERROR', said, { party: String(refusal.at), ...refusal.problems });
    case 'invalid_parties':
      return apiError('VALIDATION_ERROR', said, { parties: refusal.problem });
    default:
      return conflictOf(refusal.reason);
  }
}

async function viewOf(c: AppContext): Promise<z.infer<typeof EntityView>> {
  const known = await identityOfUser(c.env, principalOf(c).userId);
  const identity = isOf(known, 'entity') ? known : null;
  const missing = identity === null ? null : missingOf(c.env, identity);
  const { facts, nobodyOwns, parties } = maskedEntity(identity?.entity ?? NO_ENTITY);
  return {
    subject: known?.subject ?? null,
    ...standingView(identity, 'entity'),
    facts: { ...facts },
    nobodyOwns,
    parties: parties.map(({ id, roles, shareBps, facts: of }) => ({
      id,
      roles: [...roles],
      shareBps,
      facts: { ...of },
    })),
    missing: {
      facts: FACTS.filter((name) => missing?.facts.includes(name) ?? true),
      parties: PARTY_GAPS.filter((gap) => missing?.parties.includes(gap) ?? gap !== 'parties'),
      documents: SLOTS_OF.entity.filter((slot) => missing?.documents.includes(slot) ?? true),
      attestations: ATTESTATION_NAMES.filter((name) => missing?.attestations.includes(name) ?? true),
    },
    countries: [...countriesOf(c.env)],
  };
}
