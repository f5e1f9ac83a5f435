import type { ChainAdapter, Vault } from '../chain-adapter.ts';
import { xrplRecipient } from '../xrpl/xrpl-address.ts';

/** Whom a provider pays, and the tag by which the recipient tells it apart. */
export interface CustodyPayee {
  readonly address: string;
  readonly tag: string | null;
}

/** @throws RangeError where it is no address of the vault's network, or one whose form the provider does not take */
export function payeeOf(chain: Pick<ChainAdapter, 'addressOf'>, vault: Vault, to: string): CustodyPayee {
  if (chain.addressOf(to, vault.network) !== to) throw new RangeError(`no address of ${vault.chain}`);
  if (vault.chain === 'stellar' && to.startsWith('M')) throw new RangeError('a muxed account is not taken');
  if (vault.chain !== 'xrpl') return { address: to, tag: null };
  const recipient = xrplRecipient(to, vault.network);
  if (recipient === null) throw new RangeError('no address of xrpl');
  return { address: recipient.account, tag: recipient.tag === null ? null : String(recipient.tag) };
}
