import { join } from 'node:path';
import { type HostedSigner, hostSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { SealedMemory } from '../../domain/bridge/signing/memory/sealed-memory.ts';
import type { SignerEyes } from '../../domain/bridge/signing/signer-eyes.ts';
import { callOfSigners, SIGNER_CALL_BYTES_MAX } from '../../protocol/bridge/signer-calls.ts';
import { type RunningServer, serveCalls } from '../process/serve-calls.ts';
import { RecordFolder } from './record-folder.ts';
import type { Settings } from './settings.ts';

/** One signer of each of some organizations behind HTTP: one process, one memory. */
export async function startSigner(settings: Settings, eyes: SignerEyes): Promise<RunningServer> {
  const { host, port, token, organizations, number, secret, memory, rosters } = settings;
  const folders: RecordFolder[] = [];
  const close = () => {
    for (const folder of folders) folder.close();
  };
  const signers = new Map<string, HostedSigner>();
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
      signers.set(organization, signer);
    }
    const callAt = callOfSigners((organization) => signers.get(organization) ?? null);
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
