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
  expect(files.size).toBeGreaterThan(20);
});

test('llms.txt leads to each page, and to the documents of the interfaces', () => {
  const links = linksOf(files.get('llms.txt') ?? '');
  const pages = links.filter((link) => link.startsWith('/docs/')).map((link) => link.slice(1));
  expect(pages.toSorted()).toEqual([...files.keys()].filter((name) => name !== 'llms.txt').toSorted());
  expect(links).toContain('/book/openapi.json');
});

test('what is open and what threatens the exchange is not served', () => {
  const names = [...files.keys()];
  expect(names.filter((name) => /next\.md|threats\.md|deploy\.md/.test(name))).toEqual([]);
  expect(names).toContain('docs/asyncapi/feed.json');
});
