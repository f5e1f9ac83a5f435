import { findAssetNames } from '../../data/catalog/asset-names.ts';
import { findInstrumentOfMarket } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import type { NamedAsset, Names, Scales } from './account-wire.ts';

/** Scales of markets, and symbols and scales of assets, as the streams of one object have met them: they never change. */
export class SharedNames implements Names {
  readonly markets = new Map<string, Scales>();
  readonly assets = new Map<string, NamedAsset | null>();
  readonly #env: Env;

  constructor(env: Env) {
    this.#env = env;
  }

  /** Reads what is not known of these from D1. @throws while it is away */
  async learn(markets: Iterable<string>, assets: Iterable<string>): Promise<void> {
    for (const symbol of new Set(markets)) {
      if (this.markets.has(symbol)) continue;
      const market = (await findInstrumentOfMarket(database(this.#env.DB), symbol))?.market;
      if (market != null) this.markets.set(symbol, market);
    }
    const unknown = [...new Set(assets)].filter((asset) => !this.assets.has(asset) && !isAllowance(asset));
    if (unknown.length === 0) return;
    const found = new Map((await findAssetNames(database(this.#env.DB), unknown)).map((asset) => [asset.id, asset]));
    for (const id of unknown) {
      const asset = found.get(id);
      this.assets.set(id, asset === undefined || asset.category === 'allowance' ? null : asset);
    }
  }
}

/** Allowances and position limits are balances, too, but nobody's property; there may be one for each account. */
function isAllowance(asset: string): boolean {
  return asset.startsWith('allowance:');
}
