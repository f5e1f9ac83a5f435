import { expect, it } from 'vitest';
import { productionPackages } from '../../scripts/closures/production-tree.ts';

it('takes what the lock file does not mark as development alone', () => {
  const lock = {
    packages: {
      '': { dependencies: {} },
      'node_modules/viem': {},
      'node_modules/viem/node_modules/ws': {},
      'node_modules/optional': { optional: true },
      'node_modules/both': { devOptional: true },
      'node_modules/vitest': { dev: true },
    },
  };
  expect(productionPackages(JSON.stringify(lock))).toEqual([
    'node_modules/viem',
    'node_modules/viem/node_modules/ws',
    'node_modules/optional',
    'node_modules/both',
  ]);
});
