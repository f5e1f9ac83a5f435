import type { Hex } from 'viem';
import { encodeAbiParameters, keccak256, stringToHex } from 'viem/utils';

/** What a signer's word is on, as SignerStake knows it (contracts/bridge/SignerStake.sol). Hexadecimal without `0x`, addresses with it. */
export interface AttestedClaim {
  /** Where it can be proved wrong. */
  readonly chainId: number;
  readonly stake: string;
  /** Id of the organization. */
  readonly organization: string;
  readonly signer: number;
  /** `funds`: they are there. `payment`: this is what it has signed for a reference. `cancel`: that the reference pays nobody. Two kinds never contradict each other. */
  readonly kind: 'funds' | 'payment' | 'cancel';
  /** Commitment of the transfer; of a payment, SHA-256 or keccak of its reference, 32 bytes. */
  readonly subject: string;
  /** What it says of it, 32 bytes. Whoever says two things of one subject is slashed: of funds, nothing goes into it that a reorganization changes, such as their transaction. */
  readonly digest: string;
  /** Of funds that are a burn of wrapped tokens: their contract, and what was burnt; null otherwise. */
  readonly burn: { readonly wrapped: string; readonly burner: string; readonly amount: string } | null;
  /** When the funds had to be there: the end of the transfer's quote, Unix seconds. */
  readonly dueAt: number;
}

const TAG = keccak256(stringToHex('edge.bridge.claim.v1'));
const NOBODY = '0x0000000000000000000000000000000000000000';

/** 32 bytes in hexadecimal without `0x`: `digestOf` of SignerStake. */
export function attestationDigest(claim: AttestedClaim): string {
  const { chainId, stake, organization, signer, kind, subject, digest, burn, dueAt } = claim;
  const encoded = encodeAbiParameters(
    [
      { type: 'bytes32' },
      { type: 'uint256' },
      { type: 'address' },
      { type: 'bytes32' },
      { type: 'uint256' },
      {
        type: 'tuple',
        components: [
          { type: 'bytes32' },
          { type: 'bytes32' },
          { type: 'bytes32' },
          { type: 'address' },
          { type: 'address' },
          { type: 'uint256' },
          { type: 'uint64' },
        ],
      },
    ],
    [
      TAG,
      BigInt(chainId),
      stake as Hex,
      organizationTag(organization),
      BigInt(signer),
      [
        stringToHex(kind, { size: 32 }),
        `0x${subject}`,
        `0x${digest}`,
        (burn?.wrapped ?? NOBODY) as Hex,
        (burn?.burner ?? NOBODY) as Hex,
        BigInt(burn?.amount ?? 0),
        BigInt(dueAt),
      ],
    ],
  );
  return keccak256(encoded).slice(2);
}

/** An organization as contracts name it. */
export function organizationTag(organization: string): Hex {
  return keccak256(stringToHex(organization));
}
