import { ByteWriter, type Hash } from './bytes.ts';

/**
 * A member's word that it takes this block, and all before it, for final. It names no round: votes of all rounds count together, and a member
 * gives one a height.
 */
export interface Vote {
  /** The member's number in its committee. */
  readonly member: number;
  readonly height: number;
  readonly hash: Hash;
  /** Ed25519 (RFC 8032) over `voteMessage`, 64 bytes in hexadecimal. */
  readonly signature: string;
}

/** What a vote signs. */
export function voteMessage(committee: Hash, height: number, hash: Hash): Uint8Array<ArrayBuffer> {
  return new ByteWriter().tag('edge.vote.v1').hash(committee).u64(height).hash(hash).end();
}

/** Whether a signature over a message is this key's (hexadecimal). */
export type VerifySignature = (key: string, message: Uint8Array<ArrayBuffer>, signature: string) => Promise<boolean>;
