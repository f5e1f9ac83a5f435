import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutCredentials } from './stream-address.ts';

describe('E-02: of a camera’s address those who may not see its credentials see scheme, host and port:', () => {
  it.each([
    ['rtsp://10.0.0.7/door', 'rtsp://10.0.0.7/***'],
    ['rtsp://10.0.0.7', 'rtsp://10.0.0.7/***'],
    ['RTSP://Cam-3.example:8554/door', 'RTSP://Cam-3.example:8554/***'],
    ['rtsps://[fd00::7]:322/door', 'rtsps://[fd00::7]:322/***'],
    ['rtsp://admin@10.0.0.7/door', 'rtsp://10.0.0.7/***'],
    ['rtsp://admin:p@ss@10.0.0.7:554/x', 'rtsp://10.0.0.7:554/***'],
    ['rtsp://admin:12345/stream', 'rtsp://***'],
    ['rtsp://admin:99999/stream', 'rtsp://***'],
    ['rtsp://10.0.0.7:99999/stream', 'rtsp://***'],
    ['rtsp://camera-3/stream', 'rtsp://camera-3/***'],
    ['rtsp://admin:12345@camera-3:8554/stream', 'rtsp://camera-3:8554/***'],
    ['rtsp://localhost:8554/door', 'rtsp://localhost:8554/***'],
    ['rtsp://admin:p/ss@10.0.0.7/x', 'rtsp://***'],
    ['rtsp://admin:1234/56@10.0.0.7/x', 'rtsp://***'],
    ['rtsp://admin:12?34@10.0.0.7/x', 'rtsp://***'],
    ['rtsp://admin:12#34@10.0.0.7/x', 'rtsp://***'],
    ['rtsp://admin:12\\34@10.0.0.7/x', 'rtsp://***'],
    ['rtsp://admin:12%2F34%4010.0.0.7/x', 'rtsp://***'],
    ['rtsp://10.0.0.7:554/user=admin_password=Xy12Secret_channel=1_stream=0.sdp', 'rtsp://10.0.0.7:554/***'],
    ['rtsp://10.0.0.7:554/admin/hunter2/ch1', 'rtsp://10.0.0.7:554/***'],
    ['http://10.0.0.7/cgi-bin/snapshot.cgi?user=admin&pwd=hunter2', 'http://10.0.0.7/***'],
    ['https://cam.example/door.m3u8#token=hunter2', 'https://cam.example/***'],
    ['http://proxy.example/rtsp://admin:hunter2@10.0.0.7/x', 'http://***'],
    ['admin:hunter2@10.0.0.7:554/stream', '***'],
    ['hunter2://10.0.0.7/stream', '***'],
    ['rtsp:admin:hunter2@10.0.0.7', '***'],
    ['rtsp://user hunter2@10.0.0.7 x/', 'rtsp://***'],
    ['file:///recordings/door@1.mp4', 'file://***'],
    ['/recordings/hunter2.mp4', '***'],
  ])('%s is shown as %s', (source, shown) => {
    expect(withoutCredentials(source)).toBe(shown);
  });

  it('whatever the secret, and wherever it stands, it is not shown', () => {
    const secret = fc
      .string({ unit: fc.constantFrom(...'Zq7/@:?#&;=%\\ $+~é'), minLength: 4, maxLength: 12 })
      .map((text) => `Zq${text}`);
    const place = fc.constantFrom(
      (text: string) => `rtsp://admin:${text}@10.0.0.8:554/door`,
      (text: string) => `rtsp://${text}:pw@10.0.0.8/door`,
      (text: string) => `rtsp://10.0.0.8/${text}/door`,
      (text: string) => `rtsp://10.0.0.8/user=admin_password=${text}_stream=0.sdp`,
      (text: string) => `http://10.0.0.8/snap?user=admin&pwd=${text}`,
      (text: string) => `https://cam.example/live#${text}`,
      (text: string) => `http://cam.example/relay/rtsp://admin:${text}@10.0.0.8/x`,
      (text: string) => `admin:${text}@10.0.0.8:554/door`,
    );
    fc.assert(
      fc.property(secret, place, (text, addressOf) => {
        expect(withoutCredentials(addressOf(text))).not.toMatch(/zq/i);
      }),
      { numRuns: 2_000 },
    );
  });
});
