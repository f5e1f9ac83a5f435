import type { IdentitySubject } from './identity-state.ts';

/**
 * What a person shows: who they are, by one of two, where they live, and their face. For an entity: by what it was formed (articles, deed of trust or partnership agreement), that it is in good
 * standing, and who may act for it.
 */
export const DOCUMENT_KINDS = [
  'passport',
  'driving_licence',
  'proof_of_address',
  'selfie',
  'articles',
  'good_standing',
  'authorisation',
] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** What has to be shown of whom. */
export const SLOTS_OF = {
  person: ['identity', 'proof_of_address', 'selfie'],
  entity: ['articles', 'good_standing', 'authorisation'],
} as const satisfies Readonly<Record<IdentitySubject, readonly string[]>>;

export type DocumentSlot = (typeof SLOTS_OF)[IdentitySubject][number];

const DOCUMENT_SLOTS: readonly DocumentSlot[] = [...SLOTS_OF.person, ...SLOTS_OF.entity];

export function isShownOf(subject: IdentitySubject, kind: DocumentKind): boolean {
  return (SLOTS_OF[subject] as readonly DocumentSlot[]).includes(slotOf(kind));
}

export function kindsOf(slot: DocumentSlot): DocumentKind[] {
  return DOCUMENT_KINDS.filter((kind) => slotOf(kind) === slot);
}

export function slotOf(kind: DocumentKind): DocumentSlot {
  return kind === 'passport' || kind === 'driving_licence' ? 'identity' : kind;
}

export const DOCUMENT_BYTES_MAX = 10 * 1_024 * 1_024;
/** Of one person between two handings in, uploads that are under way among them. Another of the same slot takes the place of one that was not handed in. */
export const DOCUMENTS_MAX = 12;

export const DOCUMENT_TYPES = ['image/jpeg', 'image/png', 'application/pdf'] as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

const FIRST_BYTES: Readonly<Record<DocumentType, readonly number[]>> = {
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
};

/** Told by its first bytes, never by its name or what its sender says; null for anything else. */
export function documentTypeOf(bytes: Uint8Array): DocumentType | null {
  return DOCUMENT_TYPES.find((type) => FIRST_BYTES[type].every((byte, at) => bytes[at] === byte)) ?? null;
}

/** A face is shown by a picture. */
export function mayBe(kind: DocumentKind, type: DocumentType): boolean {
  return kind !== 'selfie' || type !== 'application/pdf';
}

interface Shown {
  readonly id: string;
  readonly kind: DocumentKind;
}

/** The newest of each that is to be shown. Ids are UUIDv7, so the newest has the last one. */
export function currentDocuments<Document extends Shown>(documents: readonly Document[]): Document[] {
  return DOCUMENT_SLOTS.flatMap((slot) => {
    const of = documents.filter(({ kind }) => slotOf(kind) === slot).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return of.slice(-1);
  });
}

export function missingDocuments(documents: readonly Shown[], subject: IdentitySubject): DocumentSlot[] {
  return SLOTS_OF[subject].filter((slot) => !documents.some(({ kind }) => slotOf(kind) === slot));
}
