import { isEcdsaRight } from '../../signing/ecdsa.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../transfer.ts';
import type { SignerSignature } from '../accounts/three-signatures.ts';
import type { CustodyAccount, PaymentOrder } from '../chain-adapter.ts';
import { approvalDigest, type TransferRequest } from './transfer-request.ts';

const NOTE = /^edge\.bridge\.custody\.v1 (payout|refund|cancel) ([0-9a-f]{64})((?: [0-4]:[0-9a-f]{128}){3})$/;

/** The approvals of a transfer as its note carries them. */
export function approvalNote(
  { kind, commitment }: Pick<PaymentOrder, 'kind' | 'commitment'>,
  signatures: readonly SignerSignature[],
): string {
  const each = signatures.map(({ signer, signature }) => `${signer}:${signature}`);
  return ['edge.bridge.custody.v1', kind, commitment, ...each].join(' ');
}

/**
 * Whether three of an organization's five signers approve of a transfer. The provider asks it before its keys sign (`POST /v2/tx_sign_request` of the co-signer's callback); an
 * order that is cancelled moves funds within the vault alone.
 *
 * @param signerKeys compressed, in the order of their numbers
 */
export function isApproved(
  provider: CustodyAccount['provider'],
  signerKeys: readonly string[],
  request: TransferRequest,
): boolean {
  const [, kind, commitment = '', listed = ''] = NOTE.exec(request.note) ?? [];
  if (kind !== 'payout' && kind !== 'refund' && kind !== 'cancel') return false;
  const { source, destination } = request;
  const staysInside = destination.type === 'VAULT_ACCOUNT' && destination.id === source.id;
  if (staysInside !== (kind === 'cancel') || signerKeys.length !== CLUSTER_SIZE) return false;
  const digest = approvalDigest(provider, { ...request, kind, commitment });
  const each = listed
    .trim()
    .split(' ')
    .map((text) => ({ signer: Number(text[0]), signature: text.slice(2) }));
  const right = each.filter(({ signer, signature }) => isEcdsaRight(signerKeys[signer] ?? '', digest, signature));
  return new Set(right.map(({ signer }) => signer)).size >= CLUSTER_THRESHOLD;
}
