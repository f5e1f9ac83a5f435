import { secp256k1 } from '@noble/curves/secp256k1.js';
import { coSignatureDigest, isCoSignature } from '../../domain/bridge/signing/co-signature.ts';
import { type TransferTerms, termsCommitment } from '../../domain/bridge/transfer-terms.ts';
import { CO_SIGN_CALL_BYTES_MAX, CO_SIGN_CALLS } from '../../protocol/bridge/co-sign-calls.ts';
import { type RunningServer, serveCalls } from '../process/serve-calls.ts';
import { CoSignLog } from './co-sign-log.ts';
import { coSignFault } from './co-sign-policy.ts';
import type { Settings } from './settings.ts';

/** A hardware module behind HTTP. Between its rules and its log it does not pause, so two requests count both. */
export async function startModule(settings: Settings): Promise<RunningServer> {
  const { host, port, token, rules, log: path, openModule } = settings;
  const log = new CoSignLog(path, rules.window_ms, Date.now());
  const module = await openModule();

  async function coSign(terms: TransferTerms) {
    const commitment = termsCommitment(terms);
    const now = Date.now();
    const signed = log.entries(now);
    const reason = coSignFault(rules, signed, terms, commitment, now);
    if (reason !== null) return { ok: false, reason };
    if (!signed.some((each) => each.commitment === commitment))
      log.add({ commitment, asset: terms.asset, amount: terms.amount, at: now });
    const signature = lowS(await module.sign(coSignatureDigest(terms)));
    if (!isCoSignature([await module.publicKey()], terms, signature)) throw new Error('the module signs wrongly');
    return { ok: true, value: signature };
  }

  const calls = new Map([
    ['publicKey', { asked: CO_SIGN_CALLS.publicKey.asked, answer: () => module.publicKey() }],
    ['coSign', { asked: CO_SIGN_CALLS.coSign.asked, answer: coSign }],
  ]);
  const callAt = (name: string) => calls.get(name) ?? null;
  const server = await serveCalls({ host, port, token, bytesMax: CO_SIGN_CALL_BYTES_MAX, callAt });
  const stop = async () => {
    await server.stop();
    await module.close();
  };
  return { port: server.port, stop };
}

/** Modules give either S; of the two the low one counts. */
function lowS(signature: string): string {
  const { r, s } = secp256k1.Signature.fromHex(signature, 'compact');
  const low = s > secp256k1.Point.Fn.ORDER / 2n ? secp256k1.Point.Fn.neg(s) : s;
  return new secp256k1.Signature(r, low).toHex('compact');
}
