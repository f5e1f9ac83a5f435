import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes } from '@noble/curves/utils.js';
import { expect, it } from 'vitest';
import { transferTweak, tweakedKey } from '../../../../domain/bridge/signing/transfer-tweak.ts';
import { frostCluster } from './frost-cluster.ts';

const commitment = '5a'.repeat(32);

it.each([null, 'of a transfer'])('three of five sign by the key with tweak %s', (of) => {
  const { keys, sign } = frostCluster();
  const tweak = of === null ? null : transferTweak('frost-ed25519', keys.groupKey, commitment);
  const key = tweak === null ? keys.groupKey : tweakedKey('frost-ed25519', keys.groupKey, tweak);
  const [signature] = sign({ messages: [{ bytes: 'c0ffee', tweak }] }, [1, 3, 4]);
  if (signature?.kind !== 'group') throw new Error('no signature');
  expect(
    ed25519.verify(hexToBytes(signature.signature), hexToBytes('c0ffee'), hexToBytes(key), { zip215: false }),
  ).toBe(true);
});
