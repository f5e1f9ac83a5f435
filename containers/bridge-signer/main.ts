import { chainCalls } from '../../domain/bridge/chains/chain-calls.ts';
import { BLIND_EYES, BLIND_LEDGER } from '../../domain/bridge/signing/blind-eyes.ts';
import { ChainEyes } from '../../domain/bridge/signing/chain-eyes.ts';
import type { LedgerSight } from '../../domain/bridge/signing/ledger-sight.ts';
import type { SignerEyes } from '../../domain/bridge/signing/signer-eyes.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { custodyTransportOf } from '../../protocol/bridge/custody-transport.ts';
import { httpTransport } from '../../protocol/bridge/http-transport.ts';
import { runUntilStopped } from '../process/run-until-stopped.ts';
import { settingsOrExit } from '../process/settings-or-exit.ts';
import { ExchangeLedger } from './exchange-ledger.ts';
import { log } from './log.ts';
import { placesOf, readPlaces, type SignerPlaces } from './read-places.ts';
import { readSettings } from './settings.ts';
import { startSigner } from './start-signer.ts';

/** One of the five signers of some organizations, as a process: until SIGTERM or SIGINT, or the end of the process that started it. */
const { settings, places } = settingsOrExit((environment) => {
  const read = readSettings(environment);
  return { settings: read, places: read.places === null ? null : readPlaces(read.places) };
});
runUntilStopped(await startSigner(settings, places === null ? BLIND_EYES : eyesOf(places)), settings.host, log);

function eyesOf(known: SignerPlaces): SignerEyes {
  const transportOf = (chain: keyof SignerPlaces['nodes']) => {
    const node = known.nodes[chain];
    if (node === undefined) throw new Error(`no node of ${chain} is known here`);
    return httpTransport(node.url, node.headers);
  };
  return new ChainEyes({
    chains: chainCalls({
      transportOf,
      custodyOf: (provider) => custodyTransportOf(known.custody, provider),
      relayer: null,
    }),
    placesOf: async (terms) => placesOf(known, terms),
    ledger: ledgersOf(known),
  });
}

/** The ledger is the same one for all; whoever asks for a transfer is its organization's client. */
function ledgersOf({ organizations }: SignerPlaces): LedgerSight {
  const ledgers = new Map(
    Object.entries(organizations).flatMap(([id, { ledger }]) =>
      ledger === null ? [] : [[id, new ExchangeLedger(ledger)] as const],
    ),
  );
  const of = ({ organization }: TransferTerms) => ledgers.get(organization) ?? BLIND_LEDGER;
  return {
    debit: (terms) => of(terms).debit(terms),
    voidPayout: (terms) => of(terms).voidPayout(terms),
    hasPaidOut: (terms) => of(terms).hasPaidOut(terms),
  };
}
