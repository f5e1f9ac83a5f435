import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { FaceEngine, Upscaler } from '../engine/engine.ts';
import type { Engines } from '../engine/engines.ts';
import { loadEsrganUpscaler } from '../upscaling/esrgan-upscaler.ts';

/**
 * Engines that do as the photo's top left pixel says, so that a test can have a worker stick, throw or die: red 250 sticks, red 251 sticks
 * in native code for more than a second, red 252 waits until the test opens its gate, green 250 throws, blue 250 ends the thread. An enhancement of red 253
 * takes 0.7 s for each of its ten steps, and one of red 254 has steps without end.
 */
export async function loadEngines(): Promise<Engines> {
  return { faces, weapons: null, restorer: null, upscaler, problems: [] };
}

const wait = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** Says that it has come to the gate, a folder that the test has named in the environment, and waits until the test has put `open` there. */
function waitAtGate(): void {
  const gate = process.env.STAND_IN_GATE ?? '';
  writeFileSync(join(gate, `came-${threadId}`), '');
  while (!existsSync(join(gate, 'open'))) wait(2);
}

async function stickInNativeCode(): Promise<void> {
  const slow = await loadEsrganUpscaler({ device: 'cpu', threads: 1, tile_side_max: 1_000 });
  const [width, height] = [450, 450];
  await slow.upscale({ width, height, data: new Uint8Array(width * height * 3) }, 2, () => undefined);
}

const faces: FaceEngine = {
  model: { name: 'stand-in', version: '1', dimensions: 2 },
  async analyze({ data, width, height }, embed) {
    const [red = 0, green = 0, blue = 0] = data;
    if (red === 250) for (;;) wait(1_000);
    if (red === 251) await stickInNativeCode();
    if (green === 250) throw new Error('the model threw');
    if (blue === 250) process.exit(3);
    if (red === 252) waitAtGate();
    return [
      {
        bbox: [0, 0, width, height],
        confidence: 0.5,
        landmarks: [
          [0, 0],
          [1, 0],
          [0, 1],
          [0, 2],
          [1, 2],
        ],
        quality: { blur: 0, yaw: 0, pitch: 0, face_size: width },
        embedding: embed === 'none' ? null : Float32Array.of(0.6, -0.8),
      },
    ];
  },
};

const upscaler: Upscaler = {
  model: 'stand-in',
  async upscale({ data, width, height }, scale, progress) {
    const [red = 0, green = 0] = data;
    for (let step = 1; step <= 10; step += red === 254 ? 0 : 1) {
      if (red === 250) for (;;) wait(1_000);
      if (red === 252) waitAtGate();
      wait(red === 253 ? 700 : 5);
      progress(step / 10);
      if (green === 250 && step === 5) throw new Error('the model threw');
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { width: width * scale, height: height * scale, data: new Uint8Array(data.length * scale ** 2) };
  },
};
