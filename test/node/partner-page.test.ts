import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEMO_AGENT, DEMO_INVESTORS, DEMO_LISTER, DEMO_SECURITY } from '../../application/seed/demo-partners.ts';

const blocks = Array.from(
  readFileSync('docs/partner.md', 'utf8').matchAll(/```sh\n([\s\S]*?)```/g),
  ([, text = '']) => text,
);

test('R-19: each variable of the partner page is set before the first line that uses it', () => {
  const known = new Set<string>();
  for (const line of blocks.join('').split('\n')) {
    for (const [, name = ''] of line.matchAll(/\$\{?([A-Z][A-Z_]*)/g)) expect(known, line).toContain(name);
    const [, set] = /^(?:until )?([A-Z][A-Z_]*)=/.exec(line) ?? [];
    if (set !== undefined) known.add(set);
  }
  expect(known.size).toBeGreaterThan(10);
});

test('R-20: the partner page says how often an address applies, and what a local system does about it', () => {
  const page = readFileSync('docs/partner.md', 'utf8').replaceAll('\n', ' ');
  expect(page).toMatch(
    /An address applies five times in 24 hours, then 429; a local system has one address, and forgets with `npm run reset`/,
  );
});

test('R-19: the ids of the partner page are those of the demo, whose investors trade with each other', () => {
  const text = blocks.join('');
  const [seller, buyer] = DEMO_INVESTORS;
  for (const [name, id] of [
    ['LISTER', DEMO_LISTER.id],
    ['AGENT', DEMO_AGENT.id],
    ['SECURITY', DEMO_SECURITY.id],
    ['SELLER', seller.id],
    ['SELLER_ACCOUNT', seller.account],
    ['BUYER', buyer.id],
    ['BUYER_ACCOUNT', buyer.account],
  ])
    expect(text).toContain(`\n${name}=${id}\n`);
  const [sells, buys, lists] = ['"side":"sell"', '"side":"buy"', 'TRANSFER='].map((part) => text.indexOf(part));
  expect([sells, buys, lists]).toEqual([sells, buys, lists].toSorted((a = 0, b = 0) => a - b));
  expect(sells).toBeGreaterThan(0);
});
