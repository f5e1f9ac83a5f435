import type { Address, Hex } from 'viem';
import { encodeAbiParameters, keccak256, stringToHex } from 'viem/utils';

const TAG = keccak256(stringToHex('edge.bridge.v1'));
const NOBODY: Address = '0x0000000000000000000000000000000000000000';

/** What a cluster authorizes at a contract (contracts/bridge/ClusterAuthorized.sol). */
export interface ClusterAction {
  readonly chainId: number;
  readonly contract: Address;
  /** Of the contract's key. */
  readonly generation: number;
  readonly action: 'release' | 'mint' | 'cancel' | 'rotate';
  /** 32 bytes: the reference; of a rotation, x of the next key. */
  readonly id: Hex;
  readonly token: Address | null;
  readonly to: Address | null;
  /** Of a rotation, 1 for an odd y. */
  readonly amount: bigint;
}

/** The 32 bytes that the cluster signs for it. */
export function clusterMessage({ chainId, contract, generation, action, id, token, to, amount }: ClusterAction): Hex {
  const types = ['bytes32', 'uint256', 'address', 'uint256', 'bytes32', 'bytes32', 'address', 'address', 'uint256'];
  return keccak256(
    encodeAbiParameters(
      types.map((type) => ({ type })),
      [
        TAG,
        BigInt(chainId),
        contract,
        BigInt(generation),
        keccak256(stringToHex(action)),
        id,
        token ?? NOBODY,
        to ?? NOBODY,
        amount,
      ],
    ),
  );
}
