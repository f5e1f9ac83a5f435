import { WorkerEntrypoint } from 'cloudflare:workers';
import { MisstatedVault, Unbuildable, Unpayable, VaultClosed } from '../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../domain/bridge/chains/chain-calls.ts';
import type { ChainAnswer, ChainCall, ChainsService } from '../../protocol/bridge/chains-api.ts';
import { custodyProviders } from '../../protocol/bridge/custody-providers.ts';
import { custodyTransportOf } from '../../protocol/bridge/custody-transport.ts';
import { httpTransport } from '../../protocol/bridge/http-transport.ts';

export interface ChainsEnv {
  /** JSON object from chain to the address of its node or indexer. */
  readonly BRIDGE_RPC_URLS: string;
  readonly BRIDGE_RELAYER_KEY: string;
  /** Secret: JSON object from name to address and keys of a custody provider (`custodyProviders`). */
  readonly BRIDGE_CUSTODY_PROVIDERS?: string;
}

/** What follows from what is asked for alone: refused once, it is refused for good. */
const OF_NO_NODE: readonly ChainCall[] = ['build', 'depositPlace'];

/** Chains as the exchange's Worker asks for them: every call answers with a value, also one that fails. */
export class Chains extends WorkerEntrypoint<ChainsEnv> implements ChainsService {
  async ask(call: ChainCall, args: readonly unknown[]): Promise<ChainAnswer> {
    try {
      const calls = chainCalls({
        transportOf: (chain) => httpTransport(urlOf(this.env, chain)),
        custodyOf: (provider) =>
          custodyTransportOf(custodyProviders(this.env.BRIDGE_CUSTODY_PROVIDERS ?? ''), provider),
        relayer: this.env.BRIDGE_RELAYER_KEY || null,
      });
      const answer = calls[call] as (...of: readonly unknown[]) => Promise<unknown>;
      return { ok: true, value: await answer(...args) };
    } catch (error) {
      const reason = error instanceof Error ? `${call}: ${error.message.split('\n')[0]}` : call;
      return { ok: false, reason, isOutOfRange: isOutOfRange(call, error) };
    }
  }
}

function isOutOfRange(call: ChainCall, error: unknown): boolean {
  return (
    error instanceof Unbuildable ||
    error instanceof MisstatedVault ||
    error instanceof Unpayable ||
    error instanceof VaultClosed ||
    (error instanceof RangeError && OF_NO_NODE.includes(call))
  );
}

/** @throws Error where the chain is not served here */
function urlOf({ BRIDGE_RPC_URLS: json }: Pick<ChainsEnv, 'BRIDGE_RPC_URLS'>, chain: string): string {
  const url = (JSON.parse(json) as Record<string, unknown>)[chain];
  if (typeof url !== 'string') throw new Error(`BRIDGE_RPC_URLS names no node of ${chain}`);
  return url;
}
