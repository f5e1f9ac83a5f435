import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Environment, parseSettings, type SettingsReader } from '../process/parse-settings.ts';
import type { CoSignRules } from './co-sign-policy.ts';
import type { HardwareModule } from './hardware-module.ts';
import { kmsModule } from './kms-module.ts';
import { pkcs11Module } from './pkcs11-module.ts';
import { softwareModule } from './software-module.ts';

/** How a hardware module's process runs. */
export interface Settings {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** What whoever asks has to show. */
  readonly token: string;
  readonly rules: CoSignRules;
  /** The file of what it has signed. */
  readonly log: string;
  readonly openModule: () => Promise<HardwareModule>;
}

const PORT_DEFAULT = 8_793;
const TOKEN_LENGTH_MIN = 32;
const SECRET_BYTES = 32;

const Amount = z.int().min(1);
const Rules = z.strictObject({
  organizations: z.array(z.string()).max(1_000),
  assets: z.record(z.string(), z.strictObject({ transferMax: Amount, windowMax: Amount })),
  window_ms: z
    .int()
    .min(1_000)
    .max(7 * 86_400_000),
  countMax: z.int().min(1).max(10_000),
});

/**
 * Reads HARDWARE_HOST, _PORT, _RULES (a JSON file), _LOG and BRIDGE_HARDWARE_TOKEN; and by HARDWARE_MODULE what signs: `pkcs11` (HARDWARE_PKCS11_LIBRARY, _TOKEN, _KEY, _PIN,
 * _BINDING, _MAKES_KEY), `kms` (HARDWARE_KMS_KEY, _TOKEN_FILE), or `software` (HARDWARE_SOFTWARE_KEY), which is for local starts.
 */
export function readSettings(environment: Environment): Settings {
  return parseSettings(environment, (from) => {
    const token = from.required('BRIDGE_HARDWARE_TOKEN', 'what the coordinator shows');
    if (token !== '' && token.length < TOKEN_LENGTH_MIN)
      from.refuse(`BRIDGE_HARDWARE_TOKEN has fewer than ${TOKEN_LENGTH_MIN} characters`);
    return {
      host: from.text('HARDWARE_HOST', '127.0.0.1'),
      port: from.port('HARDWARE_PORT', PORT_DEFAULT),
      token,
      rules: rulesOf(from),
      log: from.required('HARDWARE_LOG', 'the file of what it has signed'),
      openModule: moduleOf(from),
    };
  });
}

function rulesOf(from: SettingsReader): CoSignRules {
  const nothing = { organizations: [], assets: {}, window_ms: 1_000, countMax: 1 };
  const path = from.required('HARDWARE_RULES', 'the file of what it signs');
  if (path === '') return nothing;
  try {
    return Rules.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    from.refuse(`HARDWARE_RULES: ${error instanceof z.ZodError ? z.prettifyError(error) : `${path} cannot be read`}`);
    return nothing;
  }
}

function moduleOf(from: SettingsReader): () => Promise<HardwareModule> {
  switch (from.oneOf('HARDWARE_MODULE', ['pkcs11', 'kms', 'software'])) {
    case 'pkcs11': {
      const settings = {
        binding: from.text('HARDWARE_PKCS11_BINDING', 'pkcs11js'),
        library: from.required('HARDWARE_PKCS11_LIBRARY', 'the library of the module’s maker'),
        token: from.required('HARDWARE_PKCS11_TOKEN', 'label of the token'),
        key: from.required('HARDWARE_PKCS11_KEY', 'label of the key'),
        pin: from.required('HARDWARE_PKCS11_PIN', 'what opens the token'),
        makesKey: from.flag('HARDWARE_PKCS11_MAKES_KEY'),
      };
      return () => pkcs11Module(settings);
    }
    case 'kms': {
      const key = from.address('HARDWARE_KMS_KEY', 'address of a version of the key').href;
      const file = from.required('HARDWARE_KMS_TOKEN_FILE', 'a file that always has a valid access token');
      return async () => kmsModule({ key, tokenOf: async () => readFileSync(file, 'utf8').trim() });
    }
    case 'software': {
      const secret = Uint8Array.from(
        Buffer.from(from.required('HARDWARE_SOFTWARE_KEY', '64 hexadecimal digits'), 'hex'),
      );
      if (secret.length !== SECRET_BYTES) from.refuse('HARDWARE_SOFTWARE_KEY is not 64 hexadecimal digits');
      return async () => softwareModule(secret);
    }
  }
}
