/** Imports point one way (DESIGN 3): workers → application → durable-objects → data → domain; containers → domain only. */
const only = (from, allowed) => ({
  name: `${from}-imports`,
  severity: 'error',
  comment: `${from} may import only ${allowed.join(', ') || 'itself'}`,
  from: { path: `^${from}/` },
  to: {
    path: '^(workers|application|durable-objects|data|domain|containers|clients|scripts|bench|test)/',
    pathNot: `^(${[from, ...allowed].join('|')})/`,
  },
});
module.exports = {
  forbidden: [
    only('domain', []),
    only('data', ['domain']),
    only('durable-objects', ['data', 'domain']),
    only('application', ['durable-objects', 'data', 'domain']),
    only('workers', ['application', 'durable-objects', 'data', 'domain']),
    only('containers', ['domain']),
    only('clients', ['domain']),
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^cloudflare:' },
    },
    {
      name: 'engine-is-pure',
      severity: 'error',
      comment: 'the matching engine has no clock, no I/O and no dependency but domain',
      from: { path: '^durable-objects/order-book/engine/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(durable-objects/order-book/engine|domain)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // TypeScript 7 has no API for other tools yet; swc parses in its place.
    parser: 'swc',
    exclude: { path: 'node_modules|\\.wrangler' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
