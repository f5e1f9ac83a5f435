/**
 * Imports point one way (docs/design/shape.md#layers): workers → application → durable-objects → data → protocol → domain;
 * containers and clients → protocol → domain.
 */
const ROOTS = 'workers|application|durable-objects|data|protocol|domain|containers|clients|scripts|bench|test|web';

const only = (from, allowed) => ({
  name: `${from}-imports`,
  severity: 'error',
  comment: `${from} may import only ${allowed.join(', ') || 'itself'}`,
  from: { path: `^${from}/` },
  to: {
    path: `^(${ROOTS})/`,
    pathNot: `^(${[from, ...allowed].join('|')})/`,
  },
});

/** Rooms of durable-objects that are no objects: what several objects share. */
const SHARED_ROOMS = 'bridge-chains|broker|chain|credentials|dns|fan-out|log|storage|webhook-sending';

module.exports = {
  forbidden: [
    only('domain', []),
    only('protocol', ['domain']),
    only('data', ['protocol', 'domain']),
    only('durable-objects', ['data', 'protocol', 'domain']),
    only('application', ['durable-objects', 'data', 'protocol', 'domain']),
    only('workers', ['application', 'durable-objects', 'data', 'protocol', 'domain']),
    only('containers', ['protocol', 'domain']),
    only('clients', ['protocol', 'domain']),
    {
      name: 'web-imports',
      severity: 'error',
      comment: 'the console imports what is said on the wire, and the reference clients; nothing of the server',
      from: { path: '^web/src/' },
      to: { path: `^(${ROOTS})/`, pathNot: '^(web/src|protocol|clients)/' },
    },
    {
      name: 'objects-through-their-api',
      severity: 'error',
      comment: 'what others may use of a Durable Object is its api.ts; only entry points name the classes',
      from: { path: '^(application|workers|data|protocol|domain)/', pathNot: '^workers/(signer/)?index\\.ts$' },
      to: { path: '^durable-objects/', pathNot: `^durable-objects/([^/]+/api\\.ts$|(${SHARED_ROOMS})/)` },
    },
    {
      name: 'objects-among-themselves',
      severity: 'error',
      comment: 'one Durable Object uses another through its api.ts',
      from: { path: '^durable-objects/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^durable-objects/', pathNot: `^durable-objects/($1/|[^/]+/api\\.ts$|(${SHARED_ROOMS})/)` },
    },
    {
      name: 'profiles-apart',
      severity: 'error',
      comment: 'no profile imports another; what two share is in workers/responses, workers/middleware or application',
      from: { path: '^workers/(exchange|book|agent|events|iam|partner|bridge|console)/' },
      to: { path: '^workers/(exchange|book|agent|events|iam|partner|bridge|console)/', pathNot: '^workers/$1/' },
    },
    {
      name: 'middleware-below-profiles',
      severity: 'error',
      from: { path: '^workers/(middleware|responses|queues|cron)/' },
      to: { path: '^workers/', pathNot: '^workers/(middleware|responses|queues|cron)/' },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'rules do no I/O: no module of Node or of the runtime, no database',
      from: { path: '^domain/', pathNot: '\\.(test|fixtures)\\.ts$' },
      to: { path: '^(node:|cloudflare:)|node_modules/(drizzle-orm|@cloudflare)/' },
    },
    {
      name: 'balances-in-the-ledger-alone',
      severity: 'error',
      comment: 'only the ledger object holds the state machine that balances live in; others ask it',
      from: {
        path: '^(workers|application|durable-objects|data|protocol)/',
        pathNot: '^durable-objects/ledger/|\\.(test|fixtures)\\.ts$',
      },
      to: { path: '^domain/ledger/(ledger|ledger-state)\\.ts$' },
    },
    {
      name: 'application-knows-no-http',
      severity: 'error',
      comment: 'application serves any caller',
      from: { path: '^(application|durable-objects|data|protocol|domain)/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/(@hono/|hono/)' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'imports of types alone count, too',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      comment: 'the program that tries the packed client library finds it in the folder to which it is copied',
      from: { pathNot: '^scripts/clients-try/(sdk|ccxt)-program[.]mjs$' },
      to: { couldNotResolve: true, pathNot: '^cloudflare:' },
    },
    {
      name: 'engine-is-pure',
      severity: 'error',
      comment: 'the matching engine has no clock, no I/O and no dependency but domain',
      from: { path: '^durable-objects/order-book/engine/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(durable-objects/order-book/engine|protocol|domain)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // TypeScript 7 has no API for other tools yet; swc parses in its place.
    parser: 'swc',
    exclude: { path: '\\.wrangler|^web/(dist|reference)/|^clients/(sdk|ccxt)/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
