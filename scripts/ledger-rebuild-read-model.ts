import { ledgerAsOf } from '../domain/ledger/journal-replay.ts';
import { journalRows } from '../domain/ledger/journal-source.ts';
import type { LocalLedger } from './local/local-ledger.ts';
import { onStoppedLedger } from './local/stopped-ledger.ts';

const POLL_MS = 200;

/**
 * `npm run ledger:rebuild-read-model`: empties the tables of D1 in .state that are projected from the ledger, and has them written again
 * from its first journal row on. Nothing is emptied unless the whole journal can be replayed to the ledger's state.
 */
async function rebuild(ledger: LocalLedger): Promise<number> {
  const { halted } = await ledger.status();
  if (halted !== null) throw new Error(`The ledger is halted: ${halted}`);
  const { stateHash } = await ledger.stateHash();
  const replayed = await ledgerAsOf(journalRows(ledger.journal), Number.POSITIVE_INFINITY);
  if (replayed.ledger.stateHash() !== stateHash)
    throw new Error(`The journal makes the state ${replayed.ledger.stateHash()}, the ledger has ${stateHash}.`);
  const outcome = await ledger.rebuildReadModel();
  if (outcome.type === 'shared') throw new Error(`D1 holds rows of ${outcome.shard}, too: nothing was done.`);
  for (;;) {
    const { halted, rebuild } = await ledger.status();
    if (halted !== null) throw new Error(`The ledger is halted: ${halted}`);
    if (rebuild?.phase === 'done') return replayed.seq;
    if (rebuild?.phase === 'failed') throw new Error(`Nothing was emptied: ${rebuild.reason}`);
    console.log(`${rebuild?.phase}: ${rebuild?.projected} of ${rebuild?.to} journal rows`);
    await ledger.projected();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

try {
  const rows = await onStoppedLedger(rebuild);
  console.log(`D1 has been written again from ${rows} journal rows.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
