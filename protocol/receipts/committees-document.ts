import { z } from 'zod';
import { COMMITTEE_SIZE, committeeHash } from '../../domain/consensus/committee.ts';
import type { PublishedCommittee } from '../../domain/consensus/handover.ts';
import { Hash, hexOf, Member } from './fields.ts';
import { CommitteeDocument } from './receipt-document.ts';

/** Of the document: another field, or another meaning of one, is another version. */
const COMMITTEES_VERSION = 'edge.committees.v1';

/** Committees of one answer: some 5 kB each. */
export const COMMITTEES_PAGE = 50;

/**
 * Where the members of a committee live. `embedded`: in one object of the venue, with keys from one secret, so that their votes are the venue's own word. `objects`: each in an object of the
 * venue's, with a key of its own. `places`: some or all in processes of their own.
 */
export const COMMITTEE_MEMBERS = ['embedded', 'objects', 'places'] as const;

export type CommitteeMembers = (typeof COMMITTEE_MEMBERS)[number];

/** A committee with the word of the one before it; null where nothing shows that. */
export const NamedCommittee = z.strictObject({
  ...CommitteeDocument.shape,
  handover: z
    .strictObject({
      before: Hash,
      signatures: z.array(z.strictObject({ member: Member, signature: hexOf(64) })).max(COMMITTEE_SIZE),
    })
    .nullable(),
});

const Published = z.strictObject({
  ...NamedCommittee.shape,
  hash: Hash,
  members: z.enum(COMMITTEE_MEMBERS).nullable(),
});

/** What a venue publishes of its committees, in the order of their epochs. */
export const CommitteesDocument = z.strictObject({
  version: z.literal(COMMITTEES_VERSION),
  committees: z.array(Published).max(COMMITTEES_PAGE),
});

export type CommitteesDocument = z.infer<typeof CommitteesDocument>;

export interface ShownCommittee extends PublishedCommittee {
  /** Null where that was not noted when it was formed. */
  readonly members: CommitteeMembers | null;
}

export function committeesDocument(shown: readonly ShownCommittee[]): CommitteesDocument {
  return {
    version: COMMITTEES_VERSION,
    committees: shown.map(({ epoch, keys, members, handover }) => ({
      epoch,
      keys: [...keys],
      hash: committeeHash({ epoch, keys }),
      members,
      handover: handover === null ? null : { ...handover, signatures: [...handover.signatures] },
    })),
  };
}
