import { ledgerAsOf } from '../domain/ledger/journal-replay.ts';
import { journalRows } from '../domain/ledger/journal-source.ts';
import type { LocalLedger } from './local/local-ledger.ts';
import { onStoppedLedger } from './local/stopped-ledger.ts';

/**
 * `npm run ledger:rebuild-read-model`: empties the tables of D1 in .state that are projected from the ledger, and has them written again
 * from its first journal row on. Nothing is emptied unless the whole journal can be replayed to the ledger's state.
 */
async function rebuild(ledger: LocalLedger): Promise<number> {
  const { stateHash, halted } = await ledger.status();
  if (halted !== null) throw new Error(`The ledger is halted: ${halted}`);
  const replayed = await ledgerAsOf(journalRows(ledger.journal), Number.POSITIVE_INFINITY);
  if (replayed.ledger.stateHash() !== stateHash)
    throw new Error(`The journal makes the state ${replayed.ledger.stateHash()}, the ledger has ${stateHash}.`);
  const outcome = await ledger.rebuildReadModel();
  if (outcome.type === 'shared') throw new Error(`D1 holds rows of ${outcome.shard}, too: nothing was done.`);
  while (!(await ledger.projected())) {
    const status = await ledger.status();
    if (status.halted !== null) throw new Error(`The ledger is halted: ${status.halted}`);
    console.log(`${status.projected} of ${status.journaled} journal rows`);
  }
  return replayed.seq;
}

try {
  const rows = await onStoppedLedger(rebuild);
  console.log(`D1 has been written again from ${rows} journal rows.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
