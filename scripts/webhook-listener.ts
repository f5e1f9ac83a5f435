import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const BODY_BYTES_MAX = 1_000_000;

const HELP = `Receives webhooks, verifies each with the library of Standard Webhooks, and prints it.

  npm run webhook-listener -- --secret whsec_… [--port 4444]

Register http://localhost:4444/ with a local system (POST /partner/v1/webhooks), and start this with the secret that it answered.
What is not signed with the secret is answered 401. An event that comes again is answered 200 and marked.
`;

const { values } = parseArgs({
  options: { secret: { type: 'string' }, port: { type: 'string', default: '4444' }, help: { type: 'boolean' } },
});
const { secret } = values;
if (values.help === true || secret === undefined) {
  process.stdout.write(HELP);
  process.exit(values.help === true ? 0 : 2);
}

const webhook = new Webhook(secret);
const seen = new Set<string>();

const server = createServer((request, response) => {
  readBody(request).then(
    (body) => {
      const status = receive(request, body);
      response.writeHead(status).end();
    },
    () => response.writeHead(413).end(),
  );
});
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`waiting for webhooks at http://localhost:${port}/\n`);
});

/** The status that a webhook is answered with. */
function receive({ headers }: IncomingMessage, body: string): number {
  const id = String(headers['webhook-id'] ?? '');
  try {
    const event = webhook.verify(body, headers as Record<string, string>);
    const sequence = headers['webhook-sequence'] ?? 'none';
    process.stdout.write(`verified ${id}, sequence ${sequence}${seen.has(id) ? ', again' : ''}\n`);
    process.stdout.write(`${JSON.stringify(event, null, 2)}\n`);
    seen.add(id);
    return 200;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    process.stdout.write(`refused ${id}: ${error.message}\n`);
    return 401;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).byteLength;
    if (bytes > BODY_BYTES_MAX) throw new RangeError('too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
