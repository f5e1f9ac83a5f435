import type { Mutant } from './mutant.ts';

const SIGNATURE_TESTS = ['test/runtime/workers/middleware/api-key-credentials.test.ts'];
const NAME_TESTS = ['test/runtime/adversary/trader/names-of-orders.test.ts'];

/** How the exchange reads what comes in at its doors. */
export const DOOR_MUTANTS: readonly Mutant[] = [
  {
    rule: 'doors: a signature over the path as it was sent holds',
    file: 'domain/identity/signed-paths.ts',
    from: `before + query.replaceAll('%27', "'"),`,
    to: 'before + query,',
    tests: ['domain/identity/signed-paths.test.ts'],
  },
  {
    rule: 'doors: a signature over a lone question mark holds',
    file: 'domain/identity/signed-paths.ts',
    from: "query === '' ? forms",
    to: "query === '-' ? forms",
    tests: ['domain/identity/signed-paths.test.ts'],
  },
  {
    rule: 'doors: no form of a signed path is that of another request',
    file: 'domain/identity/signed-paths.ts',
    from: '/%(?:20(?=.)|22|27|3C|3E)|',
    to: '/%(?:20(?=.)|22|27|3C|3E|23)|',
    tests: ['domain/identity/signed-paths.test.ts'],
  },
  {
    rule: 'doors: a stale timestamp is told, whosever key it is',
    file: 'workers/middleware/signature-failure.ts',
    from: ' || Math.abs(Date.now() - Number(timestamp)) > SIGNATURE_WINDOW_MS)',
    to: ')',
    tests: SIGNATURE_TESTS,
  },
  {
    rule: 'doors: a signature that was used is told apart from a wrong one',
    file: 'workers/middleware/signature-failure.ts',
    from: "refusal === 'replayed'",
    to: "refusal !== 'unknown_key'",
    tests: SIGNATURE_TESTS,
  },
  {
    rule: 'doors: an encoded body is refused as such',
    file: 'workers/middleware/receive-body.ts',
    from: "!['', 'identity'].includes(coding.trim().toLowerCase())",
    to: "coding.trim() === 'gzip'",
    tests: ['test/runtime/workers/middleware/bodies.test.ts'],
  },
  {
    rule: 'doors: health draws on nobody’s limit',
    file: 'workers/middleware/reference-pages.ts',
    from: "app.get('/healthz', named, (c) => {",
    to: "app.get('/healthz', ...enforceAccess(publicPage('/healthz')), (c) => {",
    tests: ['test/runtime/workers/middleware/rate-limits.test.ts'],
  },
  {
    rule: 'doors: an id of ours is read in any case',
    file: 'domain/identity/own-id.ts',
    from: '-[0-9a-f]{12}$/i;',
    to: '-[0-9a-f]{12}$/;',
    tests: ['protocol/own-ids.test.ts'],
  },
  {
    rule: 'doors: what a client has named is no id of ours',
    file: 'protocol/own-ids.ts',
    from: '!isOfOthers(name) && !isUser(name)',
    to: "name !== ''",
    tests: ['protocol/own-ids.test.ts'],
  },
  {
    rule: 'doors: every route reads ids in any case',
    file: 'workers/middleware/profile.ts',
    from: 'isBody ? withOwnIdsOfBody(fields) : withOwnIds(fields, path)',
    to: 'isBody ? withOwnIdsOfBody(fields) : fields',
    tests: ['test/runtime/workers/middleware/ids-in-any-case.test.ts'],
  },
  {
    rule: 'doors: no order is named as a segment of dots',
    file: 'protocol/order-entry/client-order-id.ts',
    from: '(?!\\.{1,2}$)',
    to: '',
    tests: NAME_TESTS,
  },
  {
    rule: 'doors: profile A takes the names that the other doors take',
    file: 'workers/exchange/create-order-route.ts',
    from: '.regex(CLIENT_ORDER_ID, CLIENT_ORDER_ID_WORDS)',
    to: '.min(1)',
    tests: NAME_TESTS,
  },
  {
    rule: 'doors: the parameters of tools have a type',
    file: 'protocol/agent/decimal.ts',
    from: "    type: ['number', 'string'],\n",
    to: '',
    tests: ['protocol/agent/agent-tools.test.ts'],
  },
  {
    rule: 'doors: a wrong amount of a tool is told its own reason',
    file: 'protocol/agent/decimal.ts',
    from: 'FLAWS_OF_FORM.find(([form]) => form.test(value))?.[1] ??',
    to: '',
    tests: ['protocol/agent/decimal.test.ts'],
  },
  {
    rule: 'doors: the numbers of a checksum are written as those of the message',
    file: 'clients/feed/checksum.py',
    from: 'if -6 < point <= 0:',
    to: 'if -4 < point <= 0:',
    tests: ['test/node/checksum-examples.test.ts'],
  },
  {
    rule: 'doors: placements of profile A draw on the limit of orders',
    file: 'workers/exchange/create-order-route.ts',
    from: "bucket: 'orders'",
    to: "bucket: 'private'",
    tests: ['test/runtime/workers/middleware/rate-limits.test.ts'],
  },
  {
    rule: 'doors: placements of partners draw on the limit of orders',
    file: 'workers/partner/orders/place-order-route.ts',
    from: "bucket: 'orders'",
    to: "bucket: 'private'",
    tests: ['test/runtime/workers/middleware/rate-limits.test.ts'],
  },
  {
    rule: 'doors: an amended order is answered with what is left of it',
    file: 'workers/book/order-change.ts',
    from: 'fromScaled(report.remaining, quantityScale)',
    to: 'fromScaled(report.quantity - report.filled, quantityScale)',
    tests: ['test/runtime/workers/book/manage-orders.test.ts'],
  },
];
