import { createServer } from 'node:http';
import { TokenSource } from '../../protocol/calls/token-source.ts';
import { settingsOrExit } from '../process/settings-or-exit.ts';
import { FrameSender } from './frame-sender.ts';
import { log } from './log.ts';
import { isFile, readStream, type StreamReading } from './read-stream.ts';
import { readSettings } from './settings.ts';

const AGAIN_MS_MIN = 500;
const AGAIN_MS_MAX = 30_000;
const DRAIN_MS_MAX = 10_000;

/**
 * Reads one camera's stream and sends its frames to the events service, until SIGTERM, SIGINT or the end of a file. A stream that
 * breaks off is opened again. `GET /healthz` says whether it is read now, and the counts.
 */
const settings = settingsOrExit(readSettings);
const sender = new FrameSender(settings, new TokenSource(settings));
let reading: StreamReading | null = null;
let stopping = false;

const health = createServer((_request, response) => {
  response.writeHead(reading === null ? 503 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ status: reading === null ? 'no stream' : 'ok', ...sender.counts }));
});
health.listen(settings.healthPort, () => {
  const address = health.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  log('info', 'started', { camera: settings.cameraId, fps: settings.fps, health_port: port });
  process.send?.({ healthPort: port });
});

const stop = (why: string) => {
  if (stopping) return;
  stopping = true;
  log('info', 'stopping', { why });
  reading?.stop();
};
process.on('SIGTERM', () => stop('SIGTERM'));
process.on('SIGINT', () => stop('SIGINT'));
process.once('disconnect', () => stop('disconnect'));

let again_ms = AGAIN_MS_MIN;
while (!stopping) {
  reading = await readStream(settings, (frame) => {
    again_ms = AGAIN_MS_MIN;
    sender.push(frame);
  });
  const complaint = await reading.ended;
  reading = null;
  // A file has an end; a camera's stream has none that is meant.
  if (complaint === null && isFile(settings.source)) break;
  log('error', 'stream_lost', { complaint: complaint ?? 'the stream ended', again_in_ms: again_ms });
  for (const until = Date.now() + again_ms; Date.now() < until && !stopping; )
    await new Promise((resolve) => setTimeout(resolve, 50));
  again_ms = Math.min(AGAIN_MS_MAX, again_ms * 2);
}
await sender.drain(DRAIN_MS_MAX);
log('info', 'stopped', { ...sender.counts });
process.exit(0);
