import type { ChainAdapter, PayeeMemo, PaymentOrder, TaggedAccount, Vault } from '../chain-adapter.ts';

/** @throws RangeError where it is no address of the vault's network, or one whose form the provider does not take */
export function payeeOf(
  chain: Pick<ChainAdapter, 'addressOf' | 'payeeMemo' | 'taggedAccountOf'>,
  { chain: name, network }: Pick<Vault, 'chain' | 'network'>,
  { to, memo }: Pick<PaymentOrder, 'to' | 'memo'>,
): TaggedAccount {
  if (chain.addressOf(to, network) !== to) throw new RangeError(`no address of ${name}`);
  if (name === 'stellar' && to.startsWith('M')) throw new RangeError('a muxed account is not taken');
  const account = chain.taggedAccountOf?.(to, network) ?? { address: to, tag: null };
  if (memo === undefined) return account;
  const stated = chain.payeeMemo && custodyMemo(chain.payeeMemo);
  if (stated === undefined || stated.isInAddress?.(to) === true || !stated.isRight(memo))
    throw new RangeError('a memo that the provider does not take');
  return { ...account, tag: tagOf(stated, memo) };
}

/** What payments by a provider carry: its tag. The chain is not asked from there, so nobody says whether a payee asks for one. */
export function custodyMemo({ isAskedFor: _, ...memo }: PayeeMemo): PayeeMemo {
  return { ...memo, isRight: (text) => memo.isRight(text) && tagOf(memo, text) !== null };
}

function tagOf({ tagOf: own }: PayeeMemo, memo: string): string | null {
  return own === undefined ? memo : own(memo);
}
