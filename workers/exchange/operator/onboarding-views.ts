import { z } from '@hono/zod-openapi';
import { openStated, personKeysOf } from '../../../application/onboarding/identity.ts';
import { findAccountHolders } from '../../../data/accounts/account-holders.ts';
import { database } from '../../../data/database.ts';
import { listParties, type PartyRow } from '../../../data/onboarding/entities.ts';
import { type IdentityRow, listDocuments } from '../../../data/onboarding/identities.ts';
import { type EntityStatement, maskedEntity, PARTY_ROLES } from '../../../domain/onboarding/entity-facts.ts';
import { DOCUMENT_KINDS, DOCUMENT_TYPES } from '../../../domain/onboarding/identity-documents.ts';
import { maskedFacts } from '../../../domain/onboarding/identity-facts.ts';
import { IDENTITY_STATES, IDENTITY_SUBJECTS } from '../../../domain/onboarding/identity-state.ts';
import { PARTY_FINDINGS, SCREENING_RESULTS, type Stated } from '../../../domain/onboarding/identity-verification.ts';
import type { AppContext } from '../../middleware/app-env.ts';

const time = z.iso.datetime().nullable();

export const QueueItem = z
  .object({
    id: z.string(),
    submission: z.string().nullable().openapi({ description: 'Which handing in this is: a decision names it.' }),
    version: z
      .int()
      .openapi({ description: 'Another one with each finding, statement and decision: a decision names it.' }),
    accountId: z.string(),
    userId: z.string(),
    name: z.string().nullable().openapi({ description: 'By which their user is known here.' }),
    owner: z.string(),
    subject: z
      .enum(IDENTITY_SUBJECTS)
      .openapi({ description: 'Whose account it is: the person’s, or that of an entity that they act for.' }),
    state: z.enum(IDENTITY_STATES),
    provider: z.string().nullable(),
    sanctions: z.enum(SCREENING_RESULTS),
    adverseMedia: z.enum(SCREENING_RESULTS),
    checkedAt: time,
    expiresAt: time,
    approvedUntil: time.openapi({
      description:
        'Until when an approval of before counts, while another handing in is decided on. A refusal ends it at once, whatever the state.',
    }),
    reason: z.string().nullable().openapi({
      description:
        'What was found. Of one who was asked back, or whom an operator has refused: what was written to them.',
    }),
    submittedAt: time,
    decidedAt: time,
    decidedBy: z.string().nullable(),
  })
  .openapi('OnboardingItem');

const Facts = z
  .object({
    legalName: z.string(),
    birthDate: z.string(),
    country: z.string(),
    street: z.string(),
    city: z.string(),
    region: z.string(),
    postalCode: z.string(),
    taxId: z.string(),
  })
  .openapi('IdentityFacts');

const Party = z
  .object({
    id: z.string(),
    roles: z.array(z.enum(PARTY_ROLES)),
    shareBps: z.int().nullable().openapi({ description: 'Basis points; null of who owns less than 25 %.' }),
    facts: Facts.extend({ passport: z.string(), passportCountry: z.string(), title: z.string() }),
    finding: z.enum(PARTY_FINDINGS),
    sanctions: z.enum(SCREENING_RESULTS),
    adverseMedia: z.enum(SCREENING_RESULTS),
    checkedAt: time,
    expiresAt: time,
    reason: z.string().nullable(),
  })
  .openapi('EntityParty');

const EntityDetail = z
  .object({
    form: z.string(),
    formationCountry: z.string(),
    formationRegion: z.string(),
    registrationNumber: z.string(),
    activity: z.string(),
    sourceOfFunds: z.string(),
    nobodyOwns: z.boolean().openapi({ description: 'It was said that nobody owns 25 % or more.' }),
    parties: z.array(Party),
  })
  .openapi('EntityDetail');

export const Detail = QueueItem.extend({
  facts: Facts,
  entity: EntityDetail.nullable(),
  attested: z.array(z.object({ name: z.string(), version: z.string(), at: z.iso.datetime() })),
  documents: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(DOCUMENT_KINDS),
      type: z.enum(DOCUMENT_TYPES),
      bytes: z.int(),
      createdAt: z.iso.datetime(),
    }),
  ),
}).openapi('Onboarding');

export async function itemsOf(c: AppContext, rows: readonly IdentityRow[]): Promise<z.infer<typeof QueueItem>[]> {
  const holders = await findAccountHolders(
    database(c.env.DB),
    rows.map(({ account }) => account),
  );
  return rows.map((row) => shownOf(row, holders.get(row.account)?.name ?? null));
}

export async function itemOf(c: AppContext, row: IdentityRow): Promise<z.infer<typeof QueueItem>> {
  const holders = await findAccountHolders(database(c.env.DB), [row.account]);
  return shownOf(row, holders.get(row.account)?.name ?? null);
}

function shownOf(row: IdentityRow, name: string | null): z.infer<typeof QueueItem> {
  const { id, account, owner, subject, state, provider, sanctions, adverseMedia, reason, decidedBy } = row;
  return {
    id,
    submission: row.submission,
    version: row.version,
    accountId: account,
    userId: row.userId,
    name,
    owner,
    subject,
    state,
    provider,
    sanctions,
    adverseMedia,
    checkedAt: timeOf(row.checkedAt),
    expiresAt: timeOf(row.expiresAt),
    approvedUntil: timeOf(row.heldUntil),
    reason,
    submittedAt: timeOf(row.submittedAt),
    decidedAt: timeOf(row.decidedAt),
    decidedBy,
  };
}

/** What operators see without asking for more. */
export function maskedStated(stated: Stated): Stated {
  return stated.subject === 'person'
    ? { subject: 'person', facts: maskedFacts(stated.facts) }
    : { subject: 'entity', entity: maskedEntity(stated.entity) };
}

function factsOf({ facts }: EntityStatement): z.infer<typeof Facts> {
  const { legalName, country, street, city, region, postalCode, taxId } = facts;
  return { legalName, birthDate: '', country, street, city, region, postalCode, taxId };
}

/** What was stated now, each party with what was found of them at the handing in. */
function entityOf(
  { facts, nobodyOwns, parties }: EntityStatement,
  found: readonly PartyRow[],
): z.infer<typeof EntityDetail> {
  const { form, formationCountry, formationRegion, registrationNumber, activity, sourceOfFunds } = facts;
  return {
    form,
    formationCountry,
    formationRegion,
    registrationNumber,
    activity,
    sourceOfFunds,
    nobodyOwns,
    parties: parties.map((party) => {
      const of = found.find((one) => one.party === party.id);
      return {
        id: party.id,
        roles: [...party.roles],
        shareBps: party.shareBps,
        facts: { ...party.facts },
        finding: of?.finding ?? 'pending',
        sanctions: of?.sanctions ?? 'unchecked',
        adverseMedia: of?.adverseMedia ?? 'unchecked',
        checkedAt: timeOf(of?.checkedAt ?? null),
        expiresAt: timeOf(of?.expiresAt ?? null),
        reason: of?.reason ?? null,
      };
    }),
  };
}

export async function detailOf(
  c: AppContext,
  row: IdentityRow,
  shown: (stated: Stated) => Stated,
): Promise<z.infer<typeof Detail>> {
  const db = database(c.env.DB);
  const [key, documents, item, found] = await Promise.all([
    personKeysOf(c.env).open(row.id),
    listDocuments(db, row.id),
    itemOf(c, row),
    row.submission === null ? [] : listParties(db, row.submission),
  ]);
  const stated = shown(await openStated(row, key));
  return {
    ...item,
    facts: stated.subject === 'person' ? { ...stated.facts } : factsOf(stated.entity),
    entity: stated.subject === 'person' ? null : entityOf(stated.entity, found),
    attested: row.attested.map(({ name, version, at }) => ({ name, version, at: new Date(at).toISOString() })),
    documents: documents.map(({ id, kind, type, bytes, createdAt }) => ({
      id,
      kind,
      type,
      bytes,
      createdAt: new Date(createdAt).toISOString(),
    })),
  };
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
