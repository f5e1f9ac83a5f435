import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { docsFiles } from '../../scripts/web/docs-files.ts';

const files = docsFiles();
const linksOf = (text: string) => [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);

test('pages that are served lead to what is served', () => {
  const dead: string[] = [];
  for (const [name, text] of files) {
    if (!name.endsWith('.md')) continue;
    for (const target of linksOf(text)) {
      const [path = ''] = target.split('#');
      if (/^(https?:|mailto:)/.test(target) || path === '') continue;
      if (!files.has(posix.join(posix.dirname(name), path))) dead.push(`${name}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

test('llms.txt leads to each page, and to the documents of the interfaces', () => {
  const links = linksOf(files.get('llms.txt') ?? '');
  const pages = links.filter((link) => link.startsWith('/docs/')).map((link) => link.slice(1));
  expect(pages.toSorted()).toEqual([...files.keys()].filter((name) => name !== 'llms.txt').toSorted());
  expect(links).toContain('/book/openapi.json');
});

test('pages for who calls the exchange are served, and no others', () => {
  expect([...files.keys()].filter((name) => !name.startsWith('docs/asyncapi/')).toSorted()).toEqual([
    'docs/agents.md',
    'docs/design/feeds.md',
    'docs/design/market-data.md',
    'docs/design/matching.md',
    'docs/design/order-entry-socket.md',
    'docs/design/own-account.md',
    'docs/design/webhooks.md',
    'docs/events.md',
    'docs/feeds.md',
    'docs/fix.md',
    'docs/glossary.md',
    'docs/grpc.md',
    'docs/inference.md',
    'docs/partner.md',
    'docs/rest.md',
    'docs/webhooks.md',
    'llms.txt',
  ]);
  expect([...files.keys()]).toContain('docs/asyncapi/feed.json');
});
