import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Ordering } from '../../domain/webhooks/ordering.ts';
import { PATHS } from '../local/paths.ts';
import { freePort } from '../local/port.ts';
import type { PartnerSession } from './partner-session.ts';

const ARRIVAL_WAIT_MS = 120_000;
const STEP_MS = 100;

/** `npm run webhook-listener` in a process of its own, registered by a partner: it verifies by the library what it gets. */
export class OutsideListener {
  readonly #child: ChildProcess;
  #output = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#output += chunk;
    });
  }

  static async registered(
    partner: PartnerSession,
    events: readonly string[],
    ordering: Ordering,
  ): Promise<OutsideListener> {
    const port = await freePort();
    const webhook = { url: `http://localhost:${port}/`, events, ordering };
    const { secret } = await partner.call<{ secret: string }>('POST /v1/webhooks', webhook);
    const script = join(PATHS.root, 'scripts', 'webhook-listener.ts');
    const listener = new OutsideListener(
      spawn(process.execPath, [script, '--secret', secret, '--port', String(port)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    await listener.#until('waiting for webhooks', (output) => output.includes('waiting for webhooks'));
    return listener;
  }

  /** Until an event of this type has come and was verified. @throws Error when one was refused, or none comes in time */
  async verified(type: string): Promise<void> {
    await this.#until(type, (output) => output.includes(`"event_type": "${type}"`));
    if (this.#output.includes('refused ')) throw new Error(`the listener has refused a webhook:\n${this.#output}`);
  }

  stop(): void {
    this.#child.kill();
  }

  async #until(what: string, isThere: (output: string) => boolean): Promise<void> {
    for (let waited_ms = 0; waited_ms < ARRIVAL_WAIT_MS; waited_ms += STEP_MS) {
      if (isThere(this.#output)) return;
      if (this.#child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
    throw new Error(`no ${what} from the listener:\n${this.#output}`);
  }
}
