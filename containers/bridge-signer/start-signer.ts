import { join } from 'node:path';
import { type HostedSigner, hostSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { SealedMemory } from '../../domain/bridge/signing/memory/sealed-memory.ts';
import type { SignerEyes } from '../../domain/bridge/signing/signer-eyes.ts';
import { SIGNER_CALL_BYTES_MAX, SIGNER_CALLS } from '../../protocol/bridge/signer-calls.ts';
import { type RunningServer, type ServedCall, serveCalls } from '../process/serve-calls.ts';
import { RecordFolder } from './record-folder.ts';
import type { Settings } from './settings.ts';

/** One signer of each of some organizations behind HTTP: one process, one memory. */
export async function startSigner(settings: Settings, eyes: SignerEyes): Promise<RunningServer> {
  const { host, port, token, organizations, number, secret, memory, rosters } = settings;
  const folders: RecordFolder[] = [];
  const close = () => {
    for (const folder of folders) folder.close();
  };
  const calls = new Map<string, ServedCall>();
  try {
    for (const organization of organizations) {
      const folder = new RecordFolder(join(memory, organization));
      folders.push(folder);
      const signer = hostSigner({
        organization,
        number,
        memory: new SealedMemory(folder, secret, { organization, signer: number }),
        eyes,
        roster: rosters[organization] ?? null,
        now: Date.now,
      });
      for (const [name, call] of Object.entries(callsOf(signer))) calls.set(`${organization}/${name}`, call);
    }
    const callAt = (path: string) => calls.get(path) ?? null;
    const server = await serveCalls({ host, port, token, bytesMax: SIGNER_CALL_BYTES_MAX, callAt });
    const stop = async () => {
      await server.stop();
      close();
    };
    return { port: server.port, stop };
  } catch (error) {
    close();
    throw error;
  }
}

function callsOf(signer: HostedSigner): Readonly<Record<string, ServedCall>> {
  const {
    identity,
    clusters,
    knownPlaces,
    attestFunds,
    notePaidOut,
    offer,
    sign,
    deal,
    seal,
    take,
    unfinished,
    activate,
  } = SIGNER_CALLS;
  return {
    identity: { asked: identity.asked, answer: signer.identity },
    clusters: { asked: clusters.asked, answer: signer.clusters },
    knownPlaces: { asked: knownPlaces.asked, answer: signer.knownPlaces },
    attestFunds: { asked: attestFunds.asked, answer: signer.attestFunds },
    notePaidOut: { asked: notePaidOut.asked, answer: signer.notePaidOut },
    offer: { asked: offer.asked, answer: signer.offer },
    sign: { asked: sign.asked, answer: signer.sign },
    deal: { asked: deal.asked, answer: signer.deal },
    seal: { asked: seal.asked, answer: signer.seal },
    take: { asked: take.asked, answer: signer.take },
    unfinished: { asked: unfinished.asked, answer: signer.unfinished },
    activate: { asked: activate.asked, answer: signer.activate },
  };
}
