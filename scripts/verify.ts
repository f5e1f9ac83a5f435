/**
 * `npm run verify -- receipt.json --committee HASH`: whether a receipt proves that a trade is recorded for good, and what was made of it until the receipt was, without asking anybody; with `--registry ADDRESS --rpc URL` also that the registry on chain has nothing else of the trade.
 * `-` reads it from standard input. Exits 1 with the reason where it does not, 2 where it does not understand what it is asked, 4 where it proves that the trade was taken back or corrected
 * since, and 3 where nothing but the receipt itself says who
 * the committee is: its hash comes from elsewhere (`--committee`, or `--checkpoint-keys`), from a committee that was kept from `/.well-known/committee` (`--committees`), or, where none of
 * these is named, from the registry, which has the checkpoint that the receipt stands in.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Address } from 'viem';
import type { z } from 'zod';
import { loadCheckpointCrypto } from '../containers/validator/load-checkpoint-crypto.ts';
import { blockHash } from '../domain/consensus/block.ts';
import { checkpointHash } from '../domain/consensus/checkpoints/checkpoint.ts';
import { committeeHash } from '../domain/consensus/committee.ts';
import { verifyEd25519 } from '../domain/consensus/ed25519.ts';
import { trustedCommittees } from '../domain/consensus/handover.ts';
import { type RecordProof, receiptFinality } from '../domain/consensus/receipt.ts';
import { adjustmentRecordHash, settlementRecordHash } from '../domain/settlement/settlement-record.ts';
import { CommitteesDocument } from '../protocol/receipts/committees-document.ts';
import { ReceiptDocument } from '../protocol/receipts/receipt-document.ts';
import { printable } from './verify/printable.ts';

/** A receipt has some thirty kilobytes, with a checkpoint two hundred more. */
const BYTES_MAX = 1_000_000;

/** Until when the registry may have taken in its last record for what it lacks to mean something: the recorder warns of what waits for five. */
const REGISTRY_MINUTES = 15;

/** Exit where nothing but the receipt itself says who the committee is. */
const ON_ITS_OWN_WORD = 3;
/** Exit where the receipt is right and its trade does not stand as it was executed: a script that looks at the exit alone takes no such trade for settled. */
const ADJUSTED = 4;

const USAGE =
  'usage: npm run verify -- receipt.json [--committee HASH]… [--committees FILE] [--checkpoint-keys HASH]… [--registry ADDRESS --rpc URL [--registry-minutes N]]';

const { values, positionals } = readArguments();
const [file] = positionals;
if (file === undefined || positionals.length > 1 || (values.registry === undefined) !== (values.rpc === undefined))
  fail(USAGE, 2);
const expectedCommittees = (values.committee ?? []).map(readHash);
const expectedKeys = (values['checkpoint-keys'] ?? []).map(readHash);

const registryAge_ms = readMinutes(values['registry-minutes']) * 60_000;

const receipt = read(file, ReceiptDocument, 1);
const published = values.committees === undefined ? [] : read(values.committees, CommitteesDocument, 2).committees;
const proved = await receiptFinality(receipt, verifyEd25519, loadCheckpointCrypto());
if (!proved.ok) fail(proved.error);
const { settlement, parties, adjustment } = receipt;
const onChain = await askRegistry();
const isByRegistry =
  expectedCommittees.length === 0 &&
  published.length === 0 &&
  expectedKeys.length === 0 &&
  onChain !== null &&
  onChain.committees.length > 0;
const trusted = await trustedOf();
for (const [of, proof] of [
  ['', receipt],
  ['adjustment: ', adjustment],
] as const) {
  if (proof === undefined) continue;
  const hash = committeeHash(proof.committee);
  if (isByRegistry && !trusted?.has(hash))
    fail(
      `${of}committee: the registry has no checkpoint of it yet, and nobody else has named ${hash}`,
      ON_ITS_OWN_WORD,
    );
  if (trusted !== null && !trusted.has(hash))
    fail(`${of}committee: it is ${hash} and not ${[...trusted].join(' or ')}`);
  const keys = proof.checkpoint?.checkpoint.keys;
  if (expectedKeys.length > 0 && (keys === undefined || !expectedKeys.includes(keys)))
    fail(`${of}checkpoint keys: they are ${keys ?? 'not there'} and not ${expectedKeys.join(' or ')}`);
}
// The hash of the keys is over that of their committee.
const isOnItsOwnWord = trusted === null && expectedKeys.length === 0;

if (isOnItsOwnWord) {
  say(
    `by the word of this file alone: committee ${committeeHash(receipt.committee)} of epoch ${receipt.committee.epoch}, which nobody else has named, says`,
  );
}
say(stateOf(receipt, isOnItsOwnWord ? null : onChain));
if (onChain !== null && !isOnItsOwnWord) say(`  registry   ${registryWords(onChain)}`);
if (isByRegistry)
  say(
    `  by         the word of whoever records in the registry ${values.registry}: a checkpoint of this committee stands there`,
  );
if (!isOnItsOwnWord) say(`  finality   ${proved.value}`);
say(
  `  record     ${settlement.quantity} of ${settlement.assetId} at ${settlement.price}, ${settlement.notional} ${settlement.currency}, scaled integers`,
);
say(`  executed   ${new Date(settlement.executedAt).toISOString()}`);
for (const { party, account } of parties) say(`  ${party.padEnd(10)} ${account}`);
printProof(receipt);
if (adjustment !== undefined) {
  say(`  adjustment ${adjustment.record.adjustmentId}`);
  printProof(adjustment);
} else if (onChain === null || !onChain.isWhole || !onChain.isFresh)
  say('What was made of the trade after this receipt does not stand in it: a new receipt says it.');
if (isOnItsOwnWord) {
  say(
    'Nothing is proved: anybody can make up a committee. Pass the hash that you know as --committee; a venue publishes those of its committees at /.well-known/committee.',
  );
  process.exit(ON_ITS_OWN_WORD);
}
if (adjustment !== undefined) process.exit(ADJUSTED);

/** Committees that are known from elsewhere than the receipt; null where none is. Of a file the first is taken for known, where no other is named. */
async function trustedOf(): Promise<ReadonlySet<string> | null> {
  const [first] = published;
  if (isByRegistry) return new Set(onChain.committees);
  if (expectedCommittees.length === 0 && first === undefined) return null;
  const known = expectedCommittees.length === 0 && first !== undefined ? [committeeHash(first)] : expectedCommittees;
  return trustedCommittees(published, known, verifyEd25519);
}

function printProof({ headers: [block], certificate, committee, checkpoint: over }: RecordProof): void {
  if (block === undefined) fail('headers: there is none');
  say(`  block      ${block.height} ${blockHash(block)}, slot ${new Date(block.slot).toISOString()}`);
  say(`  votes      ${certificate.votes.length} of ${committee.keys.length}, over block ${certificate.height}`);
  if (over !== undefined) {
    const { checkpoint } = over;
    const { number, firstHeight, lastHeight } = checkpoint;
    say(`  checkpoint ${number} ${checkpointHash(checkpoint)}, blocks ${firstHeight} to ${lastHeight}`);
    say(`  its keys   ${checkpoint.keys}`);
  }
  const hash = committeeHash(committee);
  say(`  committee  ${hash} of epoch ${committee.epoch}`);
  const members = published.find((of) => committeeHash(of) === hash)?.members;
  if (members === 'embedded')
    say('  members    embedded: in one object of the venue, by one secret. Their votes are the venue’s own word');
  else if (members != null) say(`  members    ${members}`);
}

interface OnChain {
  /** Whether it has all records of the receipt. */
  readonly isWhole: boolean;
  /** Whether it has taken in something within the stated minutes. */
  readonly isFresh: boolean;
  /** The last block in which it has taken in something, in words. */
  readonly until: string;
  /** Hashes of committees of the receipt whose checkpoints it has. */
  readonly committees: readonly string[];
}

/**
 * What the registry on chain has of the trade, where it is asked: the one place that shows all records of a trade, those that this receipt does not have included. One of these ends the
 * verdict, and so does another checkpoint than the receipt's. Null where it is not asked.
 */
async function askRegistry(): Promise<OnChain | null> {
  const { registry, rpc } = values;
  if (registry === undefined || rpc === undefined) return null;
  const own = [
    settlementRecordHash(settlement),
    ...(adjustment === undefined ? [] : [adjustmentRecordHash(adjustment.record)]),
  ];
  const checkpoints = [receipt, adjustment].flatMap((proof) => proof?.checkpoint?.checkpoint ?? []);
  // Loaded where it is wanted: a receipt alone is checked in a third of the time.
  const { readRegistry } = await import('./verify/read-registry.ts');
  const asked = readRegistry({ address: registry as Address, rpc }, settlement.tradeId, checkpoints);
  const {
    head,
    lastRecord,
    hashes,
    checkpoints: recorded,
  } = await asked.catch((error: unknown) =>
    fail(`the registry cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`, 2),
  );
  if (hashes.some((hash) => !own.includes(hash)))
    fail('registry: it has another record of the trade: something was made of it that this receipt does not say');
  const other = checkpoints.find((_, at) => recorded[at] === false);
  if (other !== undefined)
    fail(`registry: it has another checkpoint ${other.number} than this receipt: the venue has shown two chains`);
  const now = Math.max(Date.now(), head.at);
  return {
    isWhole: own.every((hash) => hashes.includes(hash)),
    isFresh: lastRecord !== null && now - lastRecord.at <= registryAge_ms,
    until:
      lastRecord === null ? 'none for long' : `block ${lastRecord.number} of ${new Date(lastRecord.at).toISOString()}`,
    committees: checkpoints.filter((_, at) => recorded[at]).map(({ committee }) => committee),
  };
}

/** What it has of the trade, and until when that says something. */
function registryWords({ isWhole, isFresh, until }: OnChain): string {
  const has = isWhole ? 'has this of the trade and nothing else' : 'lacks a record yet';
  const since = isFresh ? '' : `: none in the last ${registryAge_ms / 60_000} minutes`;
  return `${has}; its last record is of ${until}${since}`;
}

/** `settled` is said where the registry shows that no adjustment was recorded: no document does. */
function stateOf({ settlement: { tradeId, currency }, adjustment }: ReceiptDocument, onChain: OnChain | null): string {
  if (adjustment === undefined)
    return onChain?.isWhole && onChain.isFresh
      ? `settled: trade ${tradeId} stands in the chain and in the registry, and nothing is recorded of it since, until ${onChain.until}`
      : `recorded: trade ${tradeId} stands in the chain`;
  const { price, notional, adjustedAt } = adjustment.record;
  const at = new Date(adjustedAt).toISOString();
  if (price === 0 && notional === 0) return `adjusted: trade ${tradeId} was taken back at ${at}`;
  return `adjusted: trade ${tradeId} is settled at ${price}, ${notional} ${currency}, since ${at}`;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        committee: { type: 'string', multiple: true },
        committees: { type: 'string' },
        'checkpoint-keys': { type: 'string', multiple: true },
        registry: { type: 'string' },
        rpc: { type: 'string' },
        'registry-minutes': { type: 'string' },
      },
    });
  } catch {
    fail(USAGE, 2);
  }
}

function readMinutes(text: string | undefined): number {
  if (text === undefined) return REGISTRY_MINUTES;
  if (!/^[1-9]\d{0,5}$/.test(text)) fail(`${text} is no number of minutes`, 2);
  return Number(text);
}

/** A hash, also as webhooks and settlements write theirs. */
function readHash(text: string): string {
  const hash = text.toLowerCase().replace(/^0x/, '');
  if (!/^[0-9a-f]{64}$/.test(hash)) fail(`${text} is no hash of 64 hexadecimal digits`, 2);
  return hash;
}

/** @param code of the exit where it is none */
function read<Document>(path: string, document: z.ZodType<Document>, code: number): Document {
  let text: string;
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    fail(`it cannot be read: ${error instanceof Error ? error.message : String(error)}`, 2);
  }
  if (text.length > BYTES_MAX) fail(`it has more than ${BYTES_MAX} characters`, code);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    fail('it is no JSON', code);
  }
  const parsed = document.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  fail(`${issue?.path.join('.') || 'the document'}: ${issue?.message}`, code);
}

/** Each line goes through here: texts of a file would otherwise write what they like on the reader's terminal. */
function say(line: string): void {
  console.log(printable(line));
}

function fail(reason: string, code = 1): never {
  console.error(printable(`not proved: ${reason}`));
  process.exit(code);
}
