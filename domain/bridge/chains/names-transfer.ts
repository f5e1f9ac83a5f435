import type { PaymentOrder, Vault } from './chain-adapter.ts';
import type { ChainName } from './chain-name.ts';

/** Chains whose transactions have no room for whose payment they are. */
const NAMELESS: readonly ChainName[] = ['near', 'polkadot', 'aptos', 'tezos'];
/** Where a memo of the payee takes the place of the commitment. */
const NAMED_BY_MEMO: readonly ChainName[] = ['stellar', 'cosmos'];
/** An address of Stellar that says itself what its payments carry: no memo stands beside it. */
const MUXED = /^M[A-Z2-7]{68}$/;

/** Whether the bytes of a payment say whose it is (docs/design/bridge/references.md). Else those of two transfers may be the same, and one transaction would settle both. */
export function namesTransfer(
  { chain, custody }: Pick<Vault, 'chain' | 'custody'>,
  { to, memo }: Pick<PaymentOrder, 'to' | 'memo'>,
): boolean {
  // A provider is given an id that follows from the transfer.
  if (custody !== undefined) return true;
  if (NAMELESS.includes(chain)) return false;
  return !NAMED_BY_MEMO.includes(chain) || (memo === undefined && !MUXED.test(to));
}
