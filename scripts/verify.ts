/**
 * `npm run verify -- receipt.json [--committee HASH] [--checkpoint-keys HASH]`: whether a receipt proves that a trade is final, or checkpoint_final, without
 * asking anybody. `-` reads it from standard input. Exits 1 with the reason where it does not.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadCheckpointCrypto } from '../containers/validator/load-checkpoint-crypto.ts';
import { blockHash } from '../domain/consensus/block.ts';
import { checkpointHash } from '../domain/consensus/checkpoints/checkpoint.ts';
import { committeeHash } from '../domain/consensus/committee.ts';
import { verifyEd25519 } from '../domain/consensus/ed25519.ts';
import { receiptFinality } from '../domain/consensus/receipt.ts';
import { ReceiptDocument } from '../protocol/receipts/receipt-document.ts';

/** A receipt has some thirty kilobytes, with a checkpoint two hundred more. */
const BYTES_MAX = 1_000_000;

const USAGE = 'usage: npm run verify -- receipt.json [--committee HASH] [--checkpoint-keys HASH]';

const { values, positionals } = readArguments();
const [file] = positionals;
if (file === undefined || positionals.length > 1) fail(USAGE, 2);
const [expectedCommittee, expectedKeys] = [values.committee, values['checkpoint-keys']].map(readHash);

const receipt = read(file);
const proved = await receiptFinality(receipt, verifyEd25519, loadCheckpointCrypto());
if (!proved.ok) fail(proved.error);
const { settlement, parties, headers, certificate, committee } = receipt;
const checkpoint = receipt.checkpoint?.checkpoint;
const [block] = headers;
if (block === undefined) fail('headers: there is none');
const hash = committeeHash(committee);
if (expectedCommittee !== undefined && expectedCommittee !== hash)
  fail(`committee: it is ${hash} and not ${expectedCommittee}`);
if (expectedKeys !== undefined && expectedKeys !== checkpoint?.keys)
  fail(`checkpoint keys: they are ${checkpoint?.keys ?? 'not there'} and not ${expectedKeys}`);

console.log(`${proved.value}: trade ${settlement.tradeId} is settled for good`);
console.log(
  `  record     ${settlement.quantity} of ${settlement.assetId} at ${settlement.price}, ${settlement.notional} ${settlement.currency}, scaled integers`,
);
console.log(`  executed   ${new Date(settlement.executedAt).toISOString()}`);
for (const { party, account } of parties) console.log(`  ${party.padEnd(10)} ${account}`);
console.log(`  block      ${block.height} ${blockHash(block)}, slot ${new Date(block.slot).toISOString()}`);
console.log(`  votes      ${certificate.votes.length} of ${committee.keys.length}, over block ${certificate.height}`);
if (checkpoint !== undefined) {
  console.log(
    `  checkpoint ${checkpoint.number} ${checkpointHash(checkpoint)}, blocks ${checkpoint.firstHeight} to ${checkpoint.lastHeight}`,
  );
  console.log(`  its keys   ${checkpoint.keys}`);
}
console.log(`  committee  ${hash} of epoch ${committee.epoch}`);
if (expectedCommittee === undefined)
  console.log('Who the committee is has to be known from elsewhere: pass its hash as --committee to have it compared.');

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { committee: { type: 'string' }, 'checkpoint-keys': { type: 'string' } },
    });
  } catch {
    fail(USAGE, 2);
  }
}

/** A hash, also as webhooks and settlements write theirs. */
function readHash(text: string | undefined): string | undefined {
  const hash = text?.toLowerCase().replace(/^0x/, '');
  if (hash !== undefined && !/^[0-9a-f]{64}$/.test(hash)) fail(`${text} is no hash of 64 hexadecimal digits`, 2);
  return hash;
}

function read(path: string): ReceiptDocument {
  let text: string;
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    fail(`it cannot be read: ${error instanceof Error ? error.message : String(error)}`, 2);
  }
  if (text.length > BYTES_MAX) fail(`it has more than ${BYTES_MAX} characters`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    fail('it is no JSON');
  }
  const parsed = ReceiptDocument.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  fail(`${issue?.path.join('.') || 'the document'}: ${issue?.message}`);
}

function fail(reason: string, code = 1): never {
  console.error(`not proved: ${reason}`);
  process.exit(code);
}
