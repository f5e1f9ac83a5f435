import { err, ok, type Result } from '../result.ts';
import { ByteWriter, fromHex, type Hash, isHash } from './bytes.ts';
import { COMMITTEE_SIZE, type Committee, committeeFault, committeeHash, QUORUM } from './committee.ts';
import type { VerifySignature, Vote } from './vote.ts';

/** The word of at least 16 members of a committee that another one comes after it. Each gives one a committee. */
export interface Handover {
  /** Of the committee whose members sign. */
  readonly before: Hash;
  /** By member, ascending. */
  readonly signatures: readonly Pick<Vote, 'member' | 'signature'>[];
}

/** A committee as it is published, with what shows that the one before has named it; null where nothing shows that. */
export interface PublishedCommittee extends Committee {
  readonly handover: Handover | null;
}

/** What a member of a committee signs of the next one: Ed25519 (RFC 8032) over this. */
export function handoverMessage(before: Hash, next: Hash): Uint8Array<ArrayBuffer> {
  return new ByteWriter().tag('edge.committee-handover.v1').hash(before).hash(next).end();
}

/** The word of a member of a committee that a key of a later epoch is its own, which the holder of that key confirms. */
export interface Successor {
  /** Its number in the committee before. */
  readonly member: number;
  /** Its Ed25519 key in the later epoch, hexadecimal. */
  readonly key: string;
  /** By its key in the committee before. */
  readonly signature: string;
  /** By the later key: nobody passes another member's for its own. */
  readonly proof: string;
}

/** What both keys of a member sign (RFC 8032): that the later one is of whoever has the one before. */
export function successorMessage(
  before: Hash,
  epoch: number,
  { from, to }: { readonly from: string; readonly to: string },
): Uint8Array<ArrayBuffer> {
  return new ByteWriter()
    .tag('edge.member-successor.v1')
    .hash(before)
    .u32(epoch)
    .bytes(fromHex(from))
    .bytes(fromHex(to))
    .end();
}

/** How many members of the next committee are strangers: those whose keys no member of the one before shows to be its own. A word that does not hold ends it. */
export async function strangersOf(
  successors: readonly Successor[],
  before: Committee,
  next: Committee,
  verify: VerifySignature,
): Promise<Result<number, string>> {
  if (successors.some(({ member }, at) => at > 0 && member <= (successors[at - 1]?.member ?? -1)))
    return err('its successors have no order');
  const of = committeeHash(before);
  for (const { member, key, signature, proof } of successors) {
    const from = before.keys[member];
    if (from === undefined) return err(`the committee has no member ${member}`);
    if (!isHash(key) || !next.keys.includes(key)) return err(`the successor of member ${member} is not of it`);
    const message = successorMessage(of, next.epoch, { from, to: key });
    if (!(await verify(from, message, signature)) || !(await verify(key, message, proof)))
      return err(`the successor of member ${member} is not its own`);
  }
  return ok(COMMITTEE_SIZE - new Set(successors.map(({ key }) => key)).size);
}

/** Null where it shows that the committee before has named the next one; else why not. Every signature of it must hold, also beyond the quorum. */
export async function handoverFault(
  { before: named, signatures }: Handover,
  before: Committee,
  next: Committee,
  verify: VerifySignature,
): Promise<string | null> {
  const wrong = committeeFault(before) ?? committeeFault(next);
  if (wrong !== null) return `committee: ${wrong}`;
  if (next.epoch <= before.epoch) return 'its epoch is not later';
  const of = committeeHash(before);
  if (named !== of) return 'it is of another committee';
  if (signatures.length < QUORUM) return `it has ${signatures.length} signatures and not ${QUORUM}`;
  if (signatures.some(({ member }, at) => at > 0 && member <= (signatures[at - 1]?.member ?? -1)))
    return 'its signatures have no order';
  const message = handoverMessage(of, committeeHash(next));
  const checks = signatures.map(async ({ member, signature }) => {
    const key = before.keys[member];
    if (key === undefined) return `the committee has no member ${member}`;
    return (await verify(key, message, signature)) ? null : `the signature of member ${member} is not its own`;
  });
  return (await Promise.all(checks)).find((fault) => fault !== null) ?? null;
}

/**
 * Committees that whoever trusts one of these has to trust, too: it, and those after it that are named from one to the next. What was published is not believed beyond that.
 *
 * @param published in the order of their epochs
 * @param known hashes of committees that are known from elsewhere
 */
export async function trustedCommittees(
  published: readonly PublishedCommittee[],
  known: readonly Hash[],
  verify: VerifySignature,
): Promise<ReadonlySet<Hash>> {
  const trusted = new Set(known);
  const byHash = new Map(published.map((committee) => [committeeHash(committee), committee]));
  for (const [hash, { handover, ...next }] of byHash) {
    if (trusted.has(hash)) continue;
    const before = handover === null || !trusted.has(handover.before) ? undefined : byHash.get(handover.before);
    if (handover === null || before === undefined) continue;
    if ((await handoverFault(handover, before, next, verify)) === null) trusted.add(hash);
  }
  return trusted;
}
