import { type HostedSigner, hostSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { SealedMemory } from '../../domain/bridge/signing/memory/sealed-memory.ts';
import type { SignerMemory } from '../../domain/bridge/signing/memory/signer-memory.ts';
import type { SignerEyes } from '../../domain/bridge/signing/signer-eyes.ts';
import { CLUSTER_SIZE } from '../../domain/bridge/transfer.ts';
import { HOUR_MS } from '../../domain/calendar/durations.ts';
import { KeptPlaces } from '../bridge-chains/kept-places.ts';
import { workerEyes } from '../bridge-chains/worker-eyes.ts';
import { log } from '../log/log.ts';
import { SignerObject } from './signer-object.ts';
import { SignerStore } from './signer-store.ts';

/** One of the five signers of an organization, in an object of its own: `organization/number`. Its keys never leave it. */
export class Signer extends SignerObject<Env> {
  #host: HostedSigner | null = null;

  /** Looks whether places of its organization have changed: what it has not seen for days it does not go by. */
  async lookAtPlaces(): Promise<void> {
    const { organization } = placeOf(this.ctx.id.name ?? '');
    await this.#places(this.#memory()).look(organization);
  }

  override async alarm(): Promise<void> {
    await this.lookAtPlaces().catch((error: unknown) => {
      log('warn', 'a signer does not take the places that were stated', {
        signer: this.ctx.id.name,
        reason: String(error),
      });
    });
  }

  /** How it sees chains. */
  protected eyes(memory: SignerMemory): SignerEyes {
    return workerEyes(this.env, this.#places(memory));
  }

  /** Who the five are, where that is configured. */
  protected roster(): readonly string[] | null {
    return null;
  }

  protected now(): number {
    return Date.now();
  }

  protected override signer(): HostedSigner {
    if (this.#host !== null) return this.#host;
    const { organization, number } = placeOf(this.ctx.id.name ?? '');
    const memory = this.#memory();
    this.#host = hostSigner({
      organization,
      number,
      memory,
      eyes: this.eyes(memory),
      roster: this.roster(),
      now: () => this.now(),
    });
    return this.#host;
  }

  /** @throws Error as `signer` */
  #memory(): SignerMemory {
    const { organization, number: signer } = placeOf(this.ctx.id.name ?? '');
    const secret = Buffer.from(this.env.BRIDGE_SIGNER_KEY ?? '', 'base64url');
    return new SealedMemory(new SignerStore(this.ctx.storage), secret, { organization, signer });
  }

  #places(memory: SignerMemory): KeptPlaces {
    const waits = () => this.ctx.waitUntil(this.#lookAgain());
    return new KeptPlaces(this.env, { memory, now: () => this.now(), waits });
  }

  /** By its own clock, not by what D1 says of itself: a change that was gone in between is found to be gone. */
  async #lookAgain(): Promise<void> {
    const { storage } = this.ctx;
    if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now() + HOUR_MS);
  }
}

function placeOf(name: string): { readonly organization: string; readonly number: number } {
  const [, organization = '', digit = ''] = /^([\w.-]{1,64})\/(\d)$/.exec(name) ?? [];
  const number = Number(digit);
  if (organization === '' || number >= CLUSTER_SIZE) throw new Error(`${name} is no signer of an organization`);
  return { organization, number };
}
