import { createRoute, z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { createProfile, registerRoute } from '../../../../workers/middleware/profile.ts';

declare global {
  interface ImportMeta {
    /** Vite's, for reading sources inside the Workers runtime. */
    glob(pattern: string, options: { query: '?raw'; import: 'default'; eager: true }): Record<string, string>;
  }
}

const sources = import.meta.glob('../../../../workers/**/*.ts', { query: '?raw', import: 'default', eager: true });

describe('a route', () => {
  const route = createRoute({ method: 'get', path: '/v1/anything', responses: { 200: { description: 'ok' } } });
  const profile = () => createProfile({ name: 'book', title: 't', fieldNames: 'snake_case', description: 'd' });

  it.each([
    [{}, 'access'],
    [{ access: { credential: 'public' } }, 'rate bucket'],
    [{ access: {}, bucket: 'public' }, 'access'],
  ])('declared as %j does not register', (declaration, lacking) => {
    const register = () => registerRoute(profile(), declaration as never, route, (c) => c.body(null, 200));
    expect(register).toThrow(`does not declare its ${lacking}`);
  });

  it.each([
    ['post', z.object({ dry_run: z.string() }), false],
    ['delete', z.looseObject({ side: z.string() }), false],
    ['post', z.strictObject({ dry_run: z.string() }), true],
    ['get', z.object({ status: z.string() }), true],
  ] as const)(
    'that changes something registers with a query that takes nothing else: %s',
    (method, query, registers) => {
      const of = createRoute({ method, path: '/v1/anything', request: { query }, responses: route.responses });
      const register = () =>
        registerRoute(profile(), { access: { credential: 'public' }, bucket: 'public' }, of, (c) => c.body(null, 200));
      if (registers) expect(register).not.toThrow();
      else expect(register).toThrow('takes query parameters that it does not know');
    },
  );

  it('registers once', () => {
    const into = profile();
    const register = () =>
      registerRoute(into, { access: { credential: 'public' }, bucket: 'public' }, route, (c) => c.body(null, 200));
    register();
    expect(register).toThrow('registered twice');
  });

  it('has no way around registerRoute: only the middleware makes Hono apps or adds routes to one', () => {
    expect(Object.keys(sources).length).toBeGreaterThan(50);
    const around = Object.entries(sources)
      .filter(([path]) => !path.includes('/workers/middleware/'))
      .filter(([, source]) =>
        /\bnew (OpenAPI)?Hono\b|\.openapi\(\s*createRoute|\.(get|post|put|patch|delete|all|on)\(\s*['"`]\//.test(
          source,
        ),
      )
      .map(([path]) => path);
    expect(around).toEqual([]);
  });
});
