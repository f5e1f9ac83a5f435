import type { PaymentOrder, SignedPayment, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { ChainCalls } from '../../protocol/bridge/chains-api.ts';
import type { HandedIn, TransferStore } from './transfer-store.ts';

/** `rests`: it was handed in, and is not again now. `unpayable`: it never is again. */
type HandInOutcome =
  | { readonly state: 'handed_in'; readonly transaction: string }
  | { readonly state: 'rests' }
  | { readonly state: 'unpayable'; readonly reason: string };

/** So many failures are no accident of one block: its payee may have it that estimates pass and blocks fail. */
const FAILED_MAX = 2;
/** The rest grows by so much with each failure, no further than some 17 hours. */
const REST_GROWTH = 4;
const GROWTHS_MAX = 5;

/**
 * Hands in a payment. What the relayer pays for is one transaction at a time, a minute apart, of the gas that was paid for; what has failed twice, or takes more, is given up, save a cancellation, which pays nobody
 * (docs/design/bridge.md#the-relayers-gas). Bytes of the chain's own are the same each time and cost the relayer nothing.
 *
 * @param rest_ms how long it rests after each time
 */
export async function handIn(
  { store, rest_ms }: { readonly store: TransferStore; readonly rest_ms: number },
  chains: Pick<ChainCalls, 'broadcast' | 'relayedFate'>,
  {
    vault,
    kind,
    key,
    signed,
  }: {
    readonly vault: Vault;
    readonly kind: PaymentOrder['kind'];
    readonly key: string;
    readonly signed: SignedPayment;
  },
): Promise<HandInOutcome> {
  if (signed.transaction !== null) return { state: 'handed_in', transaction: await chains.broadcast(vault, signed) };
  const note = (handedIn: HandedIn) => store.save({ handedIn: { ...store.begun.handedIn, [key]: handedIn } });
  const before = store.begun.handedIn?.[key];
  const failed = before?.failed ?? 0;
  if (failed >= FAILED_MAX && kind !== 'cancel')
    return { state: 'unpayable', reason: `it has failed in ${failed} blocks` };
  const rest = rest_ms * REST_GROWTH ** Math.min(failed, GROWTHS_MAX);
  if (before !== undefined && Date.now() < before.at + rest) return { state: 'rests' };
  const last = before?.transaction ?? null;
  const fate = last === null ? 'unknown' : await chains.relayedFate(vault, last);
  if (fate === 'waits' || fate === 'landed') return { state: 'rests' };
  if (fate === 'failed') {
    await note({ transaction: null, at: before?.at ?? 0, failed: failed + 1 });
    return failed + 1 >= FAILED_MAX && kind !== 'cancel'
      ? { state: 'unpayable', reason: `it has failed in ${failed + 1} blocks` }
      : { state: 'rests' };
  }
  try {
    const transaction = await chains.broadcast(vault, signed, fate === 'outbid' && last !== null ? last : undefined);
    await note({ transaction, at: Date.now(), failed });
    return { state: 'handed_in', transaction };
  } catch (error) {
    if (!(error instanceof RangeError) || kind === 'cancel') throw error;
    return { state: 'unpayable', reason: error.message };
  }
}
