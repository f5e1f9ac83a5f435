import type { AssetTerms } from '../../data/catalog/assets.ts';

type DemoAsset = Omit<AssetTerms, 'createdAt'>;

/** Four decimals, so that pairs of fine ticks and lots have whole notionals. */
const currency: DemoAsset = { id: 'usd', symbol: 'USD', name: 'US dollar', category: 'currency', scale: 4 };

/** @param price US dollars, in ten-thousandths */
const stock = (id: string, name: string, price: number): DemoAsset => ({
  id,
  symbol: id.toUpperCase(),
  name,
  category: 'stocks',
  rail: 'public',
  exchange: 'NASDAQ',
  scale: 4,
  executionRoute: 'broker',
  tracksLots: true,
  offeringType: 'Listed',
  referencePrice: price,
});

const privateShare = (id: string, name: string, terms: Partial<DemoAsset>): DemoAsset => ({
  id,
  symbol: id.toUpperCase(),
  name,
  category: 'privates',
  rail: 'private',
  exchange: 'Private market',
  scale: 0,
  executionRoute: 'internal',
  tracksLots: true,
  issuerName: name,
  ...terms,
});

/** Assets of every rail and category (X-SVC-01), and a private security under each regulation. */
export const DEMO_ASSETS: readonly DemoAsset[] = [
  currency,
  stock('aapl', 'Apple Inc.', 212_5000),
  stock('msft', 'Microsoft Corporation', 431_0000),
  {
    id: 'ust10',
    symbol: 'UST10',
    name: 'US Treasury note, 10 years',
    category: 'fixed-income',
    rail: 'public',
    exchange: 'OTC',
    scale: 0,
    executionRoute: 'broker',
    tracksLots: true,
  },
  {
    id: 'xau',
    symbol: 'XAU',
    name: 'Gold, troy ounce',
    category: 'commodities',
    rail: 'public',
    exchange: 'OTC',
    scale: 4,
    executionRoute: 'broker',
  },
  {
    id: 'eur',
    symbol: 'EUR',
    name: 'Euro',
    category: 'forex',
    rail: 'public',
    exchange: 'OTC',
    scale: 2,
    executionRoute: 'broker',
  },
  privateShare('acme', 'Acme Robotics', { regulation: 'retail', offeringType: 'retail' }),
  privateShare('harbor', 'Harbor Coffee', { regulation: 'reg_cf', offeringType: 'reg_cf' }),
  privateShare('maple', 'Maple Grove Farms', { regulation: 'reg_a', offeringType: 'reg_a' }),
  privateShare('summit', 'Summit Biologics', {
    regulation: 'reg_d_506b',
    offeringType: '506b',
    accreditationType: '506b',
  }),
  privateShare('zenith', 'Zenith Fusion', {
    regulation: 'reg_d_506c',
    offeringType: '506c',
    accreditationType: '506c',
  }),
  privateShare('nordic', 'Nordic Wind', { regulation: 'reg_s', offeringType: 'reg_s' }),
  privateShare('orbit', 'Orbit Launch Systems', {
    category: 'pre-ipo',
    issuerAccount: 'orbit-account',
    executionRoute: 'indication',
    regulation: 'reg_d_506c',
    offeringType: '506c',
    accreditationType: '506c',
  }),
  privateShare('lumen', 'Lumen Optics', {
    category: 'pre-ipo',
    executionRoute: 'indication',
    regulation: 'reg_d_506b',
    offeringType: '506b',
    accreditationType: '506b',
  }),
  { id: 'btc', symbol: 'BTC', name: 'Bitcoin', category: 'crypto', rail: 'digital', scale: 8, executionRoute: 'prime' },
  { id: 'eth', symbol: 'ETH', name: 'Ether', category: 'crypto', rail: 'digital', scale: 8, executionRoute: 'prime' },
  // Comes and goes by the bridge.
  {
    id: 'usdc',
    symbol: 'USDC',
    name: 'USD Coin',
    category: 'crypto',
    rail: 'digital',
    scale: 6,
    executionRoute: 'prime',
  },
];
