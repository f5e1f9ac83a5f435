import { chainCalls } from '../../domain/bridge/chains/chain-calls.ts';
import { BLIND_EYES, BLIND_LEDGER } from '../../domain/bridge/signing/blind-eyes.ts';
import { ChainEyes } from '../../domain/bridge/signing/chain-eyes.ts';
import type { LedgerSight } from '../../domain/bridge/signing/ledger-sight.ts';
import type { SignerEyes } from '../../domain/bridge/signing/signer-eyes.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { custodyTransportOf } from './custody-transport.ts';
import { ExchangeLedger } from './exchange-ledger.ts';
import { httpTransport } from './http-transport.ts';
import { placesOf, type SignerPlaces } from './signer-places.ts';

/** How a signer sees that an organization runs: by its own nodes, at the places that whoever runs it has stated. Without places it makes keys, and signs nothing. */
export function placedEyes(known: SignerPlaces | null): SignerEyes {
  if (known === null) return BLIND_EYES;
  return new ChainEyes({
    chains: chainCalls({
      transportOf: (chain) => {
        const node = known.nodes[chain];
        if (node === undefined) throw new Error(`no node of ${chain} is known here`);
        return httpTransport(node.url, node.headers);
      },
      custodyOf: (provider) => custodyTransportOf(known.custody, provider),
      relayer: null,
    }),
    placesOf: async (terms) => placesOf(known, terms, Date.now()),
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
