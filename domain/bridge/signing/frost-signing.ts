import type { NonceCommitments } from '@noble/curves/abstract/frost.js';
import { frostIdentifier, frostPublic, frostSecret, type KeyShare, type PublicCluster } from './key-share.ts';
import { type FrostScheme, suiteOf } from './suites.ts';

/** Public halves of two nonces. Hexadecimal, as all here. */
export interface NonceCommitment {
  readonly hiding: string;
  readonly binding: string;
}

/** Their secrets: whoever has them and the share that was made with them has the key share. */
export interface SecretNonces {
  readonly hiding: string;
  readonly binding: string;
}

/** Nonces of one signer for one message. */
export interface SignerNonce extends NonceCommitment {
  readonly signer: number;
}

/** Fresh nonces for one message (RFC 9591, 5.1). */
export function newNonces(share: KeyShare): { readonly secret: SecretNonces; readonly commitment: NonceCommitment } {
  const { nonces, commitments } = suiteOf(share.cluster.scheme as FrostScheme).frost.commit(frostSecret(share));
  return {
    secret: { hiding: hex(nonces.hiding), binding: hex(nonces.binding) },
    commitment: { hiding: hex(commitments.hiding), binding: hex(commitments.binding) },
  };
}

/** A signer's part of one signature (RFC 9591, 5.2). @throws Error where the nonces are not those that it offered */
export function frostShare(
  share: KeyShare,
  nonces: SecretNonces,
  offered: readonly SignerNonce[],
  message: string,
): string {
  const { frost } = suiteOf(share.cluster.scheme as FrostScheme);
  const secret = { hiding: bytes(nonces.hiding), binding: bytes(nonces.binding) };
  const list = commitmentList(share.cluster, offered);
  return hex(frost.signShare(frostSecret(share), frostPublic(share.cluster), secret, list, bytes(message)));
}

/** Whether a signer's part is right (RFC 9591, 5.4). What cannot be read is not. */
export function isFrostShareRight(
  cluster: PublicCluster,
  offered: readonly SignerNonce[],
  message: string,
  signer: number,
  share: string,
): boolean {
  try {
    const { frost } = suiteOf(cluster.scheme as FrostScheme);
    const list = commitmentList(cluster, offered);
    const identifier = frostIdentifier(cluster.scheme, signer);
    return frost.verifyShare(frostPublic(cluster), list, bytes(message), identifier, bytes(share));
  } catch {
    return false;
  }
}

/** The cluster's signature of right parts (RFC 9591, 5.3). @throws Error where one of them is wrong */
export function frostSignature(
  cluster: PublicCluster,
  offered: readonly SignerNonce[],
  message: string,
  shares: readonly { readonly signer: number; readonly share: string }[],
): string {
  const { frost } = suiteOf(cluster.scheme as FrostScheme);
  const byIdentifier = Object.fromEntries(
    shares.map(({ signer, share }) => [frostIdentifier(cluster.scheme, signer), bytes(share)]),
  );
  return hex(frost.aggregate(frostPublic(cluster), commitmentList(cluster, offered), bytes(message), byIdentifier));
}

function commitmentList({ scheme }: PublicCluster, offered: readonly SignerNonce[]): NonceCommitments[] {
  return offered.map(({ signer, hiding, binding }) => ({
    identifier: frostIdentifier(scheme, signer),
    hiding: bytes(hiding),
    binding: bytes(binding),
  }));
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

function hex(value: Uint8Array): string {
  return Buffer.from(value).toString('hex');
}
