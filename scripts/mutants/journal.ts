import type { Mutant } from './mutant.ts';

const ARCHIVE_TESTS = ['test/runtime/durable-objects/ledger/journal-archive.test.ts'];
const REBUILD_TESTS = ['test/runtime/durable-objects/ledger/rebuild.test.ts'];

/** Rules of the ledger's journal: chain, segments, pruning, and the read model written again from it. */
export const JOURNAL_MUTANTS: readonly Mutant[] = [
  {
    rule: 'journal: a row continues the chain',
    file: 'domain/ledger/journal-chain.ts',
    from: 'if (chainHash(previous.hash, text) !== hash)',
    to: 'if (hash === undefined)',
    tests: ['domain/ledger/journal-replay.test.ts', 'domain/ledger/journal-segment.test.ts'],
  },
  {
    rule: 'journal: a replayed transaction comes to its outcome',
    file: 'domain/ledger/journal-replay.ts',
    from: '!applied.changed || JSON.stringify(applied.outcome) !== JSON.stringify(outcome)',
    to: '!applied.changed',
    tests: ['domain/ledger/journal-replay.test.ts'],
  },
  {
    rule: 'journal: a segment ends with the hash that was sealed',
    file: 'domain/ledger/journal-segment.ts',
    from: 'if (end.hash !== segment.hash)',
    to: 'if (end.hash === undefined)',
    tests: ['domain/ledger/journal-segment.test.ts'],
  },
  {
    rule: 'journal: only rows that are sealed are pruned',
    file: 'durable-objects/ledger/ledger-journal.ts',
    from: 'projected, sealed, this.#prunedTo',
    to: 'projected, Math.max(sealed, projected), this.#prunedTo',
    tests: ARCHIVE_TESTS,
  },
  {
    rule: 'journal: a segment that was begun is uploaded as it was begun',
    file: 'durable-objects/ledger/journal-archive.ts',
    from: '    segments.begin(segment);\n',
    to: '',
    tests: ARCHIVE_TESTS,
  },
  {
    rule: 'journal: what R2 has is never overwritten',
    file: 'durable-objects/ledger/journal-archive.ts',
    from: "onlyIf: { etagDoesNotMatch: '*' },",
    to: '',
    tests: ARCHIVE_TESTS,
  },
  {
    rule: 'journal: nothing is admitted while too much is not sealed',
    file: 'durable-objects/ledger/ledger.ts',
    from: 'projector.isFarBehind || archive.isFarBehind',
    to: 'projector.isFarBehind',
    tests: ARCHIVE_TESTS,
  },
  {
    rule: 'journal: an alarm seals what has waited long enough',
    file: 'durable-objects/ledger/ledger.ts',
    from: '    if (archive.dueAt !== null) this.#scheduleAlarm(archive.dueAt);\n',
    to: '',
    tests: ARCHIVE_TESTS,
  },
  {
    rule: 'journal: an instance that starts during a rebuild asks D1',
    file: 'durable-objects/ledger/projector.ts',
    from: '      this.#host.journal.saveProjected(0);\n',
    to: '',
    tests: REBUILD_TESTS,
  },
  {
    rule: 'journal: D1 of several shards is not emptied',
    file: 'data/ledger/projection/empty-read-model.ts',
    from: 'FROM projections WHERE shard <> ?1',
    to: 'FROM projections WHERE shard <> ?1 AND false',
    tests: REBUILD_TESTS,
  },
  {
    rule: 'a shortage of memory is no fault of the transaction',
    file: 'durable-objects/ledger/group-commit.ts',
    from: 'if (failing !== null && !IS_SHORTAGE.test(message))',
    to: 'if (failing !== null)',
    tests: ['test/runtime/durable-objects/ledger/group-commit.test.ts'],
  },
  {
    rule: 'a transaction that failed fails again',
    file: 'durable-objects/ledger/group-commit.ts',
    from: 'if (failure !== undefined && failure.hash === sha256(text))',
    to: 'if (false && failure !== undefined)',
    tests: ['test/runtime/durable-objects/ledger/group-commit.test.ts'],
  },
  {
    rule: 'another transaction under the name of one that failed is tried',
    file: 'durable-objects/ledger/group-commit.ts',
    from: ' && failure.hash === sha256(text)',
    to: '',
    tests: ['test/runtime/durable-objects/ledger/group-commit.test.ts'],
  },
  {
    rule: 'time of the journal never goes back',
    file: 'durable-objects/ledger/group-commit.ts',
    from: 'const time = Math.max(journal.head.time, this.#host.now());',
    to: 'const time = this.#host.now();',
    tests: ['test/runtime/durable-objects/ledger/group-commit.test.ts'],
  },
  {
    rule: 'what landed is not there while D1 is being emptied',
    file: 'data/ledger/projection/project.ts',
    from: 'return place.cursor === to && !place.isEmptying ?',
    to: 'return place.cursor === to ?',
    tests: ['test/runtime/data/ledger/projection/project.test.ts'],
  },
  {
    rule: 'rows that share nothing are not written as those that share a number',
    file: 'data/ledger/projection/row-statement.ts',
    from: "if (value === null) return 'null';",
    to: '',
    tests: ['test/runtime/data/ledger/projection/row-statement.test.ts'],
  },
];
