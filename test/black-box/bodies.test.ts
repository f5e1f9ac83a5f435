import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import { type LocalSystem, localSystem } from './local-system.ts';

let system: LocalSystem;

beforeAll(async () => {
  system = await localSystem({ BODY_SECONDS_MAX: '1' });
  await system.start();
});

afterAll(() => system.stop('SIGTERM'));

/** Sends what no HTTP client would, and leaves the connection open. */
function sendRaw(lines: readonly string[]): Socket {
  const { hostname, port } = new URL(system.origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(lines.join('\r\n'));
  return socket;
}

function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\r\n\r\n') && text.includes('}')) resolve(text);
    });
    socket.once('close', () => resolve(text));
  });
}

const CHUNKED_GET = ['GET /book/v1/markets HTTP/1.1', 'host: localhost', 'transfer-encoding: chunked', ''];

test('a GET with a chunked body is no error of ours', async () => {
  // A proxy in front may take the body away.
  expect(await answerOf(sendRaw([...CHUNKED_GET, '5', 'hello', '0', '', '']))).toMatch(/^HTTP\/1\.1 (200|400) /);
  expect(await answerOf(sendRaw([...CHUNKED_GET, '0', '', '']))).toMatch(/^HTTP\/1\.1 200 /);
});

const key = demoKeyOf('alice');
const ORDER = [
  'POST /book/v1/orders HTTP/1.1',
  'host: localhost',
  `x-api-key: ${key.id}`,
  `x-api-secret: ${key.secret}`,
  'content-type: application/json',
  'content-length: 1000',
  '',
  '{"symbol":',
];

test('a body that trickles is answered 408 once its time is over', async () => {
  const socket = sendRaw(ORDER);
  const trickle = setInterval(() => socket.write(' '), 100);
  const answer = await answerOf(socket);
  clearInterval(trickle);
  socket.destroy();
  expect(answer).toMatch(/^HTTP\/1\.1 408 .*REQUEST_TIMEOUT/s);
});

test('a client that hangs up in its body is no bug', async () => {
  const socket = sendRaw(ORDER);
  await wait(300);
  socket.destroy();
  await wait(1_000);
  const log = readFileSync(join(system.state, 'worker.log'), 'utf8');
  expect(log.split('\n').filter((line) => line.includes('"event":"bug"'))).toEqual([]);
});
