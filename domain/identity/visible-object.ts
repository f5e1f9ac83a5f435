/** Whose something is: its organization, and of a trade that of the other side. */
export interface Owned {
  readonly owner: string | null;
  readonly account: string | null;
  readonly otherOwner: string | null;
  readonly otherAccount: string | null;
}

/**
 * What somebody may see of an object, by the organization that they read (null for all): null where it is not theirs. Of a trade between two
 * organizations each sees its own side alone.
 */
export function visibleTo<T extends Owned>(found: T, reader: string | null): T | null {
  if (reader === null) return found;
  const seesOne = found.owner === reader;
  const seesOther = found.otherOwner === reader;
  if (!(seesOne || seesOther)) return null;
  return {
    ...found,
    owner: seesOne ? found.owner : null,
    account: seesOne ? found.account : null,
    otherOwner: seesOther ? found.otherOwner : null,
    otherAccount: seesOther ? found.otherAccount : null,
  };
}
