import type { ChainView } from '../chain-adapter.ts';
import { EVM_CHAINS } from './evm-chains.ts';
import { evmRpc } from './evm-rpc.ts';

/**
 * How deep blocks are, so that what is not final never has the confirmations that count: a sequencer may drop its newest blocks for as long as the chain below has not taken them, however many
 * it has made since.
 *
 * @throws Error where the node does not say what is final
 */
export async function evmDepth({ vault, transport }: ChainView): Promise<(blockNumber: number) => number> {
  const { confirmations = 0, hasFinalized = false } = EVM_CHAINS[vault.chain] ?? {};
  const rpc = evmRpc(transport);
  // A machine's own chain is final as soon as somebody says so.
  const isFinal = hasFinalized && vault.network !== 'local';
  const final = isFinal ? await rpc.finalizedHeight() : Number.POSITIVE_INFINITY;
  const height = await rpc.height();
  return (blockNumber) => {
    const depth = Math.max(0, height - blockNumber + 1);
    return blockNumber <= final ? depth : Math.min(depth, confirmations - 1);
  };
}
