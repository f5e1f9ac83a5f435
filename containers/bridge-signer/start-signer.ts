import type { Deposit } from '../../domain/bridge/chains/chain-adapter.ts';
import { hostSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { SealedMemory } from '../../domain/bridge/signing/memory/sealed-memory.ts';
import type { SignerEyes } from '../../domain/bridge/signing/signer-eyes.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { SIGNER_CALL_BYTES_MAX, SIGNER_CALLS } from '../../protocol/bridge/signer-calls.ts';
import { type RunningServer, serveCalls } from '../process/serve-calls.ts';
import { RecordFolder } from './record-folder.ts';
import type { Settings } from './settings.ts';

/** What a signer sees by, and what its word on funds stands over. */
export interface SignerSight {
  readonly eyes: SignerEyes;
  readonly attested: (terms: TransferTerms, deposit: Deposit) => string;
}

/** One signer behind HTTP: one process, one memory. */
export async function startSigner(settings: Settings, { eyes, attested }: SignerSight): Promise<RunningServer> {
  const { host, port, token, organization, number, secret, memory, roster } = settings;
  const folder = new RecordFolder(memory);
  const signer = hostSigner({
    organization,
    number,
    memory: new SealedMemory(folder, secret, { organization, signer: number }),
    eyes,
    attested,
    roster,
    now: Date.now,
  });
  const { identity, clusters, attestFunds, offer, sign, deal, seal, take, activate } = SIGNER_CALLS;
  const calls = {
    identity: { asked: identity.asked, answer: signer.identity },
    clusters: { asked: clusters.asked, answer: signer.clusters },
    attestFunds: { asked: attestFunds.asked, answer: signer.attestFunds },
    offer: { asked: offer.asked, answer: signer.offer },
    sign: { asked: sign.asked, answer: signer.sign },
    deal: { asked: deal.asked, answer: signer.deal },
    seal: { asked: seal.asked, answer: signer.seal },
    take: { asked: take.asked, answer: signer.take },
    activate: { asked: activate.asked, answer: signer.activate },
  };
  try {
    const server = await serveCalls({ host, port, token, bytesMax: SIGNER_CALL_BYTES_MAX, calls });
    const stop = async () => {
      await server.stop();
      folder.close();
    };
    return { port: server.port, stop };
  } catch (error) {
    folder.close();
    throw error;
  }
}
