import { differenceOf, type Patterns } from './compare-message.ts';
import { completeMessage } from './complete-message.ts';
import type { Step } from './script.ts';
import { ScriptClient } from './script-client.ts';

/** Scripts wait for heartbeats of up to six seconds, and for 2.4 of them without an answer. */
const WAIT_MS_MAX = 20_000;
/** After a connection that the script ends, the server frees the session. */
const SETTLE_MS = 50;

/** Runs a script against a server. Null when it passes, else what went wrong and where. */
export async function runScript(steps: readonly Step[], port: number, patterns: Patterns): Promise<string | null> {
  const clients = new Map<number, ScriptClient>();
  try {
    for (const step of steps) {
      const problem = await runStep(step, clients, port, patterns);
      if (problem !== null) return `line ${step.line}: ${problem}`;
    }
    return null;
  } finally {
    for (const client of clients.values()) client.close();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }
}

async function runStep(
  step: Step,
  clients: Map<number, ScriptClient>,
  port: number,
  patterns: Patterns,
): Promise<string | null> {
  if (step.type === 'connect') {
    clients.set(step.client, new ScriptClient(port));
    return null;
  }
  const client = clients.get(step.client);
  if (client === undefined) return `client ${step.client} is not connected`;
  switch (step.type) {
    case 'disconnect':
      client.close();
      return null;
    case 'send':
      client.send(completeMessage(step.text, Date.now()));
      return null;
    case 'expect_disconnect':
      return (await client.closed(WAIT_MS_MAX)) ? null : `not disconnected: ${visible(await client.next(0))}`;
    case 'expect': {
      const received = await client.next(WAIT_MS_MAX);
      if (received === null) return 'nothing came';
      const difference = differenceOf(completeMessage(step.text, Date.now()), received, patterns);
      return difference === null ? null : `${difference}, in ${visible(received)}`;
    }
  }
}

function visible(message: string | null): string {
  return message?.replaceAll('\x01', '|') ?? 'nothing came';
}
