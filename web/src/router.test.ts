import { expect, test } from 'vitest';
import { PAGES } from './pages.ts';
import { routeTree } from './router.tsx';

interface Node {
  readonly options: { readonly path?: string };
  readonly children?: readonly Node[] | Readonly<Record<string, Node>>;
}

function pathsOf(node: Node): string[] {
  const own = node.options.path === undefined ? [] : [node.options.path];
  return [...own, ...Object.values(node.children ?? {}).flatMap(pathsOf)];
}

test('every page of the table has a route, and every route stands in the table', () => {
  expect(pathsOf(routeTree as unknown as Node).sort()).toEqual(PAGES.map(({ path }) => path as string).sort());
});
