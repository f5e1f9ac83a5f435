import { type HostedSigner, hostSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { SealedMemory } from '../../domain/bridge/signing/memory/sealed-memory.ts';
import { placedEyes } from '../../protocol/bridge/placed-eyes.ts';
import { type OwnSignerEnv, ownSignerSettings } from './own-signer-settings.ts';
import { SignerObject } from './signer-object.ts';
import { SignerStore } from './signer-store.ts';

/**
 * One signer of an organization in an account of its own, as the process of `containers/bridge-signer` is: an object an organization, whose name is its id. It sees chains by its own nodes, at places that
 * whoever runs it has stated, and reaches nothing of the exchange's but the calls of its ledger.
 */
export class OwnSigner extends SignerObject<OwnSignerEnv> {
  #host: HostedSigner | null = null;

  protected override signer(): HostedSigner {
    if (this.#host !== null) return this.#host;
    const organization = this.ctx.id.name ?? '';
    const { number, secret, organizations, places, rosters } = ownSignerSettings(this.env);
    if (!organizations.includes(organization)) throw new Error(`it is no signer of ${organization}`);
    this.#host = hostSigner({
      organization,
      number,
      memory: new SealedMemory(new SignerStore(this.ctx.storage), secret, { organization, signer: number }),
      eyes: placedEyes(places),
      roster: rosters[organization] ?? null,
      now: Date.now,
    });
    return this.#host;
  }
}
