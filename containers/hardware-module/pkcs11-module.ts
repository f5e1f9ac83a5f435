import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { HardwareModule } from './hardware-module.ts';

/** What is used of the package pkcs11js, which needs a compiler and so is none of ours: it is loaded where it is. */
interface Pkcs11 {
  load(path: string): void;
  C_Initialize(): void;
  C_Finalize(): void;
  C_GetSlotList(tokenPresent: boolean): Buffer[];
  C_GetTokenInfo(slot: Buffer): { readonly label: string };
  C_OpenSession(slot: Buffer, flags: number): Buffer;
  C_CloseSession(session: Buffer): void;
  C_Login(session: Buffer, userType: number, pin: string): void;
  C_FindObjectsInit(session: Buffer, template: Attribute[]): void;
  C_FindObjects(session: Buffer, max: number): Buffer[];
  C_FindObjectsFinal(session: Buffer): void;
  C_GenerateKeyPair(
    session: Buffer,
    mechanism: Mechanism,
    publicTemplate: Attribute[],
    privateTemplate: Attribute[],
  ): unknown;
  C_GetAttributeValue(session: Buffer, object: Buffer, template: Attribute[]): { readonly value: Buffer }[];
  C_SignInit(session: Buffer, mechanism: Mechanism, key: Buffer): void;
  C_Sign(session: Buffer, data: Buffer, out: Buffer): Buffer;
}
interface Attribute {
  readonly type: number;
  readonly value?: Buffer | string | number | boolean;
}
interface Mechanism {
  readonly mechanism: number;
}

/** PKCS #11, 2.40: numbers of what is used. */
const CKF = { rwSession: 2, serialSession: 4 };
const CKU_USER = 1;
const CKO = { publicKey: 2, privateKey: 3 };
const CKA = {
  class: 0,
  token: 1,
  private: 2,
  label: 3,
  sensitive: 0x103,
  sign: 0x108,
  verify: 0x10a,
  extractable: 0x162,
};
const CKA_EC = { params: 0x180, point: 0x181 };
const CKM = { ecKeyPairGen: 0x1040, ecdsa: 0x1041 };
/** DER of the object identifier of secp256k1. */
const SECP256K1 = Buffer.from('06052b8104000a', 'hex');
const SIGNATURE_BYTES = 64;
const POINT_BYTES = 65;

export interface Pkcs11Settings {
  /** Name or path of the package pkcs11js. */
  readonly binding: string;
  /** Library of the module's maker. */
  readonly library: string;
  /** Labels of the token, and of the key pair in it. */
  readonly token: string;
  readonly key: string;
  readonly pin: string;
  /** Whether a key is made where the token has none. */
  readonly makesKey: boolean;
}

/**
 * A module by PKCS #11. The key is made inside it, is never shown, and can not be taken out.
 *
 * @throws Error where the package, the library, the token or the key is not there
 */
export async function pkcs11Module(settings: Pkcs11Settings): Promise<HardwareModule> {
  const { binding, library, token, key: label, pin, makesKey } = settings;
  const loaded = (await import(binding)) as { PKCS11?: new () => Pkcs11; default?: { PKCS11: new () => Pkcs11 } };
  const Binding = loaded.PKCS11 ?? loaded.default?.PKCS11;
  if (Binding === undefined) throw new Error(`${binding} is not pkcs11js`);
  const module = new Binding();
  module.load(library);
  module.C_Initialize();
  try {
    const slot = module.C_GetSlotList(true).find((each) => module.C_GetTokenInfo(each).label.trimEnd() === token);
    if (slot === undefined) throw new Error(`there is no token ${token}`);
    const session = module.C_OpenSession(slot, CKF.serialSession | CKF.rwSession);
    module.C_Login(session, CKU_USER, pin);
    if (makesKey && find(module, session, CKO.privateKey, label).length === 0) makeKey(module, session, label);
    const privateKey = one(find(module, session, CKO.privateKey, label), label);
    const publicKey = pointOf(module, session, one(find(module, session, CKO.publicKey, label), label));
    return {
      publicKey: async () => publicKey,
      async sign(digest) {
        module.C_SignInit(session, { mechanism: CKM.ecdsa }, privateKey);
        const signature = module.C_Sign(session, Buffer.from(digest, 'hex'), Buffer.alloc(SIGNATURE_BYTES));
        return signature.toString('hex');
      },
      async close() {
        module.C_CloseSession(session);
        module.C_Finalize();
      },
    };
  } catch (error) {
    module.C_Finalize();
    throw error;
  }
}

function find(module: Pkcs11, session: Buffer, kind: number, label: string): Buffer[] {
  module.C_FindObjectsInit(session, [
    { type: CKA.class, value: kind },
    { type: CKA.label, value: label },
  ]);
  try {
    return module.C_FindObjects(session, 2);
  } finally {
    module.C_FindObjectsFinal(session);
  }
}

function one([found, ...others]: readonly Buffer[], label: string): Buffer {
  if (found === undefined || others.length > 0) throw new Error(`the token has not one key ${label}`);
  return found;
}

function makeKey(module: Pkcs11, session: Buffer, label: string): void {
  const shared = [
    { type: CKA.token, value: true },
    { type: CKA.label, value: label },
  ];
  module.C_GenerateKeyPair(
    session,
    { mechanism: CKM.ecKeyPairGen },
    [...shared, { type: CKA.verify, value: true }, { type: CKA_EC.params, value: SECP256K1 }],
    [
      ...shared,
      { type: CKA.private, value: true },
      { type: CKA.sensitive, value: true },
      { type: CKA.extractable, value: false },
      { type: CKA.sign, value: true },
    ],
  );
}

/** The point, which stands in an octet string of DER. */
function pointOf(module: Pkcs11, session: Buffer, key: Buffer): string {
  const template = [{ type: CKA_EC.params }, { type: CKA_EC.point }];
  const [params, point] = module.C_GetAttributeValue(session, key, template).map(({ value }) => Buffer.from(value));
  if (params === undefined || point === undefined || !params.equals(SECP256K1))
    throw new Error('the key is none of secp256k1');
  return secp256k1.Point.fromHex(point.subarray(-POINT_BYTES).toString('hex')).toHex(true);
}
