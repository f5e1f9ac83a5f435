import type { AssetCategory } from './asset.ts';

const SECURITIES: ReadonlySet<AssetCategory> = new Set<AssetCategory>([
  'stocks',
  'fixed-income',
  'privates',
  'pre-ipo',
]);

/** Whether what is traded is a security, so that its trades are confirmed by 17 CFR 240.10b-10. */
export function isSecurity(category: AssetCategory): boolean {
  return SECURITIES.has(category);
}
