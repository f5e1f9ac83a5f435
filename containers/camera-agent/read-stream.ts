import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Frame } from './frame-sender.ts';
import type { Settings } from './settings.ts';
import { JpegSplitter } from './split-jpegs.ts';
import { streamFailure } from './stream-failure.ts';

/** The service takes no larger image. */
const FRAME_BYTES_MAX = 10 * 1_024 * 1_024;
/** Of what ffmpeg says last, as much is read for why it ended. */
const COMPLAINT_LENGTH_MAX = 500;

export interface StreamReading {
  /** Resolves when the stream ends: null for its end, else why ffmpeg gave up. */
  readonly ended: Promise<string | null>;
  stop(): void;
}

/** Reads a stream by ffmpeg, `fps` frames a second as JPEG, each stamped with the moment it came. Rejects when ffmpeg is not there. */
export async function readStream(settings: Settings, onFrame: (frame: Frame) => void): Promise<StreamReading> {
  const { ffmpeg, source, fps } = settings;
  const transport = /^rtsps?:/i.test(source) ? ['-rtsp_transport', 'tcp'] : [];
  // `-re` reads a file at the speed at which it plays, so that its frames carry the times of a live stream.
  const pace = isFile(source) ? ['-re'] : [];
  const output = ['-an', '-vf', `fps=${fps}`, '-q:v', '3', '-f', 'image2pipe', '-c:v', 'mjpeg', 'pipe:1'];
  const child = spawn(ffmpeg, ['-nostdin', '-loglevel', 'error', ...transport, ...pace, '-i', source, ...output], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error as Error))]);
  let complaint = '';
  /** What we found wrong with the stream. */
  let damage: string | null = null;
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-COMPLAINT_LENGTH_MAX);
  });
  const splitter = new JpegSplitter(FRAME_BYTES_MAX);
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      for (const jpeg of splitter.push(chunk)) onFrame({ jpeg, capturedAt: Date.now() });
    } catch (error) {
      damage = String(error);
      child.kill('SIGKILL');
    }
  });
  let stopping = false;
  const ended = once(child, 'close').then(([code]) =>
    stopping || code === 0 ? null : (damage ?? streamFailure(complaint, code)),
  );
  return {
    ended,
    stop() {
      stopping = true;
      child.kill('SIGTERM');
    },
  };
}

export function isFile(source: string): boolean {
  return !/^[a-z]+:\/\//i.test(source);
}
