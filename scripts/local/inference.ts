import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { startInferenceProcess } from './inference-process.ts';
import { PATHS } from './paths.ts';
import { portOf } from './port.ts';

const INFERENCE_PORT = 8_790;

/** The inference container beside the Worker. */
export interface Inference {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts it on INFERENCE_PORT; 0 takes a free one. Throws when the port is taken. */
export async function startInference(): Promise<Inference> {
  const { vars } = unstable_readConfig({ config: PATHS.wranglerConfig });
  const { port, stop } = await startInferenceProcess({
    port: await portOf('INFERENCE_PORT', INFERENCE_PORT),
    log: join(PATHS.state, 'inference.log'),
    secret: String(vars.INFERENCE_SECRET ?? ''),
  });
  return { url: `http://localhost:${port}`, stop };
}
