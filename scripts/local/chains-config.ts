import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PATHS } from './paths.ts';
import { servedMain } from './served-workers.ts';

/** Nodes that BRIDGE_RPC_URLS in the environment names, by chain. */
export function statedRpcUrls(): Readonly<Record<string, string>> {
  return JSON.parse(process.env.BRIDGE_RPC_URLS ?? '{}') as Readonly<Record<string, string>>;
}

/**
 * Configuration of the Worker of the chains for a local start, since wrangler hands vars on the command line to the first Worker alone: as wrangler.chains.toml, with the nodes of this
 * machine. BRIDGE_RPC_URLS in the environment adds others, BRIDGE_CUSTODY_PROVIDERS custody providers.
 *
 * @returns its path
 */
export function writeChainsConfig(devnet: { readonly url: string; readonly ethereum: string | null } | null): string {
  const own =
    devnet === null ? {} : { exchange: devnet.url, ...(devnet.ethereum !== null && { ethereum: devnet.ethereum }) };
  const urls = { ...own, ...statedRpcUrls() };
  const config = {
    name: 'edge-exchange-chains',
    ...servedMain('chains', join(PATHS.root, 'workers', 'chains', 'index.ts')),
    compatibility_date: '2026-11-01',
    compatibility_flags: ['nodejs_compat', 'global_fetch_strictly_public'],
    vars: {
      BRIDGE_RPC_URLS: JSON.stringify(urls),
      BRIDGE_RELAYER_KEY: LOCAL_RELAYER_KEY,
      BRIDGE_CUSTODY_PROVIDERS: process.env.BRIDGE_CUSTODY_PROVIDERS ?? '{}',
    },
  };
  mkdirSync(PATHS.state, { recursive: true });
  const path = join(PATHS.state, 'wrangler.chains.json');
  writeFileSync(path, JSON.stringify(config, null, 2));
  return path;
}

/** The third of the devnet's accounts, whose keys everybody knows. */
const LOCAL_RELAYER_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
