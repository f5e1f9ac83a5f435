import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ecdsaSign } from '../../domain/bridge/signing/ecdsa.ts';
import type { HardwareModule } from './hardware-module.ts';

/** A stand-in for local starts: its key lies in memory, where a module's never does. @param secret 32 bytes */
export function softwareModule(secret: Uint8Array): HardwareModule {
  const key = Buffer.from(secp256k1.getPublicKey(secret)).toString('hex');
  const hex = Buffer.from(secret).toString('hex');
  return {
    publicKey: async () => key,
    sign: async (digest) => ecdsaSign(hex, digest),
    close: async () => undefined,
  };
}
