import { uuidv7 } from 'uuidv7';
import { findAccountOfUser } from '../../data/accounts/accounts.ts';
import { database } from '../../data/database.ts';
import {
  addIdentity,
  announceDocument,
  confirmDocument,
  type DocumentRow,
  deleteDocuments,
  findIdentity,
  findIdentityOfUser,
  type IdentityRow,
  listAllDocuments,
  listDocuments,
  stateFacts,
  takeBackOlder,
} from '../../data/onboarding/identities.ts';
import { replaceShredded } from '../../data/onboarding/identity-retention.ts';
import { openPersonKeys, type PersonKey } from '../../data/onboarding/person-keys.ts';
import {
  type EntityFactName,
  type EntityStatement,
  missingOfEntity,
  missingParties,
  NO_ENTITY,
  type PartyGap,
} from '../../domain/onboarding/entity-facts.ts';
import {
  ATTESTATIONS_OF,
  type AttestationName,
  missingAttestations,
} from '../../domain/onboarding/identity-attestations.ts';
import {
  currentDocuments,
  type DocumentKind,
  type DocumentSlot,
  documentTypeOf,
  isShownOf,
  mayBe,
  missingDocuments,
} from '../../domain/onboarding/identity-documents.ts';
import {
  type FactName,
  type FactProblem,
  type IdentityFacts,
  isAnotherPerson,
  missingFacts,
  NOTHING_STATED,
  problemOf,
  servedCountries,
  tidied,
} from '../../domain/onboarding/identity-facts.ts';
import { isOpenToPerson } from '../../domain/onboarding/identity-state.ts';
import type { Stated } from '../../domain/onboarding/identity-verification.ts';
import { err, ok, type Result } from '../../domain/result.ts';

interface Kept {
  readonly row: IdentityRow;
  /** What counts of what was shown: the newest of each. */
  readonly documents: readonly DocumentRow[];
}

/** Who somebody says they are, or for whom they act, opened. */
export type Identity = Kept & Stated;
export type PersonIdentity = Extract<Identity, { readonly subject: 'person' }>;
export type EntityIdentity = Extract<Identity, { readonly subject: 'entity' }>;

/** Why a person states nothing here: they have no account, or it was decided on without them. */
export type NoIdentity = 'no_account' | 'decided_elsewhere';

export function personKeysOf(env: Env) {
  return openPersonKeys(env.IDENTITY_KEYS, env.IDENTITY_MASTER_KEYS);
}

/** Countries whose people are served: the var IDENTITY_COUNTRIES. */
export function countriesOf(env: Env): readonly string[] {
  return servedCountries(env.IDENTITY_COUNTRIES as string);
}

const factsContext = (id: string): readonly string[] => ['facts', id];
const documentContext = ({ id, kind }: Pick<DocumentRow, 'id' | 'kind'>): readonly string[] => ['document', id, kind];

/** @throws where the statements are there, and do not open */
export async function openStated(row: IdentityRow, key: PersonKey | null): Promise<Stated> {
  const stated = await openJson(row, key);
  if (row.subject === 'entity')
    return { subject: 'entity', entity: { ...NO_ENTITY, ...(stated as Partial<EntityStatement>) } };
  return { subject: 'person', facts: { ...NOTHING_STATED, ...(stated as Partial<IdentityFacts>) } };
}

async function openJson(row: IdentityRow, key: PersonKey | null): Promise<object> {
  if (row.facts === '' || key === null) return {};
  const opened = await key.open(bytesOf(row.facts), factsContext(row.id));
  if (opened === null) throw new Error('what a person has stated does not open');
  return JSON.parse(new TextDecoder().decode(opened)) as object;
}

export async function openIdentity(env: Env, row: IdentityRow): Promise<Identity> {
  const [key, documents] = await Promise.all([
    row.facts === '' ? null : personKeysOf(env).open(row.id),
    listDocuments(database(env.DB), row.id),
  ]);
  return { row, ...(await openStated(row, key)), documents: currentDocuments(documents) };
}

/** The identity of a user; null where none was begun. */
export async function identityOfUser(env: Env, userId: string): Promise<Identity | null> {
  const row = await findIdentityOfUser(database(env.DB), userId);
  return row === null ? null : openIdentity(env, row);
}

/**
 * The same, begun where there is none, or nothing is left of it but what was decided. An account that an operator has decided on is not decided on again; a refusal of an identity that is gone keeps
 * nobody from beginning anew.
 */
export async function beginIdentity(env: Env, userId: string): Promise<Result<Identity, NoIdentity>> {
  const db = database(env.DB);
  const known = await findIdentityOfUser(db, userId);
  if (known !== null && known.shreddedAt === null) return ok(await openIdentity(env, known));
  const account = await findAccountOfUser(db, userId);
  if (account === null || account.boundary) return err('no_account');
  const { id, owner, kycStatus } = account;
  if (known === null) {
    if (kycStatus !== 'pending') return err('decided_elsewhere');
    await addIdentity(db, { id: uuidv7(), userId, account: id, owner }, Date.now());
  } else if (kycStatus === 'pending' || (kycStatus === 'rejected' && known.state === 'REFUSED'))
    await replaceShredded(db, known, uuidv7(), Date.now());
  const begun = await findIdentityOfUser(db, userId);
  if (begun === null) throw new Error('an identity that was begun is not there');
  return ok(await openIdentity(env, begun));
}

type StatementProblems = Readonly<Partial<Record<FactName, FactProblem>>>;

export type StatementRefusal = { readonly reason: 'invalid'; readonly problems: StatementProblems } | NotWritten;

/** It is handed in, or has changed meanwhile, or as much was stated today as may be. */
export interface NotWritten {
  readonly reason: 'not_open' | 'changed' | 'too_many';
}

/** A statement of which text, in which version. */
export interface Attesting {
  readonly name: AttestationName;
  readonly version: string;
}

/** Writes down what a person states; nothing of it where something is wrong. */
export async function stateIdentity(
  env: Env,
  { row, facts: before }: Pick<PersonIdentity, 'row' | 'facts'>,
  stated: Readonly<Partial<IdentityFacts>>,
  attesting: readonly Attesting[],
): Promise<Result<null, StatementRefusal>> {
  const now = Date.now();
  if (!isOpenToPerson(row, now) || row.shreddedAt !== null) return err({ reason: 'not_open' });
  const changed = Object.entries(stated).map(([name, value]) => [name, tidied(name as FactName, value)]);
  const facts: IdentityFacts = { ...before, ...(Object.fromEntries(changed) as Partial<IdentityFacts>) };
  const terms = { country: facts.country, served: countriesOf(env), now };
  const problems: Partial<Record<FactName, FactProblem>> = {};
  for (const name of Object.keys(stated) as FactName[]) {
    const problem = problemOf(name, facts[name], terms);
    if (problem !== null) problems[name] = problem;
  }
  if (Object.keys(problems).length > 0) return err({ reason: 'invalid', problems });
  return writeStated(env, row, facts, { attesting, isAnother: isAnotherPerson(before, facts) });
}

/** Seals what is stated, of a person or of an entity, and writes it down with what is attested. */
export async function writeStated(
  env: Env,
  row: IdentityRow,
  stated: object,
  { attesting, isAnother }: { readonly attesting: readonly Attesting[]; readonly isAnother: boolean },
): Promise<Result<null, NotWritten>> {
  const now = Date.now();
  const isInForce = ({ name, version }: Attesting) =>
    ATTESTATIONS_OF[row.subject].some((known) => known.name === name && known.version === version);
  if (!attesting.every(isInForce)) return err({ reason: 'changed' });
  const newly = missingAttestations(row.attested, row.subject).filter((name) =>
    attesting.some((made) => made.name === name),
  );
  const attested = [
    ...row.attested,
    ...attesting.filter(({ name }) => newly.includes(name)).map((made) => ({ ...made, at: now })),
  ];
  const key = await personKeysOf(env).create(row.id);
  const sealed = await key.seal(new TextEncoder().encode(JSON.stringify(stated)), factsContext(row.id));
  // Who is approved again by the provider alone is who was approved before.
  const needsPerson = isApprovedAgain(row) && isAnother;
  const db = database(env.DB);
  if (await stateFacts(db, row, { facts: textOf(sealed), attested, needsPerson }, now)) return ok(null);
  await endKeyOfShredded(env, row.id);
  const after = await findIdentity(db, row.id);
  return err({ reason: after?.version === row.version && isOpenToPerson(after, now) ? 'too_many' : 'changed' });
}

export type DocumentRefusal = 'not_a_document' | 'too_many' | 'not_open';

/**
 * Stores a document. Its row is written first: what a crash leaves is swept. Under an id that is there already nothing more is done.
 *
 * @param id UUIDv7 of the upload
 */
export async function showDocument(
  env: Env,
  { row }: Identity,
  { id, kind, bytes }: { readonly id: string; readonly kind: DocumentKind; readonly bytes: Uint8Array },
): Promise<Result<null, DocumentRefusal>> {
  const type = documentTypeOf(bytes);
  if (type === null || !mayBe(kind, type) || !isShownOf(row.subject, kind)) return err('not_a_document');
  if (!isOpenToPerson(row, Date.now()) || row.shreddedAt !== null) return err('not_open');
  const db = database(env.DB);
  const known = (await listAllDocuments(db, row.id)).find((document) => document.id === id);
  if (known !== undefined && known.storedAt !== null) return ok(null);
  const object = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  const now = Date.now();
  const announced = { id, identity: row.id, kind, type, bytes: bytes.byteLength, object, createdAt: now };
  const document = known ?? announced;
  if (known === undefined && !(await announceDocument(db, announced))) return err('too_many');
  const key = await personKeysOf(env).create(row.id);
  await env.IDENTITY_DOCUMENTS.put(document.object, await key.seal(bytes, documentContext(document)));
  if (!(await confirmDocument(db, document, row.subject, Date.now()))) {
    await forgetDocuments(env, [document]);
    await endKeyOfShredded(env, row.id);
    return err('not_open');
  }
  // What a crash leaves here was taken back, and is swept.
  await forgetDocuments(env, await takeBackOlder(db, document, Date.now()));
  return ok(null);
}

/** The bytes first: a row that is left names what is to be deleted. */
export async function forgetDocuments(
  env: Env,
  documents: readonly { readonly id: string; readonly object: string }[],
): Promise<void> {
  if (documents.length === 0) return;
  await env.IDENTITY_DOCUMENTS.delete(documents.map(({ object }) => object));
  await deleteDocuments(
    database(env.DB),
    documents.map(({ id }) => id),
  );
}

/** Whoever was stating or showing something while the identity was shredded has made its key once more: it goes again. */
async function endKeyOfShredded(env: Env, id: string): Promise<void> {
  const row = await findIdentity(database(env.DB), id);
  if (row === null || row.shreddedAt !== null) await personKeysOf(env).destroy(id);
}

/** The bytes of a document; null where they are gone. */
export async function readDocumentBytes(env: Env, document: DocumentRow): Promise<Uint8Array<ArrayBuffer> | null> {
  const [key, object] = await Promise.all([
    personKeysOf(env).open(document.identity),
    env.IDENTITY_DOCUMENTS.get(document.object),
  ]);
  if (key === null || object === null) return null;
  return key.open(new Uint8Array(await object.arrayBuffer()), documentContext(document));
}

export interface Missing {
  readonly facts: readonly (FactName | EntityFactName)[];
  /** Of an entity: whose statement is missing. */
  readonly parties: readonly PartyGap[];
  readonly documents: readonly DocumentSlot[];
  readonly attestations: readonly AttestationName[];
}

/** Whether it was approved, and what comes now is to be approved again. */
const isApprovedAgain = ({ state }: IdentityRow): boolean => state === 'EXPIRED' || state === 'APPROVED';

/** What still has to be stated and shown. What was shown for an approval is out of date with it, and when it is renewed. */
export function missingOf(env: Env, identity: Identity): Missing {
  const { row, documents, subject } = identity;
  const terms = { served: countriesOf(env), now: Date.now() };
  const isPerson = identity.subject === 'person';
  return {
    facts: isPerson ? missingFacts(identity.facts, terms) : missingOfEntity(identity.entity, terms),
    parties: isPerson ? [] : missingParties(identity.entity, terms),
    documents: missingDocuments(
      isApprovedAgain(row) ? documents.filter(({ createdAt }) => createdAt > (row.submittedAt ?? 0)) : documents,
      subject,
    ),
    attestations: missingAttestations(row.attested, subject),
  };
}

export function isComplete({ facts, parties, documents, attestations }: Missing): boolean {
  return facts.length + parties.length + documents.length + attestations.length === 0;
}

function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
