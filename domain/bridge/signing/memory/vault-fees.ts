import type { Vault } from '../../chains/chain-adapter.ts';
import { statementDigest } from '../signer-identity.ts';
import type { RecordChange, SignerMemory } from './signer-memory.ts';

/** What a signer knows of a vault's fees, in the vault's own units. */
export interface VaultFees {
  /** What it has seen transfers leave there. */
  readonly earned: bigint;
  /** What payouts of fees below number `next` have paid, deep enough. */
  readonly paid: bigint;
  readonly next: number;
}

type Account = Pick<Vault, 'chain' | 'network' | 'contract' | 'token'>;

export function readFees(memory: SignerMemory, vault: Account): VaultFees {
  const text = memory.read('fees', idOf(vault));
  if (text === null) return { earned: 0n, paid: 0n, next: 0 };
  const { earned, paid, next } = JSON.parse(text) as { earned: string; paid: string; next: number };
  return { earned: BigInt(earned), paid: BigInt(paid), next };
}

export function feesChange(vault: Account, { earned, paid, next }: VaultFees): RecordChange {
  return { kind: 'fees', id: idOf(vault), text: JSON.stringify({ earned: String(earned), paid: String(paid), next }) };
}

/** Whether the fee of a transfer is in the sum of its vault. */
export function isFeeCounted(memory: SignerMemory, commitment: string): boolean {
  return memory.read('fee', commitment) !== null;
}

/**
 * Adds the fee of a transfer to the sum of its vault. That it is counted is written first: what a failure in between leaves is a sum that is too low, never one that is too high.
 */
export function countedFeeChanges(
  memory: SignerMemory,
  commitment: string,
  { vault, units }: { readonly vault: Account; readonly units: bigint },
): readonly RecordChange[] {
  const known = readFees(memory, vault);
  return [
    { kind: 'fee', id: commitment, text: String(units) },
    feesChange(vault, { ...known, earned: known.earned + units }),
  ];
}

/** A contract has sums of their own for its coin and for each token. */
function idOf({ chain, network, contract, token }: Account): string {
  const account = [contract?.toLowerCase() ?? null, token?.toLowerCase() ?? null];
  return statementDigest(['edge.bridge.fees.v1', chain, network, ...account]);
}
