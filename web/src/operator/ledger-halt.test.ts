import { expect, test } from 'vitest';
import { runbookOf } from './ledger-halt.ts';

const SOURCES = import.meta.glob<string>(['../../../domain/ledger/*.ts', '../../../durable-objects/ledger/*.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

const UNKNOWN_VERSION = "version 9 of the ledger's rules is not known to this code, which has 1 and 2";

test.each([
  ['journal row 7 is missing', 'halted.storage'],
  ['journal row 7 does not continue the chain', 'halted.storage'],
  ['segment ledger/1-7 does not continue row 3', 'halted.storage'],
  ['segment ledger/1-7 is missing', 'halted.storage'],
  ['piece 2 of the checkpoint is not as written', 'halted.checkpoint'],
  ['the checkpoint cannot be read: Unexpected end of JSON input', 'halted.checkpoint'],
  [`the checkpoint cannot be read: ${UNKNOWN_VERSION}`, 'halted.version'],
  ['the checkpoint cannot be read: a checkpoint has a piece lots that is not known', 'halted.version'],
  ['replay of journal row 7 gave another outcome of a batch', 'halted.replay'],
  ['journal row 7 cannot be replayed: x is not a function', 'halted.replay'],
  [`journal row 7 cannot be replayed: ${UNKNOWN_VERSION}`, 'halted.version'],
  ['journal row 7 cannot be replayed: limit lotsMax of the ledger is not known to this code', 'halted.version'],
  ["journal row 7 was made by version 2 of the ledger's rules, and version 1 was in force", 'halted.replay'],
  ['D1 shows journal row 9, and the journal ends with 7', 'halted.ahead'],
  ['D1 lacks journal rows from 3, which are not kept: segment ledger/1-7 is missing', 'halted.behind'],
  ['D1 lacks journal rows from 3, which are not kept: journal row 4 is missing', 'halted.behind'],
  ['something else', 'halted.other'],
])('the ledger that says "%s" has its runbook', (halted, key) => {
  expect(runbookOf(halted)).toBe(key);
});

test.each([
  ['domain/ledger/journal-chain.ts', 'journal row … does not continue the chain'],
  ['domain/ledger/journal-chain.ts', 'journal row … is missing'],
  ['domain/ledger/journal-source.ts', 'segment … does not continue row …'],
  ['domain/ledger/journal-source.ts', 'segment … is missing'],
  ['domain/ledger/journal-replay.ts', 'journal row … cannot be replayed: …'],
  ['domain/ledger/journal-replay.ts', 'replay of journal row … gave another outcome of a'],
  ['domain/ledger/ledger-rules.ts', "version … of the ledger's rules is not known to this code, which has"],
  ['domain/ledger/ledger-rules.ts', 'limit … of the ledger is not known to this code'],
  ['domain/ledger/checkpoint.ts', 'a checkpoint has a piece … that is not known'],
  ['durable-objects/ledger/replay.ts', 'the checkpoint cannot be read: '],
  ['durable-objects/ledger/ledger-journal.ts', 'piece … of the checkpoint is not as written'],
  ['durable-objects/ledger/projector.ts', 'D1 lacks journal rows from …, which are not kept: …'],
  ['durable-objects/ledger/projector.ts', 'D1 shows journal row …, and the journal ends with …'],
])('%s still says %s, by which its runbook is found', (file, words) => {
  expect(SOURCES[`../../../${file}`]?.replaceAll(/\$\{[^}]*\}/g, '…')).toContain(words);
});
