import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamFailure } from './stream-failure.ts';

describe('E-02: the log says why a stream ended, and nothing of the camera’s address:', () => {
  it.each([
    ['rtsp://admin:hunter2@10.0.0.7/x: Connection refused', 'ffmpeg ended with 1; Connection refused'],
    [
      '[rtsp @ 0x5] method DESCRIBE failed: 401 Unauthorized\nrtsp://10.0.0.7/user=admin_password=hunter2_channel=1: Server returned 401 Unauthorized (authorization failed)',
      'ffmpeg ended with 1; 401 Unauthorized',
    ],
    [
      'Error opening input file admin:hunter2@10.0.0.7.\nNo such file or directory',
      'ffmpeg ended with 1; No such file or directory',
    ],
    ['hunter2', 'ffmpeg ended with 1'],
    ['', 'ffmpeg ended with 1'],
  ])('%s is logged as %s', (complaint, logged) => {
    expect(streamFailure(complaint, 1)).toBe(logged);
  });

  it('whatever ffmpeg repeats of it', () => {
    const secret = fc.string({ minLength: 1, maxLength: 20 }).map((text) => `Zq7${text}`);
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (text, before, after) => {
        expect(streamFailure(`${before}${text}: Connection refused${after}${text}`, 1)).not.toContain('Zq7');
      }),
    );
  });
});
