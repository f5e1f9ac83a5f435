import type { ChainAdapter, TaggedAccount, Vault } from '../chain-adapter.ts';

/** @throws RangeError where it is no address of the vault's network, or one whose form the provider does not take */
export function payeeOf(
  chain: Pick<ChainAdapter, 'addressOf' | 'taggedAccountOf'>,
  { chain: name, network }: Pick<Vault, 'chain' | 'network'>,
  to: string,
): TaggedAccount {
  if (chain.addressOf(to, network) !== to) throw new RangeError(`no address of ${name}`);
  if (name === 'stellar' && to.startsWith('M')) throw new RangeError('a muxed account is not taken');
  return chain.taggedAccountOf?.(to, network) ?? { address: to, tag: null };
}
