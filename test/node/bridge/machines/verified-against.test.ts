import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHAIN_NAMES, type ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import packageJson from '../../../../package.json' with { type: 'json' };
import { MACHINES } from './machines.ts';

const PAGES = 'docs/design/bridge';
const TESTS = 'test/node/bridge';
const HEADING = '## Verified against what';

/** Rows of the tables under that heading: chains, machine, test, and the rest for people. */
const rows = readdirSync(PAGES)
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) => {
    const [, section = ''] = readFileSync(`${PAGES}/${page}`, 'utf8').split(`${HEADING}\n`);
    const [table = ''] = section.split('\n## ');
    return table.split('\n').flatMap((line) => {
      const [, chains = '', machine = '', test = ''] = line.split('|').map((cell) => cell.trim());
      const names = [...chains.matchAll(/`([^`]+)`/g)].map(([, name]) => name as ChainName);
      return names.map((chain) => ({ chain, machine: machine.replaceAll('`', ''), test: test.replaceAll('`', '') }));
    });
  });

describe('what a chain was verified against', () => {
  it('stands in the documents once for each chain', () => {
    expect(rows.map(({ chain }) => chain).toSorted()).toEqual([...CHAIN_NAMES].toSorted());
  });

  it.each(CHAIN_NAMES)('of %s is what its tests have run', (chain) => {
    const { machine, test } = rows.find((row) => row.chain === chain) ?? { machine: '', test: '' };
    const ran = MACHINES[chain];
    expect(existsSync(`${TESTS}/${test}`), test).toBe(true);
    expect(machine).toBe(ran?.program ?? 'none');
    if (ran === null) return;
    expect(test).toBe(ran.test);
    expect(packageJson.devDependencies).toHaveProperty([ran.program]);
  });

  it('is told by every test of machines', () => {
    const files = readdirSync(`${TESTS}/machines`).filter((file) => file.endsWith('.test.ts'));
    const named = new Set(Object.values(MACHINES).map((machine) => machine?.test));
    for (const file of files.filter((each) => each !== 'verified-against.test.ts')) {
      expect(named.has(`machines/${file}`), file).toBe(true);
      expect(readFileSync(`${TESTS}/machines/${file}`, 'utf8')).toMatch(/^judgesAsTheTableSays\(\);$/m);
    }
  });
});
